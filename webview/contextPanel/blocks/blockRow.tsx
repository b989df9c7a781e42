import { Component, type VNode } from 'preact';
import { countText } from '../../../src/editor/coreForPages';
import type { MoveView } from '../../../src/editor/contextPanel/blocks/state';
import type { BlockView } from '../../../src/editor/contextPanel/state';
import { saidLabel, shortName } from '../../kit/callWords';
import { callIcon, Icon, type IconName } from '../../kit/icon';
import { formatMove, formatNumber, formatTokens, originOfTokens } from '../../kit/tokens';
import type { VirtualRow } from '../../kit/useVirtualRows';
import { ACTION_WORDS, verbOf } from './blockActions';
import type { TurnSum } from './listRows';
import {
  isOut,
  leftWords,
  nextWords,
  numberWord,
  placeWords,
  stateWord,
  stateWords,
} from './words';

interface BlockRowProps {
  readonly block: BlockView;
  readonly place: VirtualRow;
  /** True for the one row that the Tab key stops at. */
  readonly current: boolean;
  /** True for the block whose details are shown. */
  readonly selected: boolean;
  /** How deep the row is: below that of its turn, or of the summary that tells of it. */
  readonly level: number | undefined;
  /** For a summary: how many blocks it stands for; 0 where it has none to unfold. */
  readonly foldCount: number;
  readonly isFolded: boolean;
  /** The name of the summary that tells of it, where its row is elsewhere. */
  readonly toldIn: string | undefined;
  /** Nothing can be changed. */
  readonly isReadOnly: boolean;
  /** How far the button of the row moves the window; absent while that is not calculated. */
  readonly move: MoveView | undefined;
  /** The last step that needed it again, where the list is about that. */
  readonly askedAt: number | undefined;
}

/** Draws one block as one quiet row; the list handles its clicks and keys. */
export class BlockRow extends Component<BlockRowProps> {
  override shouldComponentUpdate(next: BlockRowProps): boolean {
    const { block, place, move, ...rest } = this.props;
    const { block: nextBlock, place: nextPlace, move: nextMove, ...nextRest } = next;
    return !(
      isSame(place, nextPlace) &&
      isSame(rest, nextRest) &&
      moveWords(move) === moveWords(nextMove) &&
      showsTheSame(nextBlock, block)
    );
  }

  override render(props: BlockRowProps): VNode {
    const { block, place, current, selected, level, foldCount, isFolded } = props;
    const { id, state, tokens, category } = block;
    const label = saidLabel(block);
    const out = isOut(block);
    return (
      <div
        {...rowPlace(place)}
        class={`block ${out ? 'out' : 'in'} k-${category ?? 'none'} ${level === 2 ? 'beneath' : ''}`}
        role="row"
        aria-selected={selected}
        aria-level={level}
        aria-expanded={foldCount > 0 ? !isFolded : undefined}
        tabIndex={current ? 0 : -1}
        data-testid="block-row"
        data-block-id={id}
        data-state={state}
        data-exact={String(tokens.exact)}
        data-tokens={tokens.tokens}
      >
        <span class="place number" role="gridcell" title={placeWords(block)}>
          {foldCount > 0 ? (
            <Unfold block={block} count={foldCount} isFolded={isFolded} current={current} />
          ) : (
            numberWord(block)
          )}
        </span>
        <span class="kind" aria-hidden="true">
          <BlockIcon block={block} />
        </span>
        <span class="label ellipsis" role="gridcell" title={label}>
          {shortName(block)}
        </span>
        <Why block={block} toldIn={props.toldIn} askedAt={props.askedAt} />
        <Weight block={block} isReadOnly={props.isReadOnly} />
        <span class="verb" role="gridcell">
          <Verb block={block} current={current} isReadOnly={props.isReadOnly} move={props.move} />
        </span>
        <span class="hold" role="gridcell">
          <button
            type="button"
            class="plain more"
            aria-label={`Actions: ${label}`}
            title="Actions"
            aria-haspopup="menu"
            tabIndex={current ? 0 : -1}
            data-testid="block-menu"
          >
            <Icon name="more" />
          </button>
        </span>
      </div>
    );
  }
}

