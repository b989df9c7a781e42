import { isInWindow, type Block } from '../block';
import { blocksInWindow, type ContextWindow } from '../window';
import type { Amount, UndonePrompt } from '../plan';
import { shownScratchpadText } from '../request/placeholder';
import { isSameRequest, textShownAfter } from '../request/request';
import type { Estimate } from '../truncate';
import { closestForm, formerWeights, weightsOfUndone } from './formerWeights';
import { isAsRecorded } from './recordedSize';
import {
  guessParts,
  haveSameWords,
  headTexts,
  textsOfBlocks,
  weighBlock,
  weighIn,
  type GuessedWindow,
  type Part,
  type PartWeight,
} from './guesses';

/** How full the window is, and with what; the parts add up to `used`. */
export interface Measurement {
  readonly used: Amount;
  /**
   * The source of `used`: `estimate` if there is no official count, `recorded` if a recorded
   * agent's API counted as much.
   */
  readonly source: 'usage' | 'countTokens' | 'overflowError' | 'recorded' | 'estimate';
  /** True if the window was changed since that count, and not only extended. */
  readonly changed: boolean;
  /** Tokens that were added, changed or removed since that count, so that only an estimate weighs them. */
  readonly guessed: number;
  readonly parts: readonly PartWeight[];
  /** The weight of each part that the last official count covers. */
  readonly taught: ReadonlyMap<Part, Lesson>;
}

/** The weight found for a part: for a block in the form it had then, for a text by its estimate. */
interface Lesson extends Amount {
  readonly of: Block | number;
}

/** What a caller knows before a measurement. */
interface Known {
  readonly weigh?: (block: Block) => number;
  readonly former?: GuessedWindow;
}

/**
 * Measures the next request: the last official count for what it covers, estimates for everything
 * after it. `estimate` gives calibrated tokens of a text. A window is measured once for each
 * generation of the estimates. A caller that measures many windows may pass a `weigh` that remembers
 * the results of `weighBlock`, and a `former` window: without official counts only what differs from
 * it is weighed.
 *
 * If the window was changed since the count, the count still holds for everything that stayed the
 * same. A changed part weighs more or less by the difference of its estimates. So a change and its
 * undo give the same tokens, part by part. A block that came back after the count weighs what the
 * pass that removed it had recorded.
 */
export function measure(window: ContextWindow, estimate: Estimate, known: Known = {}): Measurement {
  const { generation } = estimate;
  if (generation === undefined) return measureNow(window, estimate, known);
  const all = MEASURED.get(generation) ?? new WeakMap<ContextWindow, Measurement>();
  MEASURED.set(generation, all);
  const measured = all.get(window) ?? measureNow(window, estimate, known);
  all.set(window, measured);
  return measured;
}

/** Measurements by the generation of the estimates they were made with. */
const MEASURED = new WeakMap<object, WeakMap<ContextWindow, Measurement>>();

function measureNow(
  window: ContextWindow,
  estimate: Estimate,
  { weigh, former }: Known,
): Measurement {
  const { baseline } = window;
  const isGuessed = former?.window.baseline === undefined;
  const guesses = guessParts(window, estimate, weigh, isGuessed ? former : undefined);
  if (baseline === undefined) {
    const tokens = sumOf(guesses);
    const exact = isAsRecorded(window, tokens);
    return {
      used: { tokens, exact },
      source: exact ? 'recorded' : 'estimate',
      changed: false,
      guessed: exact ? 0 : tokens,
      parts: guesses,
      taught: new Map(),
    };
  }
  const { tokens, source, counted, uncounted } = baseline;
  const fit = (covered: readonly PartWeight[]) =>
    fitTo(covered, tokens, preambleWeights(window, covered, estimate));
  if (counted !== undefined) {
    const before = guessParts(counted, estimate);
    const lessons = lessonsOf(before, fit(before));
    const taught = new Map([...lessons, ...weightsOfUndone(window, counted)]);
    const parts = guesses.map((guess) => {
      const { part, block } = guess;
      const lesson = block === undefined ? taught.get(part) : lessonFor(window, taught, block);
      return asTaught(lesson, guess, estimate);
    });
    const sum = sumOf(parts);
    const isSame = sum === tokens && isSameRequest(counted, window);
    const exact = isSame && uncounted !== true;
    return {
      used: { tokens: sum, exact },
      source,
      changed: !isSame,
      guessed: isSame ? 0 : changedTokens(lessons, guesses, parts),
      parts,
      taught,
    };
  }
  // The parts are in window order, so those added since are the last.
  const added = window.blocks.slice(baseline.blocks).filter(isInWindow).length;
  const before = guesses.slice(0, guesses.length - added);
  const covered = fit(before);
  const since = guesses.slice(guesses.length - added);
  return {
    used: { tokens: tokens + sumOf(since), exact: since.length === 0 && uncounted !== true },
    source,
    changed: false,
    guessed: sumOf(since.filter(({ exact }) => !exact)),
    parts: [...covered, ...since],
    taught: lessonsOf(before, covered),
  };
}

