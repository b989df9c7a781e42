import type { VNode } from 'preact';
import { useCallback, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { BlockView, ContextView } from '../../../src/editor/contextPanel/state';
import { Icon } from '../../kit/icon';
import { formatNumber } from '../../kit/tokens';
import { indexFor } from '../parts/tabList';
import { CHIPS, type Chip, DEFAULT_LOOK, type Look, SORTS } from '../store/keptState';
import type { PanelProps, SendWish } from '../store/panelStore';
import { actionsOf, type BlockAction, runAction } from './blockActions';
import { BlockGrid } from './blockGrid';
import { BlockMenu, type MenuPlace } from './blockMenu';
import { blockKey, CHIP_LABELS, chipCounts, type ListRow, listRows, SORT_LABELS } from './listRows';
import { type RowActions, useRowFocus } from './rowEvents';

interface OpenMenu {
  readonly blockId: string;
  readonly at: MenuPlace;
  readonly opener: Element | null;
}

/** Lists the blocks of the chosen chip, in the user's order. */
export function BlockList({ store, context }: PanelProps): VNode {
  const { blocks, neededAgain } = context;
  const look = store.look.value;
  const { query, chip, sort, byTurn, collapsedTurns, openSummaries, blockId } = look;
  const section = useRef<HTMLElement>(null);
  const keysId = useId();
  const filterId = useId();
  const [showsKeys, setShowsKeys] = useState(false);
  const [menu, setMenu] = useState<OpenMenu | undefined>(undefined);
  const rows = useMemo(
    () =>
      listRows(
        { blocks, neededAgain },
        { query, chip, sort, byTurn, collapsedTurns, openSummaries, blockId },
      ),
    [blocks, neededAgain, query, chip, sort, byTurn, collapsedTurns, openSummaries, blockId],
  );
  const counts = useMemo(() => chipCounts({ blocks, neededAgain }), [blocks, neededAgain]);
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
    run: (block, name) => void actOn(block, (action) => action.name === name),
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
      <h2 class="spoken">Blocks</h2>
      <div class="blocks-head">
        <Chips chosen={chip} counts={counts} onChoose={(chosen) => onLook({ chip: chosen })} />
        <button
          type="button"
          class="plain link"
          aria-expanded={look.filterOpen}
          aria-controls={look.filterOpen ? filterId : undefined}
          onClick={() =>
            onLook(look.filterOpen ? { filterOpen: false, query: '' } : { filterOpen: true })
          }
          data-testid="show-filter"
        >
          Filter
        </button>
      </div>
      {look.filterOpen && (
        <BlockFilter
          id={filterId}
          look={look}
          matches={shown}
          of={counts[chip]}
          onLook={onLook}
          keysId={keysId}
          showsKeys={showsKeys}
          onShowKeys={actions.showKeys}
        />
      )}
      {showsKeys && <KeyHelp id={keysId} />}
      {rows.length === 0 ? (
        <NoBlocks
          context={context}
          wish={store.wish}
          onShowAll={() => onLook({ query: DEFAULT_LOOK.query, chip: 'all' })}
        />
      ) : (
        <BlockGrid
          rows={rows}
          context={context}
          look={look}
          focus={focus}
          actions={actions}
          onScrolled={(listTop) => onLook({ listTop })}
          menuOf={ofMenu?.id}
          wish={store.wish}
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

interface NoBlocksProps {
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
  ['O', 'read the text'],
  ['P', 'keep (pin), unpin'],
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

interface ChipsProps {
  readonly chosen: Chip;
  readonly counts: Readonly<Record<Chip, number>>;
  readonly onChoose: (chip: Chip) => void;
}

/** Always there; another chip only if it has blocks, or is chosen. */
const STEADY: readonly Chip[] = ['in', 'out', 'all'];

/** Lets the user choose which blocks to see; the arrow keys go from chip to chip. */
function Chips({ chosen, counts, onChoose }: ChipsProps): VNode {
  const group = useRef<HTMLDivElement>(null);
  const chips = CHIPS.filter(
    (chip) => counts[chip] > 0 || chip === chosen || STEADY.includes(chip),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = chips[indexFor(event.key, chips.indexOf(chosen), chips.length)];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    group.current?.querySelector<HTMLElement>(`[data-chip="${next}"]`)?.focus();
  };
  return (
    <div
      ref={group}
      class="block-chips"
      role="radiogroup"
      aria-label="Blocks to show"
      onKeyDown={onKeyDown}
    >
      {chips.map((chip) => (
        <button
          key={chip}
          type="button"
          class="plain block-chip"
          role="radio"
          aria-checked={chip === chosen}
          tabIndex={chip === chosen ? 0 : -1}
          onClick={() => onChoose(chip)}
          data-testid={`chip-${chip}`}
          data-chip={chip}
        >
          {CHIP_LABELS[chip]} <span class="number">{formatNumber(counts[chip])}</span>
        </button>
      ))}
    </div>
  );
}

interface BlockFilterProps {
  readonly id: string;
  readonly look: Look;
  readonly matches: number;
  readonly of: number;
  readonly onLook: (changes: Partial<Look>) => void;
  readonly keysId: string;
  readonly showsKeys: boolean;
  readonly onShowKeys: () => void;
}

/** Lets the user search and sort the blocks of a chip, and shows how many match. */
function BlockFilter(props: BlockFilterProps): VNode {
  const { id, look, matches, of, onLook, keysId, showsKeys, onShowKeys } = props;
  const isFiltered = look.query.trim() !== '';
  return (
    <div id={id} class="filter">
      <span class="words">
        <input
          type="text"
          value={look.query}
          placeholder="Name, state or reason"
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
