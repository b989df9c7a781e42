import { findBlock, type ContextWindow } from '../contextWindow/window';
import { estimatePart, weighBlock, type PartWeight } from '../contextWindow/account/guesses';
import { apportion, type Measurement } from '../contextWindow/account/measure';
import { type RecordedPart, type RecordedSize, sized } from '../contextWindow/account/recordedSize';
import { type Block, isInWindow } from '../contextWindow/block';
import { changesBetween } from '../contextWindow/persistentList';
import type { Estimate } from '../contextWindow/truncate';

/** A recorded API's count of one request, and what it says about the request's parts. */
interface RecordedCount {
  readonly tokens: number;
  /** Only the sizes that changed. */
  readonly sizes: readonly RecordedSize[];
  /**
   * The sizes that changed because the recorded agent compacted. They do not apply to a window
   * without that compaction.
   */
  readonly afterRoom: readonly RecordedSize[];
}

/** The counts of a recorded API, by step. */
export type RecordedCounts = ReadonlyMap<number, RecordedCount>;

/** A count of new blocks below this share of their estimate is ignored. */
const LEAST_SHARE = 0.5;

/** A request of the recorded agent, and its API's count. */
interface CountedRequest {
  readonly window: ContextWindow;
  readonly measured: () => Measurement;
  readonly weigh: (block: Block) => number;
  readonly tokens: number;
  readonly model: string;
}

/** The previous counted request. */
interface Former {
  readonly model: string;
  readonly parts: Set<string>;
  readonly window: ContextWindow;
  /** The weight of all parts, fitted to the count; tokens. */
  readonly tokens: number;
}

/**
 * Fits the window of a recorded agent to every count of its API, so that the parts add up to it:
 *
 * - What the first count has beyond the file is in every request: system prompt, tools.
 * - What came in since the last count weighs the difference. What exceeds the estimate belongs to the
 *   newest step, and leaves with it: its thinking, and text that was injected behind it.
 * - Where a count fell, thinking of earlier steps was left out first, of the newest before the older;
 *   then what the oldest steps said: agents let go of that without a word in their files.
 * - Another model counts in tokens of its own: all parts change in proportion.
 * - Where the agent made room, the new parts stay as estimated and the others are fitted.
 */
export class RecordedCountsFit {
  readonly #counts = new Map<number, RecordedCount>();
  readonly #afterRoom = new Set<string>();
  #former: Former | undefined;

  constructor(private readonly estimate: Estimate) {}

  get counts(): RecordedCounts {
    return this.#counts;
  }

  /** What a count says about the replayed window; undefined if it says nothing. */
  sizesOf(
    counts: RecordedCounts | 'learn' | 'learnOnly',
    request: CountedRequest,
  ): readonly RecordedSize[] | undefined {
    if (counts !== 'learn' && counts !== 'learnOnly') {
      return counts.get(request.window.step + 1)?.sizes;
    }
    const { sizes, afterRoom } = this.#takeAdded(request) ?? this.#take(request);
    return [...sizes, ...afterRoom];
  }

