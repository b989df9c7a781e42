import { amountText, tokenText } from '../../amount';
import { isOfReturn, isReminder, type Block } from '../../block';
import type { Rule, SalienceFactors } from '../../plan';
import { weightOf } from '../../account/measure';
import { passStart } from './policyInput';
import { KEEP_RESULTS } from './clearResults';
import { KEEP_STEPS } from './summariseOldest';
import { isOut, draftDecisionOf, weightIn, type Draft } from './draft';
import {
  blocksInWindow,
  firstOfNewest,
  newestStep,
  turnsUndone,
  type ContextWindow,
} from '../../window';
import { labelOf } from '../../label';
import { pathsNamedBy } from './need';
import { lacksOf, type WeighedFactor } from './salience';

/** Says in words a user would use why a block stays or goes. */
export function reasonFor(draft: Draft, block: Block, rule: Rule): string {
  const reason = reasonOf(draft, block, rule);
  if (draftDecisionOf(draft, block.id)?.isOfRecentTurn !== true) return reason;
  const { settings, window } = draft.input;
  const { keepRecentTurns } = settings;
  const which = keepRecentTurns === 1 ? 'the newest' : `among the newest ${keepRecentTurns}`;
  const why =
    window.turn - turnsUndone(window).size <= keepRecentTurns
      ? 'and nothing is older'
      : 'but what is older could not make enough room';
  return `${reason}. Turn ${block.turn} is ${which}, ${why}`;
}

function reasonOf(draft: Draft, block: Block, rule: Rule): string {
  const because = draftDecisionOf(draft, block.id)?.because ?? '';
  switch (rule) {
    case 'keep:anchor':
      return 'The task: in every request, labelled as the original task';
    case 'keep:pinned':
      return 'Pinned by you';
    case 'keep:latestPrompt':
      return 'The newest prompt: what the agent was asked last';
    case 'keep:openStep':
      return block.kind === 'step' && block.pairs.length > 0
        ? 'The newest step: the model has not read its results yet'
        : 'The newest step';
    case 'keep:memory':
      return 'Project memory: what you want every step to know';
    case 'keep:restored':
    case 'keep:unread':
      return whyUnread(block);
    case 'keep:head':
      return 'Part of the head, which this policy keeps';
    case 'keep:recentTurns':
      return wordForWord(placesIn(draft).turnsKept);
    case 'keep:spared':
      return 'You took it out of this pass';
    case 'keep:untouched':
      return 'You changed another block: this one stays as it is';
    case 'keep:recorded':
      return 'The recorded agent kept it here';
    case 'keep:recent':
      return `One of the ${KEEP_STEPS} newest steps`;
    case 'keep:enough':
      return draft.input.trigger === 'cap'
        ? 'Kept: within the number of turns or messages that stay'
        : `Kept: ${goalText(draft)} (${tokenText(draft.target)} tokens) was reached without it`;
    case 'keep:noGain':
      return whyNoGain(draft, block);
    case 'clearSuperseded':
      return `Result out of date: shown again by ${because}`;
    case 'clearOldResults':
      return `Old tool result cleared, least likely to be needed first; the newest ${KEEP_RESULTS} stay`;
    case 'clearOversized':
      return `Its ${tokenText(Number(because))} tokens are too many for one step: results cleared so that others stay`;
    case 'trimThinking':
      return `Thinking taken out because ${because}; words and tool calls stay`;
    case 'summariseOldest':
      return isBeforeNewestSteps(draft, block)
        ? `Older than the ${KEEP_STEPS} newest steps: replaced by a summary`
        : 'Told in short to make room: replaced by a summary';
    case 'summariseSpent':
      return block.kind === 'step'
        ? 'Shows no file to edit from: replaced by a summary'
        : 'Told in short to make room: replaced by a summary';
    case 'summariseOverCap':
      return `Over the limit: ${because}; replaced by a summary`;
    case 'evictLeastSalient':
      return whyLeastSalient(draft, block, draft.salience.get(block.id));
    case 'evictOldest':
      return placeOf(draft, block) < placesIn(draft).firstKept
        ? 'One of the oldest blocks that may leave'
        : TO_MAKE_ROOM;
    case 'evictMiddle':
      return isInMiddle(draft, block)
        ? 'Behind the head and before the newest blocks: this policy gives up the middle first'
        : TO_MAKE_ROOM;
    case 'evictOverCap':
      return `Over the limit: ${because}`;
    case 'evictUnneeded':
      return 'The rest of the recording does not need it, or needs it last';
    case 'evictFinishedPrompt':
      return 'Prompt of a finished turn whose steps have all left';
    case 'evictRestored':
      return 'Brought back by you, but the request would not fit with it';
    case 'evictShownNotes':
      return isReminder(block)
        ? 'A reminder that the model has read'
        : 'The scratchpad itself shows what this note told';
    case 'evictFormerView':
      return draft.view === undefined
        ? 'It shows the files as they were, and there is no room to show them anew'
        : 'A view of the files as they are now takes its place';
    case 'clearHeldByView':
      return draft.view === undefined
        ? 'Read before: a view of the files can show it again'
        : 'Read before: what is likely to be needed of it stands in the view of the files';
    case 'recorded':
      return 'The recorded agent took it out here';
    case 'truncateAtAdmission':
      return 'Over the cap at admission: head and tail kept';
    case 'shortenProtected':
      return `It may not leave, but its ${tokenText(Number(because))} tokens do not fit: head and tail kept`;
    case 'excludedByUser':
      return 'Taken out of the window by you';
    case 'clearedByUser':
      return 'Result cleared by you; the call stays';
    case 'restoredByUser':
      return `Brought back by you${whileTooFull(draft)}`;
    case 'rewrittenByUser':
      return 'Summary rewritten by you';
    case 'undoneByUser':
      return block.kind === 'prompt' || block.kind === 'anchor'
        ? 'Taken back by you'
        : 'It came after a prompt that you took back';
    case 'undone':
      return 'Its pass was undone';
  }
}