interface UnfoldProps {
  readonly block: BlockView;
  readonly count: number;
  readonly isFolded: boolean;
  readonly current: boolean;
}

/** Shows or hides what a summary stands for. */
function Unfold({ block, count, isFolded, current }: UnfoldProps): VNode {
  const what = `${countText(count, 'block')} it stands for`;
  return (
    <button
      type="button"
      class="plain unfold"
      aria-label={`${isFolded ? 'Show' : 'Hide'} the ${what}: ${saidLabel(block)}`}
      title={`${isFolded ? 'Show' : 'Hide'} the ${what}`}
      tabIndex={current ? 0 : -1}
      data-testid="unfold"
    >
      <Icon name={isFolded ? 'chevron' : 'open'} />
    </button>
  );
}

/** Says in a few words why the block is here or was removed; the rest is in the tooltip. */
function Why({
  block,
  toldIn,
  askedAt,
}: Pick<BlockRowProps, 'block' | 'toldIn' | 'askedAt'>): VNode {
  const { why, reason, left, pinned } = block;
  const next = nextWords(block);
  const all = [
    ...(left === undefined ? [] : [leftWords(left, toldIn)]),
    reason,
    ...(next === undefined ? [] : [next]),
  ];
  return (
    <span class="why" role="gridcell" title={all.join(' · ')}>
      {askedAt === undefined && next !== undefined && <span class="next">next: </span>}
      {askedAt === undefined ? why : `needed again at step ${formatNumber(askedAt)}`}
      {/* The words of a row imply its state; a screen reader hears it. */}
      <span class="spoken" data-testid="state">
        {` ${stateWords(block)}${pinned && stateWord(block) !== 'pinned' ? ', pinned' : ''}`}
      </span>
    </span>
  );
}

/** Compares what a row shows: every fact brings new objects, most of which have not changed. */
function showsTheSame(a: BlockView, b: BlockView): boolean {
  return (
    a === b ||
    (a.id === b.id &&
      a.kind === b.kind &&
      a.turn === b.turn &&
      a.step === b.step &&
      a.label === b.label &&
      a.reason === b.reason &&
      a.why === b.why &&
      a.keepable === b.keepable &&
      a.state === b.state &&
      a.pinned === b.pinned &&
      a.whyHeld === b.whyHeld &&
      a.category === b.category &&
      a.leavesNext === b.leavesNext &&
      a.tokens.tokens === b.tokens.tokens &&
      a.tokens.exact === b.tokens.exact &&
      a.callKinds[0] === b.callKinds[0] &&
      a.callStates?.join() === b.callStates?.join() &&
      a.canComeBack === b.canComeBack &&
      a.left?.pass === b.left?.pass &&
      a.left?.beforeStep === b.left?.beforeStep &&
      a.left?.was.tokens === b.left?.was.tokens &&
      a.results?.all === b.results?.all &&
      a.results?.cleared === b.results?.cleared &&
      a.results?.clearedNext === b.results?.clearedNext)
  );
}

function isSame<T extends object>(a: T, b: T): boolean {
  return Object.entries(a).every(([key, value]) => Reflect.get(b, key) === value);
}

interface TurnRowProps {
  readonly sum: TurnSum;
  readonly place: VirtualRow;
  /** True for the one row that the Tab key stops at. */
  readonly current: boolean;
}

