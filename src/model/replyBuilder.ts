import type Anthropic from '@anthropic-ai/sdk';
import type { ModelEvent, Reply } from '../agent/model';
import type { ReplyPart, ToolUse, ToolUseId } from '../contextWindow/block';
import type { StopReason } from '../contextWindow/event';
import { isNestedDeeper, isObject } from '../contextWindow/json';
import { HeardUsage } from './apiUsage';
import { appliedEditsIn } from './requestBody';

/** A content block while it streams; `json` is the tool input so far. */
type OpenBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redactedThinking'; data: string }
  | { type: 'compaction'; content: string | null }
  | { type: 'toolUse'; id: string; name: string; given: unknown; json: string };

/** The events of a stream, with or without betas; servers without betas leave their fields out. */
type StreamEvent = Anthropic.RawMessageStreamEvent | Anthropic.Beta.BetaRawMessageStreamEvent;
type StartedBlock = Anthropic.ContentBlock | Anthropic.Beta.BetaContentBlock;
type Delta = Anthropic.RawContentBlockDelta | Anthropic.Beta.BetaRawContentBlockDelta;

const CUT_REASONS: ReadonlySet<StopReason> = new Set([
  'max_tokens',
  'model_context_window_exceeded',
]);

/** Maximum parts of a reply; each takes room in window, log and view. */
const MOST_BLOCKS = 1_000;

/** Thrown instead of one block too many; `message` ends a sentence. */
export class TooManyBlocksError extends Error {
  override readonly name = 'TooManyBlocksError';

  constructor() {
    super(`the server sent more than ${MOST_BLOCKS} blocks in one reply.`);
  }
}

/**
 * Puts a reply together from the events of a stream.
 *
 * Blocks of unknown types (server tools, citations: Plimsoll asks for none) are left out of the
 * reply; so are empty texts, which the API would not take back.
 */
export class ReplyBuilder {
  #model: string;
  readonly #blocks = new Map<number, OpenBlock>();
  #stopReason: string | null = null;
  readonly #usage = new HeardUsage();
  #appliedEdits: Reply['appliedEdits'];
  #isComplete = false;

  /** `model` counts until the stream names one. */
  constructor(model: string) {
    this.#model = model;
  }

  /** Handles one event; returns the news in it, if any. */
  take(event: StreamEvent): ModelEvent | undefined {
    switch (event.type) {
      case 'message_start':
        this.#model = textOf(event.message.model) || this.#model;
        this.#hear(event.message);
        return undefined;
      case 'content_block_start':
        return this.#open(event.index, event.content_block);
      case 'content_block_delta':
        return this.#add(this.#blocks.get(event.index), event.delta);
      case 'message_delta':
        this.#stopReason = event.delta.stop_reason;
        this.#hear(event);
        return undefined;
      case 'message_stop':
        this.#isComplete = true;
        return undefined;
      case 'content_block_stop':
        return undefined;
    }
  }

  /** Returns the whole reply; undefined before message_stop. */
  finish(): Reply | undefined {
    if (!this.#isComplete) return undefined;
    const stopReason = this.#reason();
    const isCut = CUT_REASONS.has(stopReason);
    const { compaction: compactionUsage, problems } = this.#usage;
    const parts = [...this.#blocks]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([, block]) => partOf(block, isCut));
    return {
      model: this.#model,
      parts,
      stopReason,
      usage: this.#usage.tokens,
      appliedEdits: this.#appliedEdits,
      compactionUsage,
      ...(problems.length > 0 && { problems }),
    };
  }

  /** Handles usage numbers and the API's own edits; the end of a stream has all of them. */
  #hear(said: { readonly usage?: unknown; readonly context_management?: unknown }): void {
    this.#usage.hear(said.usage);
    this.#appliedEdits = appliedEditsIn(said.context_management) ?? this.#appliedEdits;
  }

  #open(index: number, block: StartedBlock): ModelEvent | undefined {
    if (this.#blocks.size >= MOST_BLOCKS) throw new TooManyBlocksError();
    if (block.type === 'text') {
      const text = textOf(block.text);
      this.#blocks.set(index, { type: 'text', text });
      return text === '' ? undefined : { type: 'textDelta', text };
    }
    if (block.type === 'thinking') {
      const thinking = textOf(block.thinking);
      this.#blocks.set(index, { type: 'thinking', thinking, signature: textOf(block.signature) });
      return thinking === '' ? undefined : { type: 'thinkingDelta', text: thinking };
    }
    if (block.type === 'tool_use') {
      const [id, name] = [textOf(block.id), textOf(block.name)];
      this.#blocks.set(index, { type: 'toolUse', id, name, given: block.input, json: '' });
      return { type: 'toolUseStarted', id, name };
    }
    if (block.type === 'redacted_thinking') {
      this.#blocks.set(index, { type: 'redactedThinking', data: textOf(block.data) });
    }
    if (block.type === 'compaction') {
      this.#blocks.set(index, { type: 'compaction', content: summaryIn(block.content) });
    }
    return undefined;
  }

  #add(block: OpenBlock | undefined, delta: Delta): ModelEvent | undefined {
    if (delta.type === 'text_delta' && block?.type === 'text') {
      const text = textOf(delta.text);
      block.text += text;
      return { type: 'textDelta', text };
    }
    if (delta.type === 'thinking_delta' && block?.type === 'thinking') {
      const text = textOf(delta.thinking);
      block.thinking += text;
      return { type: 'thinkingDelta', text };
    }
    if (delta.type === 'signature_delta' && block?.type === 'thinking') {
      block.signature += textOf(delta.signature);
    }
    if (delta.type === 'input_json_delta' && block?.type === 'toolUse') {
      block.json += textOf(delta.partial_json);
    }
    // The delta is the whole summary, not a piece of it (BetaMessageStream of SDK 1.12.0).
    if (delta.type === 'compaction_delta' && block?.type === 'compaction') {
      block.content = summaryIn(delta.content);
    }
    return undefined;
  }