/** The weights of what a count covers and the window no longer has, and of what it has instead. */
function changedTokens(
  counted: Measurement['taught'],
  guesses: readonly PartWeight[],
  parts: readonly PartWeight[],
): number {
  const isAsCounted = ({ part, block, tokens }: PartWeight) =>
    counted.get(part)?.of === (block ?? tokens);
  const added = parts.filter(({ exact }, at) => !exact && !isAsCounted(guesses[at] as PartWeight));
  const kept = new Set(guesses.filter(isAsCounted).map(({ part }) => part));
  const removed = [...counted].filter(([part, { exact }]) => !exact && !kept.has(part));
  return sumOf(added) + removed.reduce((sum, [, { tokens }]) => sum + tokens, 0);
}

function lessonsOf(
  guesses: readonly PartWeight[],
  found: readonly PartWeight[],
): Measurement['taught'] {
  const lessonOf = ({ part, tokens, exact }: PartWeight, at: number) =>
    [part, { tokens, exact, of: guesses[at]?.block ?? guesses[at]?.tokens ?? 0 }] as const;
  return new Map(found.map(lessonOf));
}

/** The weight of a part by the last count; a new part weighs its estimate. */
function asTaught(lesson: Lesson | undefined, guess: PartWeight, estimate: Estimate): PartWeight {
  if (lesson === undefined) return guess;
  const { part, block } = guess;
  if (block === undefined) {
    return { part, tokens: scaled(lesson, guess.tokens, estimate), exact: false };
  }
  const { tokens, exact, of } = lesson;
  if (of === block) return { part, tokens, exact, block };
  const isAsCounted = exact && typeof of !== 'number' && haveSameWords(of, block);
  return {
    part,
    tokens: scaled(lesson, weighBlock(block, estimate), estimate),
    exact: isAsCounted,
    block,
  };
}

/** The known weight of a block in a form: from the count, or from an earlier pass. */
function lessonFor(
  window: ContextWindow,
  taught: Measurement['taught'],
  form: Block,
): Lesson | undefined {
  const counted = taught.get(form.id);
  if (counted?.of === form) return counted;
  const former = formerWeights(window, form.id).toReversed();
  const isOfBlock = counted !== undefined && typeof counted.of !== 'number';
  return closestForm(isOfBlock ? [{ ...counted, of: counted.of }, ...former] : former, form);
}

/** Scales the weight found for a part to another form of it, in proportion to their estimates. */
function scaled({ tokens, of }: Lesson, guess: number, estimate: Estimate): number {
  const guessed = typeof of === 'number' ? of : weighBlock(of, estimate);
  // A rounding error must not add a token.
  return guessed === 0 ? guess : Math.max(0, Math.ceil((guess * tokens) / guessed - 1e-6));
}

/**
 * The tokens that a block would have in another form, corrected by the last count as in `measure`.
 */
export function weightInForm(
  {
    window,
    measured,
    estimate,
  }: {
    readonly window: ContextWindow;
    readonly measured: Measurement;
    readonly estimate: Estimate;
  },
  form: Block,
): number {
  const lesson = lessonFor(window, measured.taught, form);
  return lesson === undefined
    ? weighIn(window, form, estimate).tokens
    : scaled(lesson, weighBlock(form, estimate), estimate);
}

/**
 * The weights of system prompt and tools by the first official count. Each later count covers more
 * estimated parts, and spreading it over all of them would change these weights although their
 * texts stay the same.
 */
function preambleWeights(
  { firstCount }: ContextWindow,
  guesses: readonly PartWeight[],
  estimate: Estimate,
): ReadonlyMap<Part, number> {
  if (firstCount === undefined) return new Map();
  const first = guessParts(firstCount.counted, estimate);
  const taught = lessonsOf(first, fitTo(first, firstCount.tokens, new Map()));
  return new Map(
    guesses
      .filter(({ part }) => part === 'tools' || part === 'system')
      .map(
        (guess) => [guess.part, asTaught(taught.get(guess.part), guess, estimate).tokens] as const,
      ),
  );
}

/** Estimates by how many tokens the shown scratchpad grows once a pass has applied. */
export function scratchpadGrowth(
  window: ContextWindow,
  measured: Measurement,
  estimate: Estimate,
  undonePrompt?: UndonePrompt,
): number {
  const text = textShownAfter(window, undonePrompt);
  const shown = text === '' ? [] : [shownScratchpadText(text).toWellFormed()];
  return growthTo(measured, 'scratchpad', shown, estimate);
}

/** The growth of a part in tokens if it consisted of these texts. */
export function growthTo(
  measured: Measurement,
  part: 'scratchpad' | 'rules' | 'gapLines',
  texts: readonly string[],
  estimate: Estimate,
): number {
  const guess = {
    part,
    tokens: texts.reduce((sum, text) => sum + estimate(text), 0),
    exact: false,
  };
  return (
    asTaught(measured.taught.get(part), guess, estimate).tokens - weightOf(measured, part).tokens
  );
}

