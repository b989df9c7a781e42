import type { BlockMoves, MoveView } from '../../../src/editor/contextPanel/blocks/state';
import type { BlockView, ContextView } from '../../../src/editor/contextPanel/state';
import type { ContextWish } from '../../../src/editor/contextPanel/wishes';
import { formatMove } from '../../kit/tokens';
import { isOut } from './words';
import type { PanelStore } from '../store/panelStore';

export type ActionName =
  | 'open'
  | 'pin'
  | 'unpin'
  | 'task'
  | 'restore'
  | 'recall'
  | 'clear'
  | 'rewrite'
  | 'exclude'
  | 'showSecrets'
  | 'sendSecrets'
  | 'maskSecrets';

export interface BlockAction extends ActionWords {
  readonly name: ActionName;
  readonly wish: ContextWish;
  /** Why it is disabled; absent if it is not. */
  readonly whyNot?: string;
  /** How far it moves the window: "≈ −204"; absent while that is not calculated. */
  readonly moves?: string;
}

interface ActionWords {
  readonly label: string;
  readonly hint: string;
  /** The letter that runs it. */
  readonly key?: string;
}

export const ACTION_WORDS = {
  open: { label: 'Read', key: 'O', hint: 'Opens the whole text in an editor.' },
  pin: { label: 'Keep', key: 'P', hint: 'Pins it: no pass removes it.' },
  unpin: { label: 'Unpin', key: 'P', hint: 'Passes may remove it again.' },
  task: {
    label: 'Make it the task',
    key: 'T',
    hint: 'Labelled as the task, in every request; passes may then remove the former task.',
  },
  restore: {
    label: 'Restore',
    key: 'R',
    hint: 'Restores it in its place; the prompt cache after it is written again.',
  },
  recall: {
    label: 'Restore as a recall at the end',
    hint: 'Adds its text as a note at the end; the prompt cache stays.',
  },
  clear: {
    label: 'Clear results',
    key: 'C',
    hint: 'Replaces each result by a placeholder; the calls stay.',
  },
  rewrite: {
    label: 'Rewrite the summary',
    key: 'E',
    hint: 'Changes its text from the next request on.',
  },
  exclude: {
    label: 'Exclude',
    key: 'X',
    hint: 'Removes it from the window, a step with its results, until you restore it.',
  },
  showSecrets: {
    label: 'Show secrets',
    hint: 'Opens the text with its secrets in an editor. The model does not see it.',
  },
  sendSecrets: {
    label: 'Send secrets',
    hint: 'Sends its secrets to the model until you mask them or the session is closed. The log keeps the marks.',
  },
  maskSecrets: {
    label: 'Mask secrets',
    hint: 'Sends marks in place of its secrets again. The API may have received them.',
  },
} as const satisfies Readonly<Record<ActionName, ActionWords>>;

/** What the actions of a block also depend on. */
export type ActionContext = Pick<ContextView, 'whyReadOnly' | 'moves'>;

/** Lists the actions for a block; those that make no sense for it are omitted. */
export function actionsOf(block: BlockView, context: ActionContext): readonly BlockAction[] {
  const blockId = block.id;
  const isIn = !isOut(block);
  const canClear = isIn && block.tools.length > 0 && hasUncleared(block);
  const all = [
    action('open', { type: 'openBlock', blockId }),
    block.pinned
      ? action('unpin', { type: 'unpinBlock', blockId })
      : action('pin', { type: 'pinBlock', blockId }, isIn ? undefined : LEFT),
    ...(block.kind === 'prompt' ? [action('task', { type: 'moveAnchor', blockId })] : []),
    ...(block.canComeBack
      ? [
          action('restore', { type: 'restoreBlock', blockId }),
          action('recall', { type: 'recallBlock', blockId }),
        ]
      : []),
    ...(canClear ? [action('clear', { type: 'clearBlock', blockId }, block.whyHeld)] : []),
    ...(isIn && block.kind === 'summary'
      ? [action('rewrite', { type: 'fetchSummary', blockId })]
      : []),
    ...(block.secrets === undefined
      ? []
      : [action('showSecrets', { type: 'showSecrets', blockId })]),
    ...(block.secrets === 'masked'
      ? [action('sendSecrets', { type: 'sendSecrets', blockId })]
      : []),
    ...(block.secrets === 'sent' ? [action('maskSecrets', { type: 'maskSecrets', blockId })] : []),
    ...(isIn ? [action('exclude', { type: 'excludeBlock', blockId }, block.whyHeld)] : []),
  ];
  const { whyReadOnly, moves } = context;
  return all.map((each) => {
    const { name } = each;
    return readOnly(isMoving(name) ? moving(each, moves[blockId]?.[name]) : each, whyReadOnly);
  });
}

/** Says whether the action moves the window by a number of tokens that is shown. */
function isMoving(name: ActionName): name is keyof BlockMoves {
  return !['open', 'rewrite', 'showSecrets', 'sendSecrets', 'maskSecrets'].includes(name);
}

function readOnly(each: BlockAction, whyNot: string | undefined): BlockAction {
  return whyNot === undefined || each.name === 'open' || each.name === 'showSecrets'
    ? each
    : { ...each, whyNot };
}

function moving(each: BlockAction, move: MoveView | undefined): BlockAction {
  if (move === undefined) return each;
  if ('whyNot' in move) return { ...each, whyNot: each.whyNot ?? move.whyNot };
  return move.tokens === 0 ? each : { ...each, moves: formatMove(move) };
}

/** The action on a block's row: the one that its state asks for. Absent if none makes sense now. */
export function verbOf(
  block: Pick<BlockView, 'state' | 'pinned' | 'canComeBack' | 'kind' | 'keepable'>,
): Extract<ActionName, 'open' | 'pin' | 'unpin' | 'restore'> | undefined {
  if (isOut(block)) return block.canComeBack ? 'restore' : undefined;
  if (block.pinned) return 'unpin';
  if (block.canComeBack) return 'restore';
  if (block.kind === 'summary') return 'open';
  return block.keepable ? 'pin' : undefined;
}

const LEFT = 'It was removed: restore it first.';

function action(name: ActionName, wish: ContextWish, whyNot?: string): BlockAction {
  return { name, ...ACTION_WORDS[name], wish, whyNot };
}

/** Of several results, some may be cleared and others not. */
function hasUncleared({ state, results }: Pick<BlockView, 'state' | 'results'>): boolean {
  return results === undefined ? state !== 'cleared' : results.cleared < results.all;
}

/** Runs the action; a disabled one reports its reason where the host's refusals are shown. */
export function runAction(store: PanelStore, { label, wish, whyNot }: BlockAction): void {
  if (whyNot === undefined) store.wish(wish);
  else store.refuse(`“${label}” was not done. ${whyNot}`);
}
