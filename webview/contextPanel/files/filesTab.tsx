import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import type { FileLifeView } from '../../../src/editor/contextPanel/blocks/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { Waiting } from '../../kit/waiting';
import { FileChoice } from './fileChoice';
import { LinkButton } from '../parts/linkButton';
import { useMore } from '../parts/useMore';
import type { PanelProps } from '../store/panelStore';
import { LifeStrip } from './lifeOfChosen';

/** Files drawn before Show more. */
const PAGE = 50;

/** Lists every file of the session by its tokens in the window, each with its life. */
export function FilesTab({ store, context }: PanelProps): VNode {
  const { session, revision, travel } = context;
  const [files, setFiles] = useState<readonly FileLifeView[] | undefined>(undefined);
  const [why, setWhy] = useState('');
  const { shown, rest, showMore } = useMore(files?.length ?? 0, PAGE);
  useEffect(
    () => store.wish({ type: 'fetchFiles' }, { answered: setFiles, refused: setWhy }),
    [session, revision],
  );
  if (why !== '') return <p class="empty quiet">{why}</p>;
  if (files === undefined) return <Waiting class="empty quiet">Looking for the files…</Waiting>;
  if (files.length === 0) return <p class="empty quiet">No file was read or changed yet.</p>;
  const look = (query: string): void => {
    store.look.value = { ...store.look.peek(), query };
  };
  return (
    <div class="files">
      <h2 class="spoken">Files of the session</h2>
      <p class="quiet small">
        {countText(files.length, 'file')}, by the tokens they take in the window now.
      </p>
      <ul class="file-list">
        {files.slice(0, shown).map((file) => (
          <li key={file.title} data-testid="file" data-path={file.title}>
            <p class="file-head">
              <LinkButton
                class="ellipsis"
                hint="Shows the blocks that name this file"
                onClick={() => look(file.title)}
                data-testid="file-blocks"
              >
                {file.title}
              </LinkButton>
              <span class="number">{formatTokens({ tokens: file.tokens, exact: false })}</span>
            </p>
            <LifeStrip life={file} first={travel.first} last={travel.last} />
            <p class="quiet small">{fileWords(file)}</p>
            {file.chosen !== undefined && (
              <FileChoice
                path={file.title}
                chosen={file.chosen}
                whyReadOnly={context.whyReadOnly}
                wish={store.wish}
              />
            )}
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <LinkButton onClick={showMore}>Show more ({formatNumber(rest)} left)</LinkButton>
      )}
    </div>
  );
}

/** "read 3 times · changed 2 times · 24 lines in the excerpts". */
function fileWords({ reads, edits, again, shown }: FileLifeView): string {
  const times = (count: number): string => (count === 1 ? 'once' : `${formatNumber(count)} times`);
  return [
    ...(reads === 0 ? [] : [`read ${times(reads)}`]),
    ...(edits === 0 ? [] : [`changed ${times(edits)}`]),
    ...(again === 0 ? [] : [`needed again ${times(again)}`]),
    ...(shown === 0 ? [] : [`${countText(shown, 'line')} in the excerpts`]),
  ].join(' · ');
}
