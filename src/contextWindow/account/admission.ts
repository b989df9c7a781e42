import {
  type Admission,
  type Attachment,
  type Block,
  type BlockId,
  blockHandle,
  resultHandle,
  type ShownLines,
} from '../block';
import { admit, type Estimate } from '../truncate';
import { type Budget, effectiveBudget } from '../budget';
import type { PromptContent } from '../event';
import type { ContextWindow } from '../window';
import type { Measurement } from './measure';
import { protectionsIn } from '../tier';
import { pagedInText } from '../request/placeholder';
import { labelOf, labelOfCall } from '../label';
import type { Decision } from '../plan';

/** A prompt may fill at most this share of the input budget; the rest is visibly left out. */
const PROMPT_SHARE = 0.5;

/**
 * Decides how the next prompt enters the window; `budget` is that of the settings. An image cannot
 * be cut: attachments that do not fit are left out, and the prompt says so.
 */
export function admitPrompt(
  { text, attachments = [] }: PromptContent,
  window: ContextWindow,
  budget: Budget,
  estimate: Estimate,
): PromptContent & { readonly admission: Admission } {
  const { inputBudget } = effectiveBudget(window, budget);
  const cap = Math.floor(inputBudget * PROMPT_SHARE);
  const handle = blockHandle(`prompt-${window.turn + 1}` as BlockId);
  const tokens = tokensOf(attachments);
  if (attachments.length === 0 || tokens + SMALLEST_CAP <= cap) {
    const admission = admit(text, cap - tokens, estimate, handle);
    return { text, admission, ...(attachments.length === 0 ? {} : { attachments }) };
  }
  const said =
    `${text}\n\n[Plimsoll left out the attachments of this prompt (${attachments.length}): they would ` +
    `take about ${tokens} tokens, and one prompt may take ${cap}.]`;
  return { text: said, admission: admit(said, cap, estimate, handle) };
}

/** A result before it is cut. */
interface IncomingResult {
  readonly text: string;
  readonly isError: boolean;
  readonly attachments?: readonly Attachment[];
}

/** A result as it enters the window; the log has its whole text. */
type AdmittedResult = IncomingResult & { readonly admission: Admission };

/**
 * Leaves out attachments that would exceed the cap of their result, and says so, since an image
 * cannot be cut. An error has no attachments, because the API takes only text in one.
 */
function withinCap(result: IncomingResult, cap: number, estimate: Estimate): IncomingResult {
  const { text, isError, attachments = [] } = result;
  if (isError || attachments.length === 0) return { text, isError };
  const tokens = tokensOf(attachments);
  if (tokens + estimate(text) <= cap) return { text, isError, attachments };
  const said =
    `${text}\nNot shown: it would take about ${tokens} tokens, and one result may take ` +
    `${cap}. Ask the user for the part that matters, or find another way to its content.`;
  return { text: said, isError: true };
}

function tokensOf(attachments: readonly Attachment[] = []): number {
  return attachments.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The results of one reply may fill at most this share of the room for results. */
const BATCH_SHARE = 0.7;

/** A result cut to fewer tokens than this is useless. */
const SMALLEST_CAP = 150;

/**
 * The room left for the results of one reply. A pass cannot touch results that the model has not
 * read yet, so they must fit from the start.
 */
export interface ResultAllowance {
  /** Most tokens of one result, from the settings. */
  readonly settingTokens: number;
  /** Tokens of all results together, computed before the first one. */
  readonly roomTokens: number;
  /** Calls without a result so far. */
  readonly calls: number;
  /** Tokens of the results so far: what small ones do not use is left for large ones. */
  readonly spentTokens: number;
}

/** Computes the room for the results of a reply with this many calls. */
export function resultAllowance(
  {
    window,
    measured,
    budget,
  }: { readonly window: ContextWindow; readonly measured: Measurement; readonly budget: Budget },
  settingTokens: number,
  calls: number,
): ResultAllowance {
  const protectionOf = protectionsIn(window);
  const staying = measured.parts.reduce((sum, { block, tokens }) => {
    const mayLeave = block !== undefined && protectionOf(block) === undefined;
    return mayLeave ? sum : sum + tokens;
  }, 0);
  const roomTokens = (budget.inputBudget - staying) * BATCH_SHARE;
  return { settingTokens, roomTokens, calls, spentTokens: 0 };
}

/** The cap of the next result: the setting, or its share of the remaining room. */
export function resultCap({
  settingTokens,
  roomTokens,
  calls,
  spentTokens,
}: ResultAllowance): number {
  const share = Math.floor((roomTokens - spentTokens) / Math.max(1, calls));
  return Math.max(SMALLEST_CAP, Math.min(settingTokens, share));
}

/** Admits the next result of a reply, and returns the allowance for those after it. */
export function admitResult(
  allowance: ResultAllowance,
  incoming: IncomingResult,
  handle: string,
  estimate: Estimate,
): { readonly result: AdmittedResult; readonly left: ResultAllowance } {
  const cap = resultCap(allowance);
  const given = withinCap(incoming, cap, estimate);
  const attached = tokensOf(given.attachments);
  const admission = admit(given.text, cap - attached, estimate, handle);
  const admitted = admission.form === 'whole' ? estimate(given.text) : admission.tokensAfter;
  const { calls, spentTokens } = allowance;
  const left = { ...allowance, calls: calls - 1, spentTokens: spentTokens + attached + admitted };
  return { result: { ...given, admission }, left };
}

/** Admits lines that come with a result if there is room for them. */
export function admitShown(
  left: ResultAllowance,
  shown: readonly ShownLines[],
  estimate: Estimate,
): { readonly shown: readonly ShownLines[]; readonly left: ResultAllowance } {
  if (shown.length === 0) return { shown, left };
  const spentTokens = left.spentTokens + estimate(pagedInText(shown));
  return spentTokens > left.roomTokens
    ? { shown: [], left }
    : { shown, left: { ...left, spentTokens } };
}

type Truncated = Extract<Admission, { form: 'truncated' }>;

/** The decision about a block that was truncated at admission; undefined if it was not. */
export function admissionDecision(block: Block): Decision | undefined {
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
    reason: {
      rule: 'truncateAtAdmission',
      cuts: cuts.map(({ name, admission: { tokensBefore: tokens, capTokens } }) =>
        cuts.length > 1 ? { name, tokens, capTokens } : { tokens, capTokens },
      ),
    },
    before: { tokens: sum((cut) => cut.tokensBefore), exact: false },
    after: { tokens: sum((cut) => cut.tokensAfter), exact: false },
    wayBack: { handle: first.handle },
  };
}

interface Cut {
  readonly name: string;
  readonly handle: string;
  readonly admission: Truncated;
}

function cutsOf(block: Block): readonly Cut[] {
  // Plimsoll's own texts are never truncated.
  if (block.kind === 'summary' || block.kind === 'excerpts') return [];
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