  /** Records the count of the next step's request. */
  #take({ window, measured, tokens, model }: CountedRequest): RecordedCount {
    const { parts } = measured();
    const fit = new Fit(parts);
    const former = this.#former;
    const made = former !== undefined && former.window.ledger.length < window.ledger.length;
    // No recorded request contained Plimsoll's own text in the window.
    const before = parts.reduce((sum, part) => sum + part.tokens, 0);
    const missing = tokens - before;
    if (former === undefined) fit.first(missing);
    else if (made) fit.afterRoom(missing, former.parts);
    else if (isOtherModel(former.model, model)) fit.everything(missing);
    else fit.next(missing, former.parts);
    this.#former = {
      model,
      parts: new Set(parts.map(({ part }) => part)),
      window,
      tokens: before + fit.growth,
    };
    return this.#record(window, tokens, fit, made);
  }

  /**
   * The same where only blocks were added since the last count, and only they change: all other
   * parts need not be weighed again. Undefined where that is not so.
   */
  #takeAdded({ window, weigh, tokens, model }: CountedRequest): RecordedCount | undefined {
    const former = this.#former;
    if (former === undefined || isOtherModel(former.model, model)) return undefined;
    const { blocks, ledger, preamble } = former.window;
    if (ledger.length < window.ledger.length || preamble !== window.preamble) return undefined;
    const added = changesBetween(blocks, window.blocks);
    if (added.length !== window.blocks.length - blocks.length) return undefined;
    const parts = added.filter(isInWindow).map((block): PartWeight => {
      const size = window.recorded?.sizes.get(block.id);
      return { part: block.id, ...sized(weigh(block), size), exact: false };
    });
    const fit = new Fit(parts);
    const before = former.tokens + parts.reduce((sum, part) => sum + part.tokens, 0);
    if (!fit.nextAlone(tokens - before)) return undefined;
    for (const { part } of parts) former.parts.add(part);
    this.#former = { model, parts: former.parts, window, tokens: before + fit.growth };
    return this.#record(window, tokens, fit, false);
  }

  #record(window: ContextWindow, tokens: number, fit: Fit, made: boolean): RecordedCount {
    const sizes = fit.changed().map((part) => this.#sizeOf(window, part));
    if (made) for (const { part } of sizes) this.#afterRoom.add(part);
    const isAfterRoom = ({ part }: RecordedSize) => this.#afterRoom.has(part);
    const count = {
      tokens,
      sizes: sizes.filter((size) => !isAfterRoom(size)),
      afterRoom: sizes.filter(isAfterRoom),
    };
    this.#counts.set(window.step + 1, count);
    return count;
  }

  #sizeOf(window: ContextWindow, { part, held, unrecorded }: Fitted): RecordedSize {
    const estimated = this.#estimateOf(window, part);
    return held === estimated
      ? { part, unrecorded }
      : { part, unrecorded, share: held / Math.max(1, estimated) };
  }

  #estimateOf(window: ContextWindow, part: RecordedPart): number {
    if (part === 'unrecorded') return 0;
    if (part === 'tools' || part === 'system') {
      return estimatePart(window, part as 'tools' | 'system', this.estimate);
    }
    const block = findBlock(window, part);
    return block === undefined ? 0 : weighBlock(block, this.estimate);
  }
}

function isOtherModel(before: string, now: string): boolean {
  return before !== now && before !== '' && now !== '';
}

/** The weight of a part, within the file's content and beyond it, in tokens. */
interface Fitted {
  readonly part: RecordedPart;
  held: number;
  unrecorded: number;
}

/** The parts of one window while they are fitted to a count. */
class Fit {
  readonly #before: ReadonlyMap<RecordedPart, Readonly<Fitted>>;
  readonly #parts: readonly Fitted[];

  constructor(parts: readonly PartWeight[]) {
    const found = parts.flatMap(({ part, tokens, unrecorded = 0 }): Fitted[] =>
      // These are Plimsoll's own.
      part === 'scratchpad' || part === 'rules' || part === 'gapLines'
        ? []
        : [{ part, held: tokens - unrecorded, unrecorded }],
    );
    const isThere = found.some(({ part }) => part === 'unrecorded');
    this.#parts = isThere ? found : [{ part: 'unrecorded', held: 0, unrecorded: 0 }, ...found];
    this.#before = new Map(this.#parts.map((each) => [each.part, { ...each }]));
  }

