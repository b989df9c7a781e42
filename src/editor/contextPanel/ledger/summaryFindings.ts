import { countText, tokenText } from '../../../contextWindow/amount';
import type { Block } from '../../../contextWindow/block';
import type { Pass, Summary, SummaryCheck } from '../../../contextWindow/plan';
import { sourcesOf } from '../../../contextWindow/passes/rungs/summary';
import { scratchpadToShow } from '../../../contextWindow/scratchpad';
import { rulesText } from '../../../contextWindow/standingRules/standingRules';
import {
  type Dropped,
  droppedBy,
  type DroppedBySummary,
  type DroppedKind,
} from '../../../contextWindow/summaryCheck/droppedBySummary';
import {
  type DroppedNeed,
  type PassSummaryUses,
  summaryUsesOfPass,
} from '../../../contextWindow/summaryCheck/summaryUses';
import { visibleLine } from '../../../contextWindow/visibleText';
import { blocksInWindow, type ContextWindow } from '../../../contextWindow/window';
import type { SummaryFindingsView } from './state';

/** Draws what the check of a pass's summaries found; undefined for an unknown pass. */
export function summaryFindingsView(
  window: ContextWindow,
  number: number,
): SummaryFindingsView | undefined {
  const pass = window.ledger.find((entry) => entry.pass.number === number)?.pass;
  if (pass === undefined) return undefined;
  const { summaries } = pass;
  const found = droppedInPass(window, pass);
  const uses = summaryUsesOfPass(window, pass);
  return {
    checked: summaries.flatMap((summary) => checkedText(summary)),
    removed: summaries
      .flatMap(({ check }) => check?.removed ?? [])
      .map(({ text, unfounded }) => ({
        text: visibleLine(text),
        why: `Not found: ${unfounded.map((one) => visibleLine(one)).join(', ')}`,
      })),
    droppedText: droppedText(found),
    dropped: found.dropped.map(({ kind, blockId, text }) => ({
      kind: KIND_NAMES[kind].name,
      blockId,
      text: visibleLine(text),
    })),
    usedText: usedText(uses),
    needed: uses.dropped.map((need) => ({ step: need.step, text: neededText(need) })),
  };
}

function droppedInPass(window: ContextWindow, { summaries }: Pass): DroppedBySummary {
  const task = blocksInWindow(window).flatMap((block) => (isTask(block) ? [block.text] : []));
  const elsewhere = [scratchpadToShow(window), rulesText(window), ...task];
  const found = summaries.map((summary) =>
    droppedBy(summary.text, sourcesOf(window, summary), elsewhere),
  );
  return {
    dropped: found.flatMap(({ dropped }) => dropped),
    inOtherLanguage: found.flatMap(({ inOtherLanguage }) => inOtherLanguage),
    hasUnknownDecisions: found.some(({ hasUnknownDecisions }) => hasUnknownDecisions),
  };
}

function isTask(block: Block): block is Extract<Block, { readonly kind: 'anchor' }> {
  return block.kind === 'anchor';
}

const WHAT = 'names, paths, numbers and quoted errors';
/** A claim may also come from the request for the summary, such as the system prompt or the notes. */
const SOURCES = 'what it replaced or in the request for it';

/** Says what the check of a summary found; nothing for a text that no model wrote. */
export function checkedText({ check, writtenBy, editedByUser, exchange }: Summary): string[] {
  if (writtenBy.by === 'workNote') return [];
  if (check !== undefined) return [foundText(check)];
  if (editedByUser === true) return ['You edited the summary, so it was not checked.'];
  if (exchange?.content.some(({ type }) => type !== 'text') === true) {
    return ['Not checked: the summariser also got an image or a document.'];
  }
  return [];
}

function foundText({ claims, unfounded, removed = [], notCorrected }: SummaryCheck): string {
  if (claims === 0) return `Checked: the summary has no ${WHAT}.`;
  if (unfounded.length === 0) {
    return claims === 1
      ? `Checked: the one name or number in the summary occurs in ${SOURCES}.`
      : `Checked: all ${tokenText(claims)} ${WHAT} of the summary occur in ${SOURCES}.`;
  }
  const listed = unfounded.map((one) => visibleLine(one)).join(', ');
  const found = `Checked: ${tokenText(unfounded.length)} of ${tokenText(claims)} ${WHAT} of the summary did not occur in ${SOURCES}: ${listed}.`;
  const gone = removed.length === 0 ? '' : ` ${countText(removed.length, 'text')} removed.`;
  return notCorrected === undefined
    ? `${found} The model was asked once, and corrected or left out ${removed.length === 0 ? 'all' : 'some'} of it.${gone}`
    : `${found} Not corrected: ${visibleLine(notCorrected)}.${gone}`;
}

const KIND_NAMES: Readonly<Record<DroppedKind, { readonly name: string; readonly noun: string }>> =
  {
    prompt: { name: 'Prompt', noun: 'prompt' },
    decision: { name: 'Decision', noun: 'decision' },
    question: { name: 'Open question', noun: 'open question' },
  };

/**
 * "Not in the summary: 2 prompts, 1 decision.", and the limits of the search; '' for neither.
 */
function droppedText({ dropped, inOtherLanguage, hasUnknownDecisions }: DroppedBySummary): string {
  const sentences = [
    dropped.length === 0 ? '' : `Not in the summary: ${kindsText(dropped)}.`,
    inOtherLanguage.length === 0
      ? ''
      : `In another language than the summary: ${kindsText(inOtherLanguage)}. Plimsoll compared only names and numbers there.`,
    hasUnknownDecisions
      ? "Plimsoll finds the agent's decisions only in English, and its replies are in another language."
      : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function kindsText(some: readonly Dropped[]): string {
  return Object.entries(KIND_NAMES)
    .flatMap(([kind, { noun }]) => {
      const count = some.filter((one) => one.kind === kind).length;
      return count === 0 ? [] : [countText(count, noun)];
    })
    .join(', ');
}

/** What later work used of the replaced blocks; '' if nothing yet. */
function usedText({ kept, dropped }: PassSummaryUses): string {
  if (kept.length + dropped.length === 0) return '';
  return `Needed later: ${countText(kept.length, 'name')} that the summary kept, and ${tokenText(dropped.length)} that it had dropped.`;
}

function neededText({ step, by, what }: DroppedNeed): string {
  return `${NEEDED[by]} at step ${tokenText(step)}: ${visibleLine(what)}`;
}

const NEEDED: Readonly<Record<DroppedNeed['by'], string>> = {
  name: 'Used',
  recall: 'Recalled',
  read: 'Read again',
};
