import type { BlockId, ToolUse, ToolUseId } from '../../../src/contextWindow/block';
import { entered } from '../../../src/contextWindow/enterEvent';
import type { NewEvent, SessionEvent } from '../../../src/contextWindow/event';
import type { Decision } from '../../../src/contextWindow/plan';
import { passThat } from '../../support/drawing';
import { COURSE } from './course';

const MODEL = 'claude-sonnet-5-5';

/** A pass leaves so many of the newest blocks in the window. */
const KEPT_BLOCKS = 40;

/** Tokens of a step with its result, as the API counts them. */
const STEP_TOKENS = 340;

type PassApplied = Extract<NewEvent, { readonly type: 'passApplied' }>;
type Pass = PassApplied['pass'];

/** Writes the log of a session that reads and edits files, as long as one likes. */
export class LongLog {
  #step = 0;
  #prompt = 0;
  #pass = 0;
  /** The blocks in the window, without the anchor. */
  #blocks: BlockId[] = [];

  /** What a session begins with. */
  start(): readonly NewEvent[] {
    return [
      { type: 'sessionStarted', version: 2, sessionId: 'long', pinTaskAnchor: true },
      { type: 'modelSet', model: MODEL },
      this.prompt(),
    ];
  }

  prompt(): NewEvent {
    this.#prompt += 1;
    if (this.#prompt > 1) this.#blocks.push(`prompt-${this.#prompt}` as BlockId);
    const text = `Look at part ${this.#prompt} of the library, and mend what is wrong in it.`;
    return { type: 'promptSubmitted', text, admission: { form: 'whole' } };
  }

  /** A reply with one call. */
  reply(): NewEvent {
    const number = (this.#step += 1);
    this.#blocks.push(`step-${number}` as BlockId);
    const use = { id: `toolu_${number}` as ToolUseId, ...callOf(number) };
    const cacheReadTokens = this.#blocks.length * STEP_TOKENS;
    return {
      type: 'replyReceived',
      model: MODEL,
      parts: [
        { type: 'text', text: `Next is part ${number}: **what** it exports.` },
        { type: 'toolUse', use },
      ],
      stopReason: 'tool_use',
      usage: { inputTokens: 40, cacheCreationTokens: 300, cacheReadTokens, outputTokens: 60 },
      durationMs: 900,
      tiers: { system: 900, archive: cacheReadTokens, working: 1_200, exact: true },
    };
  }

  /** The result of the call in the newest reply. */
  result(): NewEvent {
    return {
      type: 'toolFinished',
      toolUseId: `toolu_${this.#step}` as ToolUseId,
      text: resultOf(this.#step),
      isError: this.#step % 97 === 0,
      origin: 'ran',
      durationMs: 3,
      admission: { form: 'whole' },
    };
  }

  /** A pass that takes all but the newest blocks out, with a decision for each. */
  pass(): PassApplied {
    const leaving = new Set(this.#blocks.slice(0, -KEPT_BLOCKS));
    const { pass } = passThat('evict', this.#blocks) as PassApplied;
    this.#blocks = this.#blocks.filter((id) => !leaving.has(id));
    this.#pass += 1;
    const decisions = pass.decisions.map((decision) =>
      leaving.has(decision.blockId) ? decision : kept(decision),
    );
    const numbers = { number: this.#pass, beforeStep: this.#step + 1 };
    return { type: 'passApplied', pass: { ...pass, ...numbers, decisions } satisfies Pass };
  }

  /** The next step of the course, with the pass or the prompt that comes before it. */
  next(): readonly NewEvent[] {
    const { passEvery = Infinity, turnSteps } = COURSE;
    const isDue = this.#blocks.length > KEPT_BLOCKS && this.#step % passEvery === 0;
    return [
      ...(isDue ? [this.pass()] : []),
      ...(this.#step > 0 && this.#step % turnSteps === 0 ? [this.prompt()] : []),
      this.reply(),
      this.result(),
    ];
  }
}

/** Writes the log of the course this process measures; `log` goes on with it. */
export function longLog(): { readonly events: readonly SessionEvent[]; readonly log: LongLog } {
  const log = new LongLog();
  const last = { turn: 0, step: 0, note: 0 };
  const events: SessionEvent[] = [];
  const take = (event: NewEvent): void => {
    const whole = entered(event, events.length, last);
    if (whole.type === 'promptSubmitted') last.turn = whole.turn;
    if (whole.type === 'replyReceived') last.step = whole.step;
    events.push(whole);
  };
  log.start().forEach(take);
  while (last.step < COURSE.steps) log.next().forEach(take);
  return { events, log };
}

function kept(decision: Decision): Decision {
  return { ...decision, action: 'keep', rule: 'keep:recent', after: decision.before };
}

/** Mostly files in work; now and then a new one, one not read for long, or an edit. */
function callOf(number: number): Omit<ToolUse, 'id'> {
  if (number % 10 === 0) return read(`src/new${number}.ts`);
  if (number % 20 === 7) return read(`src/old${number % 400}.ts`);
  const path = `src/part${number % 30}.ts`;
  if (number % 5 !== 3) return read(path);
  return { name: 'edit_file', input: { path, old_text: 'one', new_text: 'two' } };
}

function read(path: string): Omit<ToolUse, 'id'> {
  return { name: 'read_file', input: { path } };
}

/** About 1,000 characters of code. */
function resultOf(number: number): string {
  return `export const part${number} = (a, b) => a + b;\n`.repeat(24);
}
