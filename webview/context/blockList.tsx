import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { BlockView } from '../../src/protocol/contextPanel';
import { countWords } from './blockCounts';
import { BlockFilter } from './blockFilter';
import { blockKeys, blockOf, rowAt } from './blockKeys';
import { BlockRow } from './blockRow';
import { filterBlocks } from './filterBlocks';
import type { SendWish } from './panelStore';
import { canTogglePin } from './pinButton';
import { useFollowEnd } from './useFollowEnd';

export interface BlockListProps {
  readonly blocks: readonly BlockView[];
  readonly wish: SendWish;
}

/** Lists every block of the session in the order the model reads them, gone ones included. */
export function BlockList({ blocks, wish }: BlockListProps): VNode {
  const [query, setQuery] = useState('');
  const [currentId, setCurrentId] = useState<string | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const shown = filterBlocks(blocks, query);
  useFollowEnd(list, shown.length);

  const current = shown.find(({ id }) => id === currentId) ?? shown[0];
  const heaviest = blocks.reduce((most, { tokens }) => Math.max(most, tokens.tokens), 0);
  const open = ({ id }: BlockView): void => wish({ type: 'openBlock', blockId: id });
  const togglePin = (block: BlockView): void => {
    if (!canTogglePin(block)) return;
    wish({ type: block.pinned ? 'unpinBlock' : 'pinBlock', blockId: block.id });
  };
  const makeTask = ({ id, kind }: BlockView): void => {
    if (kind === 'prompt') wish({ type: 'moveAnchor', blockId: id });
  };
  const onClick = (event: MouseEvent): void => {
    const block = blockOf(shown, event.target);
    if (block === undefined || !(event.target instanceof Element)) return;
    if (event.target.closest('.task') !== null) makeTask(block);
    else if (event.target.closest('.pin') !== null) togglePin(block);
    // Beside a button is no way to open a block.
    else if (event.target.closest('.hold') === null) open(block);
  };
  return (
    <section class="blocks" aria-label="Blocks">
      <h2 class="title">
        Blocks <span class="counts">{countWords(blocks)}</span>
      </h2>
      <BlockFilter query={query} matches={shown.length} of={blocks.length} onQuery={setQuery} />
      {shown.length === 0 ? (
        <NoBlocks any={blocks.length > 0} wish={wish} />
      ) : (
        <div
          ref={list}
          class="list"
          role="grid"
          aria-label="Blocks; Enter opens the text, P pins, T makes a prompt the task"
          aria-rowcount={shown.length}
          onClick={onClick}
          onKeyDown={(event) => blockKeys(event, shown, { open, togglePin, makeTask })}
          onFocusIn={(event) => setCurrentId(rowAt(event.target)?.dataset['blockId'])}
        >
          {shown.map((block) => (
            <BlockRow
              key={block.id}
              block={block}
              heaviest={heaviest}
              current={block === current}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function NoBlocks({ any, wish }: { readonly any: boolean; readonly wish: SendWish }): VNode {
  if (any) return <p class="empty quiet">No block matches.</p>;
  return (
    <p class="empty quiet">
      Nothing has been said yet.{' '}
      <button
        type="button"
        class="plain link"
        onClick={() => wish({ type: 'openAgentView' })}
        data-testid="open-agent"
      >
        Give the agent a task
      </button>
    </p>
  );
}