/**
 * Every text that `measure` estimates, so that they can be tokenized beforehand: those of the next
 * request, and those of the counted windows and former forms, whose weights are shared out by
 * estimates.
 */
export function textsOf(window: ContextWindow): readonly string[] {
  const counted = [window.baseline?.counted, window.firstCount?.counted].filter(
    (each) => each !== undefined,
  );
  const windows = [window, ...counted];
  const blocks = new Set([...windows.flatMap(blocksInWindow), ...formsOf(window)]);
  const heads = new Set(windows.flatMap(headTexts));
  return [...heads, ...textsOfBlocks(blocks)].filter((text) => text !== '');
}

/**
 * The texts of `textsOf` that a change adds: those of its new blocks, with their former forms, and
 * of the request's head.
 */
export function textsAdded(before: ContextWindow, after: ContextWindow): readonly string[] {
  const known = new Set<Block>(blocksInWindow(before));
  const heads = new Set(headTexts(before));
  const blocks = [...blocksInWindow(after), ...formsOf(after)].filter((block) => !known.has(block));
  const added = headTexts(after).filter((text) => !heads.has(text));
  return [...added, ...textsOfBlocks(new Set(blocks))].filter((text) => text !== '');
}

/** The forms by whose weights a measurement weighs blocks that the last count does not cover. */
function formsOf(window: ContextWindow): readonly Block[] {
  const counted = window.baseline?.counted;
  if (counted === undefined) return [];
  const taught: Measurement['taught'] = new Map([
    ...blocksInWindow(counted).map((of) => [of.id, { tokens: 0, exact: false, of }] as const),
    ...weightsOfUndone(window, counted),
  ]);
  return blocksInWindow(window).flatMap((block) => {
    const of = lessonFor(window, taught, block)?.of;
    return of === undefined || typeof of === 'number' || of === block ? [] : [of];
  });
}

/** The weight of a part, 0 if nothing of it is sent. */
export function weightOf(measurement: Measurement, part: Part): Amount {
  return weightsOf(measurement).get(part) ?? { tokens: 0, exact: true };
}

/** Rules need a weight for every block. A measurement is immutable, so it is indexed once. */
const WEIGHTS = new WeakMap<Measurement, ReadonlyMap<Part, Amount>>();

function weightsOf(measurement: Measurement): ReadonlyMap<Part, Amount> {
  const known = WEIGHTS.get(measurement);
  if (known !== undefined) return known;
  const weights = new Map(
    measurement.parts.map(({ part, tokens, exact }) => [part, { tokens, exact }] as const),
  );
  WEIGHTS.set(measurement, weights);
  return weights;
}

/**
 * Spreads an official count over the estimates in proportion. Exact parts keep their tokens, and so
 * do those `held` at a weight.
 */
function fitTo(
  weights: readonly PartWeight[],
  total: number,
  held: ReadonlyMap<Part, number>,
): readonly PartWeight[] {
  const fixed = weights.map((weight): PartWeight => {
    const tokens = held.get(weight.part);
    return tokens === undefined ? weight : { ...weight, tokens };
  });
  const isHeld = ({ part }: PartWeight) => held.has(part);
  const isFree = (weight: PartWeight) => !weight.exact && !isHeld(weight);
  // An exact part that no longer fits was measured before another change, so it becomes an
  // estimate.
  return (
    spreadOver(fixed, total, isFree) ??
    spreadOver(fixed, total, (weight) => !isHeld(weight)) ??
    spread(weights, total)
  );
}

/** Divides among the free parts what the others leave; undefined if the others exceed the total. */
function spreadOver(
  weights: readonly PartWeight[],
  total: number,
  isFree: (weight: PartWeight) => boolean,
): readonly PartWeight[] | undefined {
  const free = weights.filter(isFree);
  const left = total - sumOf(weights) + sumOf(free);
  if (free.length === 0 || left < 0) return undefined;
  const shareOf = new Map(spread(free, left).map((weight) => [weight.part, weight]));
  return weights.map((weight) => shareOf.get(weight.part) ?? weight);
}

function spread(weights: readonly PartWeight[], total: number): readonly PartWeight[] {
  const shares = apportion(
    total,
    weights.map(({ tokens }) => tokens),
  );
  return weights.map((weight, index) => ({ ...weight, tokens: shares[index] ?? 0, exact: false }));
}

function sumOf(weights: readonly PartWeight[]): number {
  return weights.reduce((total, { tokens }) => total + tokens, 0);
}

/**
 * Splits a whole number in proportion to the weights, so that the shares add up to it exactly: the
 * largest remainders get what rounding leaves. If all weights are 0, the first share gets
 * everything.
 */
export function apportion(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0) return weights.map((_, index) => (index === 0 ? total : 0));
  const ideal = weights.map((weight) => (total * weight) / sum);
  const shares = ideal.map(Math.floor);
  let left = total - shares.reduce((a, b) => a + b, 0);
  const byRemainder = ideal
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder) {
    if (left <= 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}
