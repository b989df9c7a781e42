import type { BlockView, ContextView } from '../../../src/editor/contextPanel/state';
import type { ContextWish } from '../../../src/editor/contextPanel/wishes';
import { isOut } from './words';
import type { PanelStore } from '../store/panelStore';

export type ActionName =
  'open' | 'pin' | 'unpin' | 'task' | 'restore' | 'recall' | 'clear' | 'rewrite' | 'exclude';

/** Something the user can do to a block. */
export interface BlockAction extends ActionWords {
  readonly name: ActionName;
  readonly wish: ContextWish;
  /** Why it cannot be done now; absent where it can. */
  readonly whyNot?: string;
}

interface ActionWords {
  readonly label: string;
  /** What it would do, in a few words. */
  readonly hint: string;
  /** The letter that does it. */
  readonly key?: string;
}

const WORDS: Readonly<Record<ActionName, ActionWords>> = {
  open: { label: 'Open text', key: 'O', hint: 'The whole text, in an editor.' },
  pin: { label: 'Pin', key: 'P', hint: 'Never cleared, compacted or evicted.' },
  unpin: { label: 'Unpin', key: 'P', hint: 'Passes may take it again.' },
  task: {
    label: 'Make it the task',
    key: 'T',
    hint: 'Labelled as the task, in every request; the former one may then leave.',
  },
  restore: {
    label: 'Restore whole',
    key: 'R',
    hint: 'Back in its place; the prompt cache behind it is written again.',
  },
  recall: {
    label: 'Restore as a recall at the end',
    hint: 'Its text as a note behind everything else; the prompt cache stays.',
  },
  clear: {
    label: 'Clear results',
    key: 'C',
    hint: 'A placeholder in the place of each; the calls stay.',
  },
  rewrite: {
    label: 'Rewrite the summary',
    key: 'E',
    hint: 'What it says from the next request on.',
  },
  exclude: {
    label: 'Exclude',
    key: 'X',
    hint: 'Out of the window, a step with its results, until you restore it.',
  },
};

/** What the actions of a block depend on, apart from the block. */
export type ActionContext = Pick<ContextView, 'whyReadOnly'>;

/** Lists what can be done to a block; what makes no sense for it is left out. */
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
          action('restore', { type: 'restoreBlock', blockId, as: 'whole' }),
          action('recall', { type: 'restoreBlock', blockId, as: 'recall' }),
        ]
      : []),
    ...(canClear ? [action('clear', { type: 'clearBlock', blockId }, block.whyHeld)] : []),
    ...(isIn && block.kind === 'summary'
      ? [action('rewrite', { type: 'fetchSummary', blockId })]
      : []),
    ...(isIn ? [action('exclude', { type: 'excludeBlock', blockId }, block.whyHeld)] : []),
  ];
  const { whyReadOnly } = context;
  if (whyReadOnly === undefined) return all;
  return all.map((each) => (each.name === 'open' ? each : { ...each, whyNot: whyReadOnly }));
}

const LEFT = 'It has left the window: restore it first.';

function action(name: ActionName, wish: ContextWish, whyNot?: string): BlockAction {
  return { name, ...WORDS[name], wish, ...(whyNot === undefined ? {} : { whyNot }) };
}

/** Of several results, some may be cleared and others not. */
function hasUncleared({ state, results }: Pick<BlockView, 'state' | 'results'>): boolean {
  return results === undefined ? state !== 'cleared' : results.cleared < results.all;
}

/**
 * Does what the user asked for; if that is not possible, says so where refusals of the host are
 * shown.
 */
export function runAction(store: PanelStore, { label, wish, whyNot }: BlockAction): void {
  if (whyNot === undefined) store.wish(wish);
  else store.refuse(`“${label}” was not done. ${whyNot}`);
}
