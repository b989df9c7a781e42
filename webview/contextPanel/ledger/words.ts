import { countText, ESTIMATE_MARK } from '../../../src/editor/coreForPages';
import type {
  DecisionView,
  LeavingView,
  NextView,
  PassView,
} from '../../../src/editor/contextPanel/ledger/state';
import type {
  Amount,
  BlockView,
  ContextView,
  HandChangeView,
} from '../../../src/editor/contextPanel/state';
import { TRIGGER_NAMES } from '../../../src/editor/contextPanel/shownNames';
import { formatNumber, formatShare, formatTokens } from '../../kit/tokens';
import { factorsOf } from '../blocks/words';
import { nameIn, passesWords } from '../parts/format';

type TriggerNumbers = Pick<PassView, 'trigger' | 'before' | 'highTokens' | 'inputBudget'>;

/** Says why the pass ran, with the numbers that triggered it. */
export function triggerWords({ trigger, before, highTokens, inputBudget }: TriggerNumbers): string {
  const name = TRIGGER_NAMES[trigger];
  switch (trigger) {
    case 'highWatermark':
      return `${name}: ${formatTokens(before)} > ${formatNumber(highTokens)}`;
    case 'coldCache':
    case 'manual':
      return `${name} at ${formatTokens(before)}`;
    case 'cap':
      return `${name}: ${formatShare(before.tokens, inputBudget)} of the input budget was in use`;
    case 'overflow':
    case 'recorded':
    case 'byHand':
      return name;
  }
}

/** Counts the passes that were not undone; changes by hand are counted separately. */
export function passesIn(passes: readonly Pick<PassView, 'trigger' | 'undone'>[]): number {
  return passes.filter(({ trigger, undone }) => trigger !== 'byHand' && !undone).length;
}

/** Names a rung, or another change of the pass. */
export function rungWords(rung: PassView['rungs'][number]['rung']): string {
  switch (rung) {
    case 'excerpts':
      return 'Excerpts of files in work';
    case 'supersede':
      return 'Outdated results cleared';
    case 'clear':
      return 'Old tool results cleared';
    case 'trim':
      return 'Thinking removed';
    case 'summarise':
      return 'Replaced by a summary';
    case 'evict':
      return 'Removed';
    case 'cap':
      return 'Removed: over the limit of turns or messages';
    case 'shorten':
      return 'Shortened, head and tail kept';
    case 'overhead':
      return 'Notes, and lines about removed turns';
  }
}

