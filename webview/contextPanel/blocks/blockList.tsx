import type { VNode } from 'preact';
import { useCallback, useId, useMemo, useRef, useState } from 'preact/hooks';
import { byStretch } from '../../../src/editor/chunks';
import type { BlockView, ContextView } from '../../../src/editor/contextPanel/state';
import { Icon } from '../../kit/icon';
import { formatNumber } from '../../kit/tokens';
import { DEFAULT_LOOK, type Look, SORTS } from '../store/keptState';
import type { PanelStore, SendWish } from '../store/panelStore';
import { actionsOf, type BlockAction, runAction } from './blockActions';
import { BlockGrid } from './blockGrid';
import { BlockMenu, type MenuPlace } from './blockMenu';
import {
  blockKey,
  type ListRow,
  listRows,
  SORT_LABELS,
  STATE_FILTERS,
  stateFilterOf,
} from './listRows';
import { type RowActions, useRowFocus } from './rowEvents';
import { isOut } from './words';

export interface BlockListProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

interface OpenMenu {
  readonly blockId: string;
  readonly at: MenuPlace;
  readonly opener: Element | null;
}

/**
 * Lists every block of the session in the user's filter and order; removed blocks keep their place.
 */
export function BlockList({ store, context }: BlockListProps): VNode {
  const { blocks } = context;
  const look = store.look.value;
  const { query, states, sort, byTurn, collapsedTurns, openSummaries, blockId } = look;
  const section = useRef<HTMLElement>(null);
  const keysId = useId();
  const [showsKeys, setShowsKeys] = useState(false);
  const [menu, setMenu] = useState<OpenMenu | undefined>(undefined);
  const rows = useMemo(
    () =>
      listRows(blocks, {
        query,
        states,
        sort,
        byTurn,
        collapsedTurns,
        openSummaries,
        ...(blockId === undefined ? {} : { blockId }),
      }),
    [blocks, query, states, sort, byTurn, collapsedTurns, openSummaries, blockId],
  );
  const counts = useMemo(() => countWords(blocks), [blocks]);
  const focus = useRowFocus(section, rows);
  const onLook = (changes: Partial<Look>): void => {
    store.look.value = { ...store.look.value, ...changes };
  };
  const closeMenu = useCallback(
    (giveBack: boolean) => {
      setMenu(undefined);
      if (!giveBack) return;
      if (menu?.opener instanceof HTMLElement && menu.opener.isConnected)
        menu.opener.focus({ preventScroll: true });
      else focus.giveBack();
    },
    [menu],
  );
  const run = (action: BlockAction): void => runAction(store, action);
  const actOn = (block: BlockView, which: (action: BlockAction) => boolean): boolean => {
    const action = actionsOf(block, context).find(which);
    if (action !== undefined) run(action);
    return action !== undefined;
  };
  const actions: RowActions = {
    select: ({ id }) => onLook({ blockId: id, tab: 'block' }),
    open: ({ id }) => store.wish({ type: 'openBlock', blockId: id }),
    restore: (block) => void actOn(block, ({ name }) => name === 'restore'),
    act: (block, key) => actOn(block, (action) => action.key === key),
    fold: (turn, collapsed) => {
      const others = collapsedTurns.filter((other) => other !== turn);
      onLook({ collapsedTurns: collapsed ? [...others, turn] : others });
    },
    foldSummary: ({ id, covers }, isFolded) => {
      const others = openSummaries.filter((other) => other !== id);
      // The chosen block stays visible: the summary itself, if the block has no row.
      const isLookedAt = blockId !== undefined && isFolded && covers !== undefined;
      onLook({
        openSummaries: isFolded ? others : [...others, id],
        ...(isLookedAt && rows.some((row) => isBeneath(row, id, blockId)) ? { blockId: id } : {}),
      });
    },
    openMenu: ({ id }, at) => setMenu({ blockId: id, at, opener: document.activeElement }),
    showKeys: () => setShowsKeys(!showsKeys),
  };
  const shown = byTurn
    ? rows.reduce((sum, row) => sum + (row.type === 'turn' ? row.blocks : 0), 0)
    : rows.length;
  const ofMenu = menu === undefined ? undefined : blocks.find(({ id }) => id === menu.blockId);
  return (
    <section ref={section} class="blocks" aria-label="Blocks">
      <div class="blocks-head">
        <h2 class="title">
          Blocks <span class="counts">{counts}</span>
        </h2>
        <BlockFilter
          look={look}
          matches={shown}
          of={blocks.length}
          onLook={onLook}
          keysId={keysId}
          showsKeys={showsKeys}
          onShowKeys={actions.showKeys}
        />
      </div>
      {showsKeys && <KeyHelp id={keysId} />}
      {rows.length === 0 ? (
        <NoBlocks
          context={context}
          wish={store.wish}
          onShowAll={() => onLook({ query: DEFAULT_LOOK.query, states: DEFAULT_LOOK.states })}
        />
      ) : (
        <BlockGrid
          rows={rows}
          context={context}
          look={look}
          focus={focus}
          actions={actions}
          onScrolled={(listTop) => onLook({ listTop })}
          still={ofMenu !== undefined}
        />
      )}
      {menu !== undefined && ofMenu !== undefined && (
        <BlockMenu
          label={ofMenu.label}
          at={menu.at}
          actions={actionsOf(ofMenu, context)}
          run={run}
          onClose={closeMenu}
        />
      )}
    </section>
  );
}

