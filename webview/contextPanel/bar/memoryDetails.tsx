import type { VNode } from 'preact';
import type { ContextView, MemoryView, ProfileView } from '../../../src/editor/contextPanel/state';
import { ESTIMATE_MARK, visiblePath } from '../../../src/editor/coreForPages';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';
import { MEMORY_WORDS } from './words';

interface MemoryDetailsProps {
  readonly context: Pick<ContextView, 'memory' | 'memoryOff' | 'profile' | 'whyReadOnly'>;
  readonly wish: SendWish;
}

/** Lists the instruction files and skills with their tokens; each can be switched off. */
export function MemoryDetails({ context, wish }: MemoryDetailsProps): VNode {
  const { memory, memoryOff, profile, whyReadOnly } = context;
  const left = memoryOff.filter((path) => !memory.some((file) => file.path === path));
  const total = memory.reduce((sum, { tokens }) => sum + tokens, 0);
  const send = (path: string, isOn: boolean) => wish({ type: 'switchMemory', path, isOn });
  const isFixed = whyReadOnly !== undefined;
  return (
    <>
      {memory.length + left.length > 0 && (
        <div class="memory" data-testid="memory">
          <p class="quiet small">{MEMORY_WORDS.total(total)}</p>
          <ul class="file-list">
            {memory.map((file) => (
              <MemoryRow
                key={file.path}
                file={file}
                isOn={!memoryOff.includes(file.path)}
                isFixed={isFixed}
                send={send}
              />
            ))}
            {left.map((path) => (
              <MemoryRow key={path} file={{ path }} isOn={false} isFixed={isFixed} send={send} />
            ))}
          </ul>
        </div>
      )}
      {profile !== undefined && <ProfileLine profile={profile} wish={wish} />}
    </>
  );
}

/** Longest path in a row, characters; a longer one is cut in its folders, and whole on hover. */
const LONGEST_PATH = 34;

interface MemoryRowProps {
  readonly file: Pick<MemoryView, 'path'> & Partial<MemoryView>;
  readonly isOn: boolean;
  /** Nothing can be switched: the panel shows a recording or a past step. */
  readonly isFixed: boolean;
  readonly send: (path: string, isOn: boolean) => void;
}

function MemoryRow({ file, isOn, isFixed, send }: MemoryRowProps): VNode {
  const { path, skill, tokens, isNote = false } = file;
  const shown = visiblePath(path);
  return (
    <li data-testid="memory-file" data-path={path}>
      <label class="file-head" title={isFixed ? shown : MEMORY_WORDS.hint(shown, isOn, isNote)}>
        <span class="ellipsis">
          {!isFixed && (
            <input
              type="checkbox"
              checked={isOn}
              onChange={({ currentTarget }) => send(path, currentTarget.checked)}
            />
          )}{' '}
          {skill === undefined
            ? visiblePath(path, LONGEST_PATH)
            : MEMORY_WORDS.skill(visiblePath(skill))}
          <span class="quiet">{rest(file)}</span>
        </span>
        {tokens !== undefined && (
          <span class="number">{formatTokens({ tokens, exact: false })}</span>
        )}
      </label>
    </li>
  );
}

function ProfileLine({
  profile,
  wish,
}: Pick<MemoryDetailsProps, 'wish'> & { readonly profile: ProfileView }): VNode {
  return (
    <p class="memory quiet small" data-testid="profile" title={MEMORY_WORDS.profileHint}>
      {`Profile for all projects: ${visiblePath(profile.path)}${rest(profile)}, ${ESTIMATE_MARK} ${formatNumber(profile.tokens)} tokens `}
      <LinkButton
        onClick={() => wish({ type: 'openProfile' })}
        label="Open your profile for all projects"
        data-testid="open-profile"
      >
        Open
      </LinkButton>
    </p>
  );
}

/** Where a file is from, and how much of an oversized one is included. */
function rest({ origin, shownChars = 0, chars = 0 }: Partial<MemoryView>): string {
  const from = origin === undefined ? '' : ` (${origin})`;
  return shownChars >= chars
    ? from
    : `${from}, ${formatNumber(shownChars)} of ${formatNumber(chars)} characters`;
}