  /** Some compatible servers leave the reason out, or have their own. */
  #reason(): StopReason {
    switch (this.#stopReason) {
      case 'end_turn':
      case 'tool_use':
      case 'max_tokens':
      case 'stop_sequence':
      case 'pause_turn':
      case 'refusal':
      case 'model_context_window_exceeded':
        return this.#stopReason;
      default: {
        const blocks = [...this.#blocks.values()];
        return blocks.some(({ type }) => type === 'toolUse') ? 'tool_use' : 'end_turn';
      }
    }
  }
}

function partOf(block: OpenBlock, isCut: boolean): readonly ReplyPart[] {
  if (block.type === 'text') return block.text === '' ? [] : [block];
  if (block.type !== 'toolUse') return [block];
  const { id, name } = block;
  return [{ type: 'toolUse', use: { id: id as ToolUseId, name, ...readInput(block, isCut) } }];
}

/** A text from a server; anything else is not a text, and the log could not hold it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The summary of a compaction; null if it failed. */
function summaryIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * Deepest nesting of objects and lists, the input included; deeper JSON cannot be written again.
 */
const MOST_LEVELS = 500;

type ReadInput = Pick<ToolUse, 'input' | 'inputFault'>;

/**
 * Parses a tool's input: the start of the block, or the deltas. A broken input keeps its complete
 * part only in a truncated reply, because that call will not run; any other unreadable input is
 * empty, with the fault.
 */
function readInput(
  { given, json }: { readonly given: unknown; readonly json: string },
  isCut: boolean,
): ReadInput {
  if (json.trim() === '') return isObject(given) ? faultless(given) : { input: {} };
  const value = parsed(json);
  if (isObject(value)) return faultless(value);
  if (isCut) return faultless(wholeMembers(json));
  return unreadable('The input of this call is not a JSON object');
}

function faultless(input: Readonly<Record<string, unknown>>): ReadInput {
  const fault = faultIn(input);
  return fault === undefined ? { input } : unreadable(`The input of this call ${fault}`);
}

function unreadable(why: string): ReadInput {
  return { input: {}, inputFault: `${why}. The tool did not run. Make the call again.` };
}

/** Says why a value could not be stored and sent back unchanged. */
function faultIn(input: object): string | undefined {
  if (isNestedDeeper(input, MOST_LEVELS)) return `is nested deeper than ${MOST_LEVELS} levels`;
  return isWritable(input) ? undefined : 'holds a number that is too large';
}

/** Whether all numbers in a value can be written as JSON. */
function isWritable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isWritable);
}

/**
 * Parses the complete part of a truncated JSON object: its members up to the last complete one.
 *
 * Half a string or number is left out, never completed; `{}` if nothing is complete or the text is
 * not an object.
 */
export function wholeMembers(json: string): Readonly<Record<string, unknown>> {
  const end = endOfWhole(json);
  const value = parsed(json.slice(0, end) + closers(json.slice(0, end)));
  return isObject(value) ? value : {};
}

/** The end of the last complete member, or of its object or list; 0 for none. */
function endOfWhole(json: string): number {
  let end = 0;
  for (const { char, at } of outsideStrings(json)) {
    if (char === '}' || char === ']') end = at + 1;
    else if (char === ',') end = at;
  }
  return end;
}

/** The brackets that close a truncated text. */
function closers(json: string): string {
  const open: string[] = [];
  for (const { char } of outsideStrings(json)) {
    if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') open.pop();
  }
  return open.toReversed().join('');
}

function* outsideStrings(json: string): Generator<{ readonly char: string; readonly at: number }> {
  let isString = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (isString) {
      if (char === '\\') at += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') {
      isString = true;
    } else {
      yield { char, at };
    }
  }
}

/** Parses a text; undefined when it is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
