import { type Block, isInWindow, type ToolUse, type ToolUseId } from '../../contextWindow/block';
import { isAnswer, repeatKeyOf } from '../../contextWindow/repeatedCalls';
import { systemText } from '../../contextWindow/request/request';
import { rulesText } from '../../contextWindow/standingRules/standingRules';
import { blocksInWindow, type ContextWindow } from '../../contextWindow/window';
import type { RecordedResult, Transcript, TranscriptEntry } from '../../sessions/transcript';
import { stringsIn, type Lost, NONE_LOST } from './grounding';
import { type IdentifierShares, IdentifierUses } from './statedIdentifiers';
import { OpenQuestions } from './openQuestions';
import { isClosing, saidIn } from './soughtTexts';
import { SoughtInRecording } from './soughtInRecording';

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/** How far the requests of a replay met the later needs of the conversation. */
export interface Needs {
  readonly identifiers: IdentifierShares;
  readonly repeatedCalls: Lost;
  readonly unansweredQuestions: Lost;
}

/** Follows a replay, and counts what each request shows of the recording's needs. */
export class NeedsMet {
  readonly #sought: SoughtInRecording;
  readonly #texts: Shown<string>;
  readonly #results = new Shown<ToolUseId>(wholeResultsOf);
  readonly #identifiers = new IdentifierUses();
  readonly #calls = new RepeatedCalls();
  readonly #questions = new OpenQuestions();
  /** The parts of the request other than its blocks, and the texts found in them. */
  #scratchpad = '';
  #inScratchpad: ReadonlySet<string> = new Set();
  #rules = '';
  #inRules: ReadonlySet<string> = new Set();
  readonly #inSystem: ReadonlySet<string>;

  constructor(transcript: Transcript) {
    this.#sought = SoughtInRecording.of(transcript);
    this.#texts = new Shown((block) => this.#sought.foundInBlock(block));
    this.#inSystem = this.#sought.foundIn(systemText(transcript));
  }

  get found(): Needs {
    return {
      identifiers: this.#identifiers.shares,
      repeatedCalls: this.#calls.found,
      unansweredQuestions: this.#questions.found,
    };
  }

  /** Records the next prompt. */
  prompted(text: string): void {
    this.#identifiers.prompted(this.#sought.statedBy(text), this.#sought.foundIn(text));
    this.#questions.prompted(text);
  }

  /** Records the window of a request and the recorded reply to it. */
  requested(window: ContextWindow, reply: ReplyEntry): void {
    const blocks = blocksInWindow(window);
    this.#texts.show(blocks);
    this.#results.show(blocks);
    if (window.shownScratchpad !== this.#scratchpad) {
      this.#scratchpad = window.shownScratchpad;
      this.#inScratchpad = this.#sought.foundReworded(this.#scratchpad);
    }
    const rules = rulesText(window);
    if (rules !== this.#rules) {
      this.#rules = rules;
      this.#inRules = this.#sought.foundIn(rules);
    }
    const isShown = (text: string) =>
      this.#texts.has(text) ||
      this.#inScratchpad.has(text) ||
      this.#inRules.has(text) ||
      this.#inSystem.has(text);
    this.#questions.requested(isShown);
    const uses = reply.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : []));
    const says = [saidIn(reply), ...uses.flatMap(({ input }) => stringsIn(input))].join('\n');
    this.#identifiers.replied(this.#sought.foundIn(says), isShown);
    this.#calls.replied(uses, reply.results, (id) => this.#results.has(id));
  }

  /** Records a recorded reply, whether or not a request was made for it. */
  replied(reply: ReplyEntry): void {
    if (isClosing(reply)) this.#questions.answered(saidIn(reply));
  }
}

/** The results that a block shows whole: neither cleared nor truncated at admission. */
export function wholeResultsOf(block: Block): readonly ToolUseId[] {
  if (block.kind !== 'step' || !isInWindow(block)) return [];
  return block.pairs.flatMap(({ use, result, cleared }) =>
    !cleared && result?.admission.form === 'whole' ? [use.id] : [],
  );
}

/**
 * Counts the calls that the recording repeats (see `repeatKeyOf`), and of these the ones whose first
 * result was removed.
 *
 * A result is lost if the request before it did not show the newest earlier result of that call
 * whole. With nothing evicted none is lost: these calls were repeated for another reason.
 */
class RepeatedCalls {
  readonly #newest = new Map<string, RecordedResult>();
  #found: Lost = NONE_LOST;

  get found(): Lost {
    return this.#found;
  }

  /** Records the calls of a reply with their results, and what its request showed. */
  replied(
    uses: readonly ToolUse[],
    results: readonly RecordedResult[],
    isShown: (id: ToolUseId) => boolean,
  ): void {
    const resultOf = new Map(results.map((result) => [result.toolUseId, result]));
    const calls = uses.flatMap((use) => {
      const result = resultOf.get(use.id);
      const key = repeatKeyOf(use);
      return result === undefined || key === undefined || !isAnswer(result)
        ? []
        : [{ key, result }];
    });
    for (const { key, result } of calls) {
      const earlier = this.#newest.get(key);
      if (earlier?.text !== result.text) continue;
      const lost = isShown(earlier.toolUseId) ? 0 : 1;
      this.#found = { lost: this.#found.lost + lost, total: this.#found.total + 1 };
    }
    // Only now: of two calls in one reply, none had a result when the other was made.
    for (const { key, result } of calls) this.#newest.set(key, result);
  }
}

/**
 * Counts what the blocks of a request show. Blocks are immutable values, so each is searched once
 * in each of its forms, and a request costs only the blocks that changed since the previous one.
 */
export class Shown<K> {
  readonly #keys = new WeakMap<Block, readonly K[]>();
  readonly #counts = new Map<K, number>();
  #blocks: readonly Block[] = [];

  constructor(private readonly keysOf: (block: Block) => Iterable<K>) {}

  /** Records the blocks of the next request, in order. */
  show(blocks: readonly Block[]): void {
    const changed = blocks.findIndex((block, index) => block !== this.#blocks[index]);
    const same = changed === -1 ? blocks.length : changed;
    for (const block of this.#blocks.slice(same)) this.#add(block, -1);
    for (const block of blocks.slice(same)) this.#add(block, 1);
    this.#blocks = blocks;
  }

  /** Returns whether any block of the request shows it. */
  has(key: K): boolean {
    return this.#counts.has(key);
  }

  #add(block: Block, change: 1 | -1): void {
    for (const key of this.#keysOf(block)) {
      const count = (this.#counts.get(key) ?? 0) + change;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }

  #keysOf(block: Block): readonly K[] {
    const known = this.#keys.get(block);
    if (known !== undefined) return known;
    const keys = [...new Set(this.keysOf(block))];
    this.#keys.set(block, keys);
    return keys;
  }
}