/** Says whether a row is that of a block, beneath the one of a summary. */
function isBeneath(row: ListRow, summaryId: string, blockId: string): boolean {
  return row.type === 'block' && row.block.id === blockId && row.beneath === blockKey(summaryId);
}

export interface NoBlocksProps {
  readonly context: Pick<ContextView, 'blocks' | 'source'>;
  readonly wish: SendWish;
  /** Lets every block through the filter. */
  readonly onShowAll: () => void;
}

/** Explains an empty list, with the way out. */
function NoBlocks({ context, wish, onShowAll }: NoBlocksProps): VNode {
  const { blocks, source } = context;
  if (blocks.length > 0) {
    return (
      <p class="empty quiet">
        No block matches.{' '}
        <button type="button" class="plain link" onClick={onShowAll} data-testid="show-all">
          Show all
        </button>
      </p>
    );
  }
  if (source.type === 'recording')
    return <p class="empty quiet">This file holds no conversation.</p>;
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

/** The keys of the list; keys for a block apply to the focused row. */
const BLOCK_KEYS: readonly (readonly [key: string, action: string])[] = [
  ['↑ ↓', 'the next row; Page Up, Page Down, Home and End go further'],
  ['← →', 'fold and unfold a turn, or the blocks of a summary'],
  ['Enter', 'details'],
  ['O', 'open the text'],
  ['P', 'pin, unpin'],
  ['T', 'make a prompt the task'],
  ['X', 'exclude'],
  ['R', 'restore'],
  ['C', 'clear the result'],
  ['E', 'rewrite a summary'],
  ['?', 'show or hide this'],
];

/** Lists the keys. */
function KeyHelp({ id }: { readonly id: string }): VNode {
  return (
    <dl id={id} class="keys small" data-testid="block-keys">
      {BLOCK_KEYS.map(([key, action]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{action}</dd>
        </div>
      ))}
    </dl>
  );
}

const countsIn = byStretch((blocks: readonly BlockView[]) => ({
  left: blocks.filter(isOut).length,
  pinned: blocks.filter(({ pinned }) => pinned).length,
}));

/** Counts the blocks: "17 in the window · 30 removed · 1 pinned". */
function countWords(blocks: readonly BlockView[]): string {
  const counts = countsIn(blocks);
  const left = counts.reduce((sum, count) => sum + count.left, 0);
  const pinned = counts.reduce((sum, count) => sum + count.pinned, 0);
  return [
    `${formatNumber(blocks.length - left)} in the window`,
    ...(left === 0 ? [] : [`${formatNumber(left)} removed`]),
    ...(pinned === 0 ? [] : [`${formatNumber(pinned)} pinned`]),
  ].join(' · ');
}

interface BlockFilterProps {
  readonly look: Look;
  readonly matches: number;
  readonly of: number;
  readonly onLook: (changes: Partial<Look>) => void;
  /** Id of the list of keys. */
  readonly keysId: string;
  readonly showsKeys: boolean;
  readonly onShowKeys: () => void;
}

/** Lets the user filter and sort the blocks, and shows how many match. */
function BlockFilter(props: BlockFilterProps): VNode {
  const { look, matches, of, onLook, keysId, showsKeys, onShowKeys } = props;
  const states = stateFilterOf(look.states);
  const isFiltered = look.query.trim() !== '' || states !== 'all';
  return (
    <div class="filter">
      <span class="words">
        <input
          type="text"
          value={look.query}
          placeholder="Filter…"
          aria-label="Filter blocks by name, state or reason"
          spellcheck={false}
          onInput={(event) => onLook({ query: event.currentTarget.value })}
          onKeyDown={(event) => event.key === 'Escape' && onLook({ query: '' })}
          data-testid="filter"
        />
        <span class="matches number quiet small" role="status">
          {isFiltered ? `${formatNumber(matches)} of ${formatNumber(of)}` : ''}
        </span>
      </span>
      <button
        type="button"
        class="plain toggle"
        aria-pressed={look.byTurn}
        onClick={() => onLook({ byTurn: !look.byTurn })}
        data-testid="by-turn"
      >
        <Icon name="group" /> By turn
      </button>
      <select
        aria-label="States to show"
        value={states}
        onChange={(event) => onLook({ states: event.currentTarget.value })}
        data-testid="states"
      >
        {STATE_FILTERS.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <select
        aria-label="Order"
        value={look.sort}
        onChange={(event) => {
          const sort = SORTS.find((each) => each === event.currentTarget.value);
          if (sort !== undefined) onLook({ sort });
        }}
        data-testid="sort"
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {SORT_LABELS[sort]}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="plain toggle"
        aria-label="Two lines a block"
        title="Two lines a block"
        aria-pressed={look.rows === 'comfortable'}
        onClick={() => onLook({ rows: look.rows === 'compact' ? 'comfortable' : 'compact' })}
        data-testid="row-style"
      >
        <Icon name="rows" />
      </button>
      <button
        type="button"
        class="plain toggle"
        aria-label="Keys"
        title="Keys (?)"
        aria-expanded={showsKeys}
        aria-controls={showsKeys ? keysId : undefined}
        onClick={onShowKeys}
        data-testid="show-keys"
      >
        <Icon name="help" />
      </button>
    </div>
  );
}
