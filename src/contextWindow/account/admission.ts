import {
  type Admission,
  type Attachment,
  type Block,
  type SummaryBlock,
  blockHandle,
  resultHandle,
} from '../block';
import { admit, type Estimate } from '../truncate';
import type { Budget } from '../budget';
import { blocksInWindow, type ContextWindow } from '../contextWindow';
import { weightOf, type Measurement } from './measure';
import { protectionOf } from '../tier';
import { amountText, tokenText } from '../amountText';
import { labelOf, labelOfCall } from '../label';
import type { Decision } from '../plan';

/** A result as it comes in, before it is cut. */
export interface IncomingResult {
  readonly text: string;
  readonly isError: boolean;
  readonly attachments: readonly Attachment[];
}

/**
 * Keeps what is attached out where it would be over the cap of its result, with a word: an image cannot
 * be cut to fit. Nothing is attached to an error, of which the API takes only text.
 */
export function withinCap<R extends IncomingResult>(result: R, cap: number, estimate: Estimate): R {
  const { text, isError, attachments } = result;
  if (isError) return { ...result, attachments: [] };
  const tokens = tokensOf(attachments);
  if (attachments.length === 0 || tokens + estimate(text) <= cap) return result;
  const said =
    `${text}\nNot shown: it would take about ${tokens} tokens, and one result may take ` +
    `${cap}. Ask the user for the part that matters, or find another way to its content.`;
  return { ...result, text: said, isError: true, attachments: [] };
}

/** Admits a result that is `withinCap`: its text is cut to what its attachments leave of the cap. */
export function admitResult(
  { text, attachments }: IncomingResult,
  cap: number,
  estimate: Estimate,
  handle: string,
): { readonly admission: Admission; readonly tokens: number } {
  const attached = tokensOf(attachments);
  const admission = admit(text, cap - attached, estimate, handle);
  const admitted = admission.form === 'whole' ? estimate(text) : admission.tokensAfter;
  return { admission, tokens: attached + admitted };
}

function tokensOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The results of one reply may fill at most this share of the room there is for results. */
const BATCH_SHARE = 0.7;

/** A result of fewer tokens says nothing. */
const SMALLEST_CAP = 150;

/**
 * The most tokens the next result of a reply may take: the setting, or its part of what is left
 * beside everything that cannot leave the window. A pass cannot touch the results the model has not
 * read yet, so they must fit from the start. `window` is the one before the first result; `calls`
 * are those still without one, and `spentTokens` what the results so far took: what small ones left
 * over is there for the large.
 */
export function resultCap(
  window: ContextWindow,
  measured: Measurement,
  budget: Budget,
  settingTokens: number,
  calls: number,
  spentTokens = 0,
): number {
  const protectedIds = blocksInWindow(window)
    .filter((block) => protectionOf(window, block) !== undefined)
    .map(({ id }) => id);
  const staying = (['tools', 'system', 'unrecorded', 'notes', ...protectedIds] as const).reduce(
    (sum, part) => sum + weightOf(measured, part).tokens,
    0,
  );
  const room = (budget.inputBudget - staying) * BATCH_SHARE - spentTokens;
  const share = Math.floor(room / Math.max(1, calls));
  return Math.max(SMALLEST_CAP, Math.min(settingTokens, share));
}

type Truncated = Extract<Admission, { form: 'truncated' }>;

/** The decision behind a block that was shortened on its way in; undefined when it was not. */
export function admissionDecision(block: Exclude<Block, SummaryBlock>): Decision | undefined {
  const cuts = cutsOf(block);
  const [first] = cuts;
  if (first === undefined) return undefined;
  const sum = (of: (cut: Truncated) => number) =>
    cuts.reduce((total, { admission }) => total + of(admission), 0);
  return {
    blockId: block.id,
    label: labelOf(block),
    kind: block.kind,
    action: 'truncate',
    rule: 'truncateAtAdmission',
    reason: cuts.map((cut) => whyCut(cut, cuts.length > 1)).join('; '),
    before: { tokens: sum((cut) => cut.tokensBefore), exact: false },
    after: { tokens: sum((cut) => cut.tokensAfter), exact: false },
    wayBack: { handle: first.handle },
  };
}

function whyCut({ name, admission }: Cut, isOneOfMany: boolean): string {
  const { tokensBefore, capTokens } = admission;
  const size = amountText({ tokens: tokensBefore, exact: false });
  const what = `${size} tokens at admission, cap ${tokenText(capTokens)}`;
  return `${isOneOfMany ? `${name}: ` : ''}${what}: head and tail kept, the rest by recall`;
}

interface Cut {
  readonly name: string;
  readonly handle: string;
  readonly admission: Truncated;
}

function cutsOf(block: Exclude<Block, SummaryBlock>): readonly Cut[] {
  if (block.kind !== 'step') {
    return block.admission.form === 'truncated'
      ? [{ name: 'Prompt', handle: blockHandle(block.id), admission: block.admission }]
      : [];
  }
  return block.pairs.flatMap(({ use, result }): Cut[] =>
    result?.admission.form === 'truncated'
      ? [{ name: labelOfCall(use), handle: resultHandle(use.id), admission: result.admission }]
      : [],
  );
}
