import type { HandChangeView } from '../../../src/editor/contextPanel/state';
import type { DecisionView, PassView } from '../../../src/editor/contextPanel/ledger/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { formatCount } from '../parts/format';

/**
 * Says what the user changed by hand, and the result: "You excluded read_file a.ts: −2,914 tokens".
 */
export function handWords({ byHand, changed, before, after }: HandPassNumbers): string {
  const exact = before.exact && after.exact;
  if (byHand === undefined) {
    return `You changed ${formatCount(changed, 'block')}: ${changeWords(before.tokens, after.tokens, exact)}`;
  }
  const { label, action, before: from, after: to } = byHand;
  if (action === 'undoPrompt') {
    const more = changed === 1 ? '' : ` and the ${formatCount(changed - 1, 'block')} behind it`;
    return `You took back ${label}${more}: ${changeWords(before.tokens, after.tokens, exact)}`;
  }
  const own = changeWords(from.tokens, to.tokens, from.exact && to.exact);
  const isAll = after.tokens - before.tokens === to.tokens - from.tokens;
  // Thinking behind it, the notes shown anew and the lines of turns that left move with it.
  const change = isAll
    ? own
    : `${changeWords(before.tokens, after.tokens, exact)} (the block itself ${own})`;
  return `You ${didByHand(action)} ${label}: ${change}`;
}

type HandPassNumbers = Pick<PassView, 'byHand' | 'changed' | 'before' | 'after'>;

function changeWords(before: number, after: number, exact: boolean): string {
  const change = after - before;
  const sign = change < 0 ? '−' : '+';
  const amount = exact
    ? `${sign}${formatNumber(Math.abs(change))}`
    : formatTokens({ tokens: Math.abs(change), exact }).replace('\u00a0', `\u00a0${sign}`);
  return `${amount} ${Math.abs(change) === 1 ? 'token' : 'tokens'}`;
}

function didByHand(action: DecisionView['action']): string {
  switch (action) {
    case 'evict':
      return 'excluded';
    case 'clear':
      return 'cleared the results of';
    case 'restore':
      return 'restored';
    case 'rewrite':
      return 'rewrote';
    case 'truncate':
      return 'shortened';
    case 'trim':
      return 'took out the thinking of';
    case 'summarise':
      return 'summarised';
    case 'undoPrompt':
      return 'took back';
    case 'keep':
      return 'kept';
  }
}

/** Says what the user changed without a pass: "You pinned read_file a.ts, before step 8". */
export function editWords({ kind, label = 'a block', choice, beforeStep }: HandChangeView): string {
  return `${changedByHand(kind, label, choice)}, before step ${formatNumber(beforeStep)}`;
}

function changedByHand(
  kind: HandChangeView['kind'],
  label: string,
  choice: HandChangeView['choice'],
): string {
  switch (kind) {
    case 'pinned':
      return `You pinned ${label}`;
    case 'unpinned':
      return `You unpinned ${label}`;
    case 'anchor':
      return `You made another prompt the task (${label})`;
    case 'recall':
      return `You brought ${label} back as a note at the end`;
    case 'scratchpad':
      return 'You changed the notes';
    case 'scratchpadBack':
      return 'You put the notes back as they were';
    case 'fileChosen':
      return chosenWords(label, choice);
  }
}

function chosenWords(label: string, choice: HandChangeView['choice']): string {
  switch (choice) {
    case 'always':
      return `You said: always show ${label}`;
    case 'never':
      return `You said: never show ${label}`;
    case 'auto':
    case undefined:
      return `You left it to the passes whether ${label} is shown`;
  }
}

/** Says what an undo would do. */
export function undoHint(undo: NonNullable<HandChangeView['undo']>): string {
  switch (undo.type) {
    case 'pinBlock':
      return 'Pin it again';
    case 'unpinBlock':
      return 'Unpin it again';
    case 'moveAnchor':
      return 'Make the prompt before it the task again';
    case 'chooseFile':
      return 'Put your choice back as it was';
    case 'undoScratchpad':
      return 'Put the notes back as they were before; the agent is told';
  }
}
