import type { VNode } from 'preact';
import type { ContextView, MemoryView, ProfileView } from '../../../src/editor/contextPanel/state';
import { visiblePath } from '../../../src/editor/visibleText';
import { formatNumber } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';

export interface MemoryLineProps {
  readonly context: Pick<ContextView, 'memory' | 'profile'>;
  readonly wish: SendWish;
}

/** Names the memory files that the model is told, and how much of one that is too long. */
export function MemoryLine({ context: { memory, profile }, wish }: MemoryLineProps): VNode {
  return (
    <>
      {memory.length > 0 && (
        <p class="memory quiet small" data-testid="memory" title="Told with the system prompt">
          Project memory: {memory.map(memoryWords).join(' · ')}
        </p>
      )}
      {profile !== undefined && <ProfileLine profile={profile} wish={wish} />}
    </>
  );
}

function ProfileLine({
  profile,
  wish,
}: Pick<MemoryLineProps, 'wish'> & { readonly profile: ProfileView }): VNode {
  return (
    <p
      class="memory quiet small"
      data-testid="profile"
      title="Yours, told in all projects behind the project memory"
    >
      {`Profile for all projects: ${memoryWords(profile)}, ≈ ${formatNumber(profile.tokens)} tokens `}
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

function memoryWords({ path, shownChars, chars, origin }: MemoryView): string {
  const from = origin === undefined ? '' : ` (${origin})`;
  const part =
    shownChars >= chars ? '' : `, ${formatNumber(shownChars)} of ${formatNumber(chars)} characters`;
  return `${visiblePath(path)}${from}${part}`;
}
