import type { ToolUseId } from '../../contextWindow/block';
import { blocksInWindow, type ContextWindow } from '../../contextWindow/window';
import { systemText } from '../../contextWindow/request/request';
import type { Transcript, TranscriptEntry } from '../../sessions/transcript';
import { stringsIn } from './grounding';
import { IdentifierUses, type IdentifierShares } from './identifiers';
import type { Lost } from './lost';
import { OpenQuestions } from './questions';
import { RepeatedCalls, wholeResultsOf } from './repeatedCalls';
import { Shown } from './shown';
import { isClosing, saidIn, SoughtInRecording } from './soughtInRecording';

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/** How far the requests of a replay met what the conversation went on to need. */
export interface Needs {
  readonly identifiers: IdentifierShares;
  readonly repeatedCalls: Lost;
  readonly unansweredQuestions: Lost;
}

/** Follows a replay, and counts what each request shows of what the recording needs of it. */
export class NeedsMet {
  readonly #sought: SoughtInRecording;
  readonly #texts: Shown<string>;
  readonly #results = new Shown<ToolUseId>(wholeResultsOf);
  readonly #identifiers = new IdentifierUses();
  readonly #calls = new RepeatedCalls();
  readonly #questions = new OpenQuestions();
  /** What is in the request besides its blocks, and what was found in it. */
  #scratchpad = '';
  #inScratchpad: ReadonlySet<string> = new Set();
  readonly #inSystem: ReadonlySet<string>;

  constructor(transcript: Transcript) {
    this.#sought = new SoughtInRecording(transcript);
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

  /** Takes the next prompt. */
  prompted(text: string): void {
    this.#identifiers.prompted(this.#sought.toldIn(text), this.#sought.foundIn(text));
    this.#questions.prompted(text);
  }

  /** Takes the window that a request is made of, and the recorded reply to it. */
  requested(window: ContextWindow, reply: ReplyEntry): void {
    const blocks = blocksInWindow(window);
    this.#texts.show(blocks);
    this.#results.show(blocks);
    if (window.shownScratchpad !== this.#scratchpad) {
      this.#scratchpad = window.shownScratchpad;
      this.#inScratchpad = this.#sought.foundReworded(this.#scratchpad);
    }
    const isShown = (text: string) =>
      this.#texts.has(text) || this.#inScratchpad.has(text) || this.#inSystem.has(text);
    this.#questions.requested(isShown);
    const uses = reply.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : []));
    const says = [saidIn(reply), ...uses.flatMap(({ input }) => stringsIn(input))].join('\n');
    this.#identifiers.replied(this.#sought.foundIn(says), isShown);
    this.#calls.replied(uses, reply.results, (id) => this.#results.has(id));
  }

  /** Takes a recorded reply once it is there, whether or not a request was made for it. */
  replied(reply: ReplyEntry): void {
    if (isClosing(reply)) this.#questions.answered(saidIn(reply));
  }
}