/** Says what a pass did: "Results of 2 blocks cleared, 6 blocks summarised, excerpts of 5 files shown." */
export function didWords({ rungs, shows }: Pick<PassView, 'rungs' | 'shows'>): string {
  const did = rungs.flatMap(({ rung, blocks }) => (blocks === 0 ? [] : [didOnRung(rung, blocks)]));
  const all =
    shows === undefined ? did : [...did, `excerpts of ${countText(shows.files, 'file')} shown`];
  if (all.length === 0) return 'Only notes and lines about removed turns changed.';
  const sentence = `${all.join(', ')}.`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

function didOnRung(rung: PassView['rungs'][number]['rung'], blocks: number): string {
  const count = countText(blocks, 'block');
  switch (rung) {
    case 'excerpts':
      return `file reads of ${count} cleared`;
    case 'supersede':
      return `outdated results of ${count} cleared`;
    case 'clear':
      return `results of ${count} cleared`;
    case 'trim':
      return `thinking of ${count} removed`;
    case 'summarise':
      return `${count} summarised`;
    case 'evict':
      return `${count} removed`;
    case 'cap':
      return `${count} over the limit removed`;
    case 'shorten':
      return `${count} shortened`;
    case 'overhead':
      return `notes of ${count} changed`;
  }
}

/** The headline of a pass: "Freed 7,571 tokens". */
export function freedWords({ before, after }: Pick<PassView, 'before' | 'after'>): string {
  const freed = before.tokens - after.tokens;
  const exact = before.exact && after.exact;
  const tokens = formatTokens({ tokens: Math.abs(freed), exact });
  return freed < 0 ? `Added ${tokens} tokens` : `Freed ${tokens} tokens`;
}

/** Says what a pass cost, and since when it is repaid. */
export function priceWords({ price }: Pick<PassView, 'price'>): string {
  return price?.text ?? 'Cost: not in the log.';
}

/** Marks numbers derived from estimates, since the server counts only whole requests. */
function guessed(amount: string): string {
  return `${ESTIMATE_MARK}\u00a0${amount}`;
}

/** Says what the API reported about the cache for the first request after the pass. */
export function measuredWords({
  cacheRead,
  cacheWrite,
}: NonNullable<PassView['measured']>): string {
  return (
    `The API then reported ${formatNumber(cacheRead)} tokens read from the cache, ` +
    `${formatNumber(cacheWrite)} written.`
  );
}

export function plannedWords(action: DecisionView['action']): string {
  switch (action) {
    case 'keep':
      return 'keep';
    case 'truncate':
      return 'truncate';
    case 'trim':
      return 'remove its thinking';
    case 'clear':
      return 'clear';
    case 'summarise':
      return 'summarise';
    case 'evict':
      return 'remove';
    case 'restore':
      return 'restore';
    case 'rewrite':
      return 'rewrite';
    case 'undoPrompt':
      return 'undo with its prompt';
  }
}

/** Says how removed content was needed again: "After removal: 1 recalled, 2 read again." */
export function refaultWaysWords({ recalls, reads }: ContextView['refaults']): string {
  const ways = waysOf({ recalls, reads });
  if (ways.length === 0) return 'Nothing that was removed was needed again.';
  return `After removal: ${ways.join(', ')}.`;
}

/** Says how often removed content was needed again: "3 (1 recalled, 2 read again)". */
export function refaultWords({ recalls, reads }: ContextView['refaults']): string {
  const all = recalls + reads;
  if (all === 0) return '0';
  return `${formatNumber(all)} (${waysOf({ recalls, reads }).join(', ')})`;
}

function waysOf({ recalls, reads }: ContextView['refaults']): readonly string[] {
  return [
    ...(recalls === 0 ? [] : [`${formatNumber(recalls)} recalled`]),
    ...(reads === 0 ? [] : [`${formatNumber(reads)} read again`]),
  ];
}

/** Items listed by name. */
const NAMED = 3;

/**
 * Says what a pass removed that was needed again: "Needed again: src/zones.js at step 14 (≈ 640
 * tokens)"; '' for nothing.
 */
export function regretWords(again: ContextView['neededAgain']): string {
  if (again.length === 0) return '';
  const named = again.slice(0, NAMED).map(({ what, step, tokens }) => {
    const cost = tokens === 0 ? '' : ` (${guessed(`${formatNumber(tokens)} tokens`)})`;
    return `${what} at step ${formatNumber(step)}${cost}`;
  });
  const more = again.length - named.length;
  return `Needed again: ${[...named, ...(more > 0 ? [`and ${formatNumber(more)} more`] : [])].join(', ')}.`;
}

/** Says what the next pass removes from a window of `used` tokens. */
export function nextPassWords(next: NextView, used: Amount): string {
  switch (next.type) {
    case 'planned': {
      const after = formatTokens({ tokens: next.afterTokens, exact: false });
      const when = next.due ? 'Before the next step' : 'Compact now';
      return `${when}: ${removedWords(next)}, ${formatTokens(used)} → ${after}.`;
    }
    case 'ran': {
      const freed = formatTokens({ tokens: next.freedTokens, exact: false });
      return `${passesWords(next.passes)} ran right after this step: ${removedWords(next)}, ${freed} tokens.`;
    }
    case 'nothing':
      return 'Nothing to remove now.';
    case 'workingOut':
      return 'Planning…';
    case 'notWorkedOut':
      return `Not planned. ${next.message}`;
  }
}

function removedWords({ blocks, shortens }: LeavingView): string {
  if (blocks === 0) return 'only the former notes removed';
  return `${countText(blocks, 'block')} removed${shortens ? ' or shortened' : ''}`;
}

type Salience = NonNullable<DecisionView['salience']>;

/** Writes a block's relevance: "relevance 0.31". */
export function salienceWords({ salience }: Salience): string {
  return `relevance ${salience.toFixed(2)}`;
}

/** Lists the factors of a block's relevance, for a tooltip. */
export function factorWords(salience: Salience): string {
  return factorsOf(salience)
    .map(({ label, value }) => `${label} ${value.toFixed(2)}`)
    .join(', ');
}

/** Describes a change by hand and its result: "You excluded “Read a.ts”: −2,914 tokens". */
export function handWords(
  { byHand, changed, before, after }: HandPassNumbers,
  blocks: readonly BlockView[],
): string {
  const exact = before.exact && after.exact;
  if (byHand === undefined) {
    return `You changed ${countText(changed, 'block')}: ${changeWords(before.tokens, after.tokens, exact)}`;
  }
  const { action, before: from, after: to } = byHand;
  const name = `“${nameIn(blocks, byHand)}”`;
  if (action === 'undoPrompt') {
    const more = changed === 1 ? '' : ` and the ${countText(changed - 1, 'block')} after it`;
    return `You undid ${name}${more}: ${changeWords(before.tokens, after.tokens, exact)}`;
  }
  const own = changeWords(from.tokens, to.tokens, from.exact && to.exact);
  const isAll = after.tokens - before.tokens === to.tokens - from.tokens;
  // Thinking after it, the notes and the lines about removed turns change with it.
  const change = isAll
    ? own
    : `${changeWords(before.tokens, after.tokens, exact)} (the block itself ${own})`;
  return `You ${didByHand(action)} ${name}: ${change}`;
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
      return 'removed the thinking of';
    case 'summarise':
      return 'summarised';
    case 'undoPrompt':
      return 'undid';
    case 'keep':
      return 'kept';
  }
}

/** Describes a change by hand that is not a pass: "You pinned “Read a.ts”, before step 8". */
export function editWords(edit: HandChangeView, blocks: readonly BlockView[]): string {
  const { kind, blockId, label, choice, beforeStep } = edit;
  const name =
    label === undefined
      ? 'a block'
      : choice === undefined
        ? `“${nameIn(blocks, { blockId, label })}”`
        : label;
  return `${changedByHand(kind, name, choice)}, before step ${formatNumber(beforeStep)}`;
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
      return `You made another prompt the task: ${label}`;
    case 'recall':
      return `You restored ${label} as a note at the end`;
    case 'scratchpad':
      return 'You changed the notes';
    case 'scratchpadBack':
      return 'You restored the former notes';
    case 'fileChosen':
      return chosenWords(label, choice);
  }
}

function chosenWords(label: string, choice: HandChangeView['choice']): string {
  switch (choice) {
    case 'always':
      return `You chose: always show ${label}`;
    case 'never':
      return `You chose: never show ${label}`;
    case 'auto':
    case undefined:
      return `You let the passes decide whether to show ${label}`;
  }
}

export function undoHint(undo: NonNullable<HandChangeView['undo']>): string {
  switch (undo.type) {
    case 'pinBlock':
      return 'Pin it again';
    case 'unpinBlock':
      return 'Unpin it again';
    case 'moveAnchor':
      return 'Make the former task the task again';
    case 'chooseFile':
      return 'Restore your former choice';
    case 'undoScratchpad':
      return 'Restore the former notes; the agent is told';
  }
}