/** Draws the row above the blocks of a turn; the list handles its clicks and keys. */
export function TurnRow({ sum, place, current }: TurnRowProps): VNode {
  const { turn, prompt, blocks, tokens, collapsed } = sum;
  return (
    <div
      {...rowPlace(place)}
      class="turn-row"
      role="row"
      aria-level={1}
      aria-expanded={!collapsed}
      tabIndex={current ? 0 : -1}
      data-testid="turn-row"
      data-turn={turn}
    >
      <span class="fold" aria-hidden="true">
        <Icon name={collapsed ? 'chevron' : 'open'} />
      </span>
      <span class="turn-name ellipsis" role="gridcell" title={prompt}>
        <span class="number">Turn {turn}</span> <span class="quiet">{prompt}</span>
      </span>
      <span class="turn-sum quiet small" role="gridcell" title={originOfTokens(tokens.exact)}>
        {countText(blocks, 'block')} · {formatTokens(tokens)} tokens
      </span>
    </div>
  );
}

interface RowPlace {
  readonly style: { readonly height: string; readonly transform: string };
  readonly 'aria-rowindex': number;
  readonly 'data-row': string;
}

/** Puts a row in its place among rows that are mostly not in the page. */
function rowPlace({ index, key, start, size }: VirtualRow): RowPlace {
  return {
    style: { height: `${size}px`, transform: `translateY(${start}px)` },
    'aria-rowindex': index + 1,
    'data-row': key,
  };
}

type Drawn = Pick<BlockView, 'kind' | 'callKinds'>;

/** Draws the kind of block; for a step, by the purpose of its first call. */
export function BlockIcon({ block }: { readonly block: Drawn }): VNode {
  return <Icon name={iconOf(block)} />;
}

function iconOf({ kind, callKinds: [callKind] }: Drawn): IconName {
  switch (kind) {
    case 'anchor':
    case 'prompt':
    case 'summary':
    case 'note':
      return kind;
    case 'excerpts':
      return 'file';
    case 'step':
      return callKind === undefined ? 'reply' : callIcon(callKind);
  }
}

/** Shows the block's tokens in the window; if nothing can be changed, what a removed block had. */
function Weight({ block, isReadOnly }: Pick<BlockRowProps, 'block' | 'isReadOnly'>): VNode {
  const { tokens, left } = block;
  if (!isOut(block)) {
    return (
      <span class="weight number" role="gridcell" title={originOfTokens(tokens.exact)}>
        {formatTokens(tokens)}
      </span>
    );
  }
  return (
    <span class="weight number quiet" role="gridcell" title="Not sent">
      {isReadOnly && left !== undefined ? formatTokens(left.was) : ''}
    </span>
  );
}

/** "≈ 1,815", "≈ −3"; empty if the button moves nothing, or if that is not calculated. */
function moveWords(move: MoveView | undefined): string {
  if (move === undefined || 'whyNot' in move || move.tokens === 0) return '';
  return move.tokens > 0 ? formatTokens(move) : formatMove(move);
}

/** Draws the one action that the block's state asks for; the menu has all. */
function Verb({
  block,
  current,
  isReadOnly,
  move,
}: Pick<BlockRowProps, 'block' | 'current' | 'isReadOnly' | 'move'>): VNode | null {
  const verb = isReadOnly ? undefined : verbOf(block);
  if (verb === undefined) return null;
  const { label, hint, key } = ACTION_WORDS[verb];
  const moves = moveWords(move);
  // The number has the place of the tokens, which a removed block has not; elsewhere it is in the tooltip.
  const isWeighed = verb === 'restore' && isOut(block) && moves !== '';
  const words = isWeighed ? `${label} ${moves}` : label;
  const about = moves === '' || isWeighed ? hint : `${hint} ${moves} tokens`;
  const whyNot = move !== undefined && 'whyNot' in move ? move.whyNot : undefined;
  return (
    <button
      type="button"
      class="plain link"
      aria-label={`${words}: ${saidLabel(block)}`}
      aria-disabled={whyNot === undefined ? undefined : 'true'}
      title={whyNot ?? `${about} (${key})`}
      tabIndex={current ? 0 : -1}
      data-testid={`verb-${verb}`}
      data-action={verb}
    >
      {words}
    </button>
  );
}