/**
 * Says that the window is too full after a block is brought back, and until when the block stays;
 * '' where it is not.
 */
function whileTooFull({ used, input: { budget, settings } }: Draft): string {
  const start = passStart(budget, settings);
  return used <= start
    ? ''
    : `. The window is then above ${start === budget.highTokens ? 'the high watermark' : 'the input budget'} ` +
        `(${amountText({ tokens: used, exact: false })} of ${tokenText(start)} tokens): it stays ` +
        'until the model has read it once, and a pin keeps it longer';
}

/** Says why a pass that did not reach its goal left a block alone. */
function whyNoGain(draft: Draft, { id }: Block): string {
  const { used, target, input } = draft;
  const { highTokens, inputBudget } = input.budget;
  if (used - weightIn(draft, id) > target) {
    return 'Kept: taking it out would not have made enough room';
  }
  if (used <= highTokens) return 'Kept: the window came below the high watermark without it';
  return used <= inputBudget
    ? 'Kept: the window came within the input budget without it'
    : 'Kept: nothing more could be taken out';
}

/** Says why a note stays that the model has not read yet, or what was restored in its place. */
function whyUnread(block: Block): string {
  if (isOfReturn(block)) return 'Tells how long nobody was here: the model has not read it yet';
  return isReminder(block)
    ? 'A reminder that the model has not read yet'
    : 'Brought back by you: the model has not read it yet';
}

/** Names the goal of a pass: by hand or after an overflow it may lie below the low watermark. */
function goalText({ target, input: { budget } }: Draft): string {
  return target < budget.lowTokens ? 'the goal of this pass' : 'the low watermark';
}

function wordForWord(turns: number): string {
  return turns === 1
    ? 'Part of the newest turn, which stays word for word'
    : `Part of the newest ${turns} turns, which stay word for word`;
}

/** What sentences say of places: worked out once for all blocks of a draft. */
interface Places {
  readonly of: ReadonlyMap<string, number>;
  /** Where the oldest block stands that may leave and stays. */
  readonly firstKept: number;
  /** Where the first of the newest steps stands. */
  readonly firstRecent: number;
  /** Where the last block stands that stays; -1 where none does. */
  readonly lastKept: number;
  /** How many of the newest turns are kept word for word. */
  readonly turnsKept: number;
}