  changed(): readonly Fitted[] {
    return this.#parts.filter(({ part, held, unrecorded }) => {
      const before = this.#before.get(part);
      return before?.held !== held || before.unrecorded !== unrecorded;
    });
  }

  /** By how many tokens the parts grew. */
  get growth(): number {
    const before = totalOf([...this.#before.values()]);
    return totalOf(this.#parts) - before;
  }

  /** Assigns the missing tokens to the parts that every request has. */
  first(missing: number): void {
    if (missing >= 0) raise(this.#parts.filter(isWithoutText), missing);
    else lower(this.#parts, -missing);
  }

  /** Changes all parts in proportion. */
  everything(missing: number): void {
    if (missing >= 0) raise(this.#parts, missing);
    else lower(this.#parts, -missing);
  }

  /** Makes the content added since the last count weigh the difference. */
  next(missing: number, former: Former['parts']): void {
    const fresh = this.#parts.filter(({ part }) => !former.has(part) && !isWithoutText({ part }));
    const newest = fresh.findLast(isStep) ?? this.#parts.findLast(isStep);
    if (missing >= 0) {
      raise(newest === undefined ? this.#parts.filter(isWithoutText) : [newest], missing);
    } else if (totalOf(fresh) * (1 - LEAST_SHARE) >= -missing) lower(fresh, -missing);
    else {
      const earlier = this.#parts.filter((part) => isStep(part) && !fresh.includes(part));
      lower(this.#parts, takeHeld(earlier, takeUnrecorded(earlier, -missing)));
    }
  }

  /** The same where all parts are new; false, and nothing changed, if other parts would change. */
  nextAlone(missing: number): boolean {
    const fresh = this.#parts.filter((part) => !isWithoutText(part));
    const isEnough =
      missing >= 0 ? fresh.some(isStep) : totalOf(fresh) * (1 - LEAST_SHARE) >= -missing;
    if (isEnough) this.next(missing, new Set());
    return isEnough;
  }

  /** Fits what the agent kept or added when it compacted. */
  afterRoom(missing: number, former: Former['parts']): void {
    const summary = this.#parts.findLast(({ part }) => part.startsWith('summary-'));
    const fresh = this.#parts.filter(({ part }) => isStep({ part }) && !former.has(part));
    const kept = this.#parts.filter((part) => !fresh.includes(part));
    if (missing >= 0) {
      // Text that was injected with a summary is removed with it.
      raise(summary === undefined ? kept.filter(isWithoutText) : [summary], missing);
      return;
    }
    const left = takeUnrecorded(kept.filter(isStep), -missing);
    lower(fresh, lower(kept, left));
  }
}

function isStep({ part }: Pick<Fitted, 'part'>): boolean {
  return part.startsWith('step-');
}

function isWithoutText({ part }: Pick<Fitted, 'part'>): boolean {
  return part === 'unrecorded';
}

function totalOf(parts: readonly Fitted[]): number {
  return parts.reduce((sum, { held, unrecorded }) => sum + held + unrecorded, 0);
}

/** Adds tokens beyond the file's content, in proportion. */
function raise(parts: readonly Fitted[], tokens: number): void {
  const shares = apportion(
    tokens,
    parts.map((part) => totalOf([part])),
  );
  for (const [index, part] of parts.entries()) part.unrecorded += shares[index] ?? 0;
}

/** Subtracts available tokens in proportion; returns how many remain to subtract. */
function lower(parts: readonly Fitted[], tokens: number): number {
  const total = totalOf(parts);
  const taken = Math.min(tokens, total);
  const weights = parts.map((part) => totalOf([part]));
  const shares = apportion(total - taken, weights);
  for (const [index, part] of parts.entries()) {
    const { [index]: before = 0 } = weights;
    const { [index]: after = 0 } = shares;
    if (before === 0) continue;
    part.unrecorded = Math.ceil((part.unrecorded * after) / before);
    part.held = after - part.unrecorded;
  }
  return tokens - taken;
}

/**
 * Subtracts tokens of the file's content, the oldest first; returns how many remain to subtract.
 */
function takeHeld(parts: readonly Fitted[], tokens: number): number {
  let left = tokens;
  for (const part of parts) {
    const taken = Math.min(left, part.held);
    part.held -= taken;
    left -= taken;
  }
  return left;
}

/**
 * Subtracts tokens beyond the file's content, the newest first; returns how many remain to
 * subtract.
 */
function takeUnrecorded(parts: readonly Fitted[], tokens: number): number {
  let left = tokens;
  for (const part of parts.toReversed()) {
    const taken = Math.min(left, part.unrecorded);
    part.unrecorded -= taken;
    left -= taken;
  }
  return left;
}
