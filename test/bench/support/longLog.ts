import type { BlockId, ToolUseId } from '../../../src/contextWindow/block';
import { entered, type NewEvent, type SessionEvent } from '../../../src/contextWindow/event';
import type { Decision } from '../../../src/contextWindow/plan';
import { passThat } from '../../support/drawing';
import { COURSE } from './course';
import { WorkedFiles, type Answered } from './workedFiles';

const MODEL = 'claude-sonnet-5-5';

/** A pass keeps this many of the newest blocks in the window. */
const KEPT_BLOCKS = 40;

/** Lines that a read shows unless the course says otherwise. */
const READ_LINES = 24;

/** Characters of a token. */
export const TOKEN_CHARS = 3;

/** Tokens of a step without its result, as the API counts them. */
const REPLY_TOKENS = 60;

type PassApplied = Extract<NewEvent, { readonly type: 'passApplied' }>;
type Pass = PassApplied['pass'];

/** Writes the log of a session of any length that reads and edits files. */
export class LongLog {
  #step = 0;
  #prompt = 0;
  #pass = 0;
  /** The blocks in the window, without the anchor, and their total tokens. */
  #blocks: BlockId[] = [];
  #tokens = 0;
  readonly #tokensOf = new Map<BlockId, number>();
  readonly #files = new WorkedFiles(COURSE.readLines ?? READ_LINES);
  /** The answer to the call in the newest reply. */
  #answer = '';

  /** The first events of a session. */
  start(): readonly NewEvent[] {
    return [
      { type: 'sessionStarted', version: 3, sessionId: 'long', pinTaskAnchor: true },
      { type: 'modelSet', model: MODEL },
      this.prompt(),
    ];
  }

  prompt(): NewEvent {
    this.#prompt += 1;
    if (this.#prompt > 1) this.#add(`prompt-${this.#prompt}` as BlockId, 30);
    const text = `Look at part ${this.#prompt} of the library, and mend what is wrong in it.`;
    return { type: 'promptSubmitted', text, admission: { form: 'whole' } };
  }

  /** A reply with one call. */
  reply(): NewEvent {
    const number = (this.#step += 1);
    const { use: call, answer } = this.#call(number);
    const use = { id: `toolu_${number}` as ToolUseId, ...call };
    const cacheReadTokens = this.#tokens;
    this.#answer = answer;
    this.#add(`step-${number}` as BlockId, REPLY_TOKENS + Math.ceil(answer.length / TOKEN_CHARS));
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
      text: this.#answer,
      isError: isFailed(this.#step),
      origin: 'ran',
      durationMs: 3,
      admission: { form: 'whole' },
    };
  }

  /** A pass that evicts all but the newest blocks, with a decision for each block. */
  pass(): PassApplied {
    const leaving = new Set(this.#blocks.slice(0, -KEPT_BLOCKS));
    const { pass } = passThat('evict', this.#blocks) as PassApplied;
    this.#blocks = this.#blocks.filter((id) => !leaving.has(id));
    for (const id of leaving) this.#tokens -= this.#tokensOf.get(id) ?? 0;
    this.#pass += 1;
    const decisions = pass.decisions.map((decision) =>
      leaving.has(decision.blockId) ? decision : kept(decision),
    );
    const numbers = { number: this.#pass, beforeStep: this.#step + 1 };
    return { type: 'passApplied', pass: { ...pass, ...numbers, decisions } satisfies Pass };
  }

  /** The next step of the course, with the pass or prompt that precedes it. */
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

  #add(id: BlockId, tokens: number): void {
    this.#blocks.push(id);
    this.#tokensOf.set(id, tokens);
    this.#tokens += tokens;
  }

  /**
   * Mostly files in work; sometimes a new file, one not read for a long time, an edit, or a
   * command.
   */
  #call(number: number): Answered {
    if (number % 10 === 0) return this.#files.read(`src/new${number}.ts`);
    if (number % 20 === 7) return this.#files.read(`src/old${number % 400}.ts`);
    // The step before read every edited text.
    const path = `src/part${Math.floor(number / 5) % 30}.ts`;
    switch (number % 5) {
      case 1: {
        const use = { name: 'run_command', input: { command: `npm test -- part${number % 30}` } };
        return { use, answer: outputOf(number) };
      }
      case 3:
        return this.#files.edit(path, number);
      default:
        return this.#files.read(path);
    }
  }
}

/** Writes the log of the course in this process; `log` continues it. */
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
  return {
    ...decision,
    action: 'keep',
    reason: { rule: 'keep:recent', steps: 2 },
    after: decision.before,
  };
}

/** True for the occasional command that fails. */
function isFailed(number: number): boolean {
  return number % 95 === 1;
}

/** The output of a command: about 1,000 characters. */
function outputOf(number: number): string {
  return `ok ${number} - adds what part ${number % 30} exports\n`.repeat(24);
}