const TO_MAKE_ROOM = 'Taken out to make room, as old blocks are before newer ones';

const PLACES = new WeakMap<Draft, Places>();

function placesIn(draft: Draft): Places {
  const known = PLACES.get(draft);
  if (known !== undefined) return known;
  const { window } = draft.input;
  const blocks = blocksInWindow(window);
  const isKept = ({ id }: Block) =>
    !draft.protections.has(id) && !isOut(draft, id) && weightIn(draft, id) > 0;
  const isRecent = (block: Block) =>
    block.kind === 'step' && block.step > newestStep(window) - KEEP_STEPS;
  const kept = blocks.filter(({ id }) => draft.protections.get(id) === 'keep:recentTurns');
  const at = (index: number) => (index === -1 ? blocks.length : index);
  const found = {
    of: new Map(blocks.map(({ id }, index) => [id as string, index])),
    firstKept: at(blocks.findIndex(isKept)),
    firstRecent: at(blocks.findIndex(isRecent)),
    lastKept: blocks.findLastIndex(({ id }) => !isOut(draft, id)),
    turnsKept: newestDownTo(window, Math.min(window.turn, ...kept.map(({ turn }) => turn))),
  };
  PLACES.set(draft, found);
  return found;
}

/** How many of the newest turns there are down to one. */
function newestDownTo(window: ContextWindow, turn: number): number {
  let turns = 1;
  while (firstOfNewest(window, turns) > turn) turns += 1;
  return turns;
}

function placeOf(draft: Draft, { id }: Block): number {
  return placesIn(draft).of.get(id) ?? 0;
}

/** Says whether something stands on both sides of a block. */
function isInMiddle(draft: Draft, block: Block): boolean {
  const { lastKept } = placesIn(draft);
  const place = placeOf(draft, block);
  return place > 0 && place < lastKept;
}

function isBeforeNewestSteps(draft: Draft, block: Block): boolean {
  const { firstRecent, of } = placesIn(draft);
  return firstRecent < of.size && placeOf(draft, block) < firstRecent;
}

/** Says in one sentence why a block mattered least: what weighed most, then what came second. */
function whyLeastSalient(draft: Draft, block: Block, factors: SalienceFactors | undefined): string {
  if (factors === undefined) return 'Mattered least: nothing is known of it';
  const { rated } = factors;
  if (rated !== undefined) return `Mattered least: the model rated it ${rated.toFixed(2)} of 1`;
  const lacks = lacksOf(factors).slice(0, 2);
  const why = lacks.map((name) => lackWords(name, draft, block, factors));
  return `Mattered least: ${why.length === 0 ? 'the others matter more' : why.join(', and ')}`;
}

function lackWords(
  name: WeighedFactor,
  draft: Draft,
  block: Block,
  factors: SalienceFactors,
): string {
  switch (name) {
    case 'recency':
      return factors.recency <= 0.25
        ? 'it stands in the oldest quarter of the window'
        : 'newer blocks stand behind it';
    case 'reuse':
      return unnamedWords(draft, block, factors);
    case 'size':
      return `it takes ${shareText(draft, block)} of what is in the window`;
    case 'kind':
      return 'work of its kind is seldom needed again';
    case 'errors':
      return 'none of its calls failed';
    case 'decisions':
      return 'the model said little in it';
  }
}

/** Says that nothing has named the block's files since, or used its other names. */
function unnamedWords(draft: Draft, block: Block, { reuse }: SalienceFactors): string {
  const what = pathsNamedBy(block).length > 0 ? 'named its files' : 'spoken of what is in it';
  const blocks = blocksInWindow(draft.input.window);
  // The factor is the place of the last block that did.
  const last = reuse === 0 ? block : blocks[Math.round(reuse * (blocks.length - 1))];
  if (last === undefined || last === block) return `nothing has ${what} since`;
  const since = last.kind === 'step' ? `step ${last.step}` : `“${labelOf(last)}”`;
  return `nothing has ${what} since ${since}`;
}

function shareText({ input: { measured } }: Draft, block: Block): string {
  const share = weightOf(measured, block.id).tokens / Math.max(1, measured.used.tokens);
  return share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
}
