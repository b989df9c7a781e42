import { batch, signal } from '@preact/signals';
import type { AgentFact, Conversation } from '../../src/protocol/agentView';
import type { AgentWishes } from '../../src/protocol/agentWishes';
import type { Handlers } from '../../src/protocol/handlers';
import type { Post } from '../../src/protocol/wish';
import { Asking, type TakersOf, type Wish } from '../ui/asking';
import { appended, outputsStillRunning, repliesInFlight, resultsStillShown } from './streams';

/** Characters of a running tool's output that are kept; its end is what one watches. */
const OUTPUT_KEPT = 20_000;

export interface AgentStoreDeps {
  readonly post: (post: Post<AgentWishes>) => void;
  /** A number that no page before this one can have come to. */
  readonly firstNumber: number;
  /** Runs a task before the next frame is drawn. */
  readonly beforeFrame: (task: () => void) => void;
  /** What the user had typed when the view was last hidden. */
  readonly draft: string;
}

/** Remembers what the host said and what the user has begun; the views draw from its signals. */
export class AgentStore {
  readonly conversation = signal<Conversation | undefined>(undefined);
  /** Text of replies in flight, by step. */
  readonly replies = signal<ReadonlyMap<number, string>>(new Map());
  /** Output of running tools, by tool call. */
  readonly outputs = signal<ReadonlyMap<string, string>>(new Map());
  /** Fetched results, by tool call. */
  readonly results = signal<ReadonlyMap<string, string>>(new Map());
  /** Why the host refused the last wish. */
  readonly refusal = signal<string | undefined>(undefined);
  /** The tool call whose approval was answered and has not been taken back since. */
  readonly answered = signal<string | undefined>(undefined);
  readonly draft;

  #requested = new Set<string>();
  #streamed: AgentFact[] = [];

  readonly #asking: Asking<AgentWishes>;

  constructor(private readonly deps: AgentStoreDeps) {
    this.draft = signal(deps.draft);
    this.#asking = new Asking(
      {
        post: (number, wish) => deps.post({ number, wish }),
        takers: this.#takers,
        refuse: (why) => this.#refuse(why),
      },
      deps.firstNumber,
    );
  }

  /** Sends a wish; an earlier refusal has been read by then. */
  readonly wish: Wish<AgentWishes> = (wish, takers) => {
    this.refusal.value = undefined;
    return this.#asking.ask(wish, takers);
  };

  /** Sends what is in the composer and empties it; a refused prompt comes back. */
  submitDraft(): void {
    const text = this.draft.value.trim();
    if (text === '') return;
    this.draft.value = '';
    this.wish({ type: 'submitPrompt', text });
  }

  /** Answers the open question once; feedback goes to the agent with a no. */
  answer(toolUseId: string, approved: boolean, feedback = ''): void {
    if (this.answered.value === toolUseId) return;
    this.answered.value = toolUseId;
    const said = feedback.trim();
    this.wish({
      type: 'answerApproval',
      toolUseId,
      approved,
      ...(approved || said === '' ? {} : { feedback: said }),
    });
  }

  /** Asks for the text of a result unless it is here or on its way. */
  fetchResult(toolUseId: string): void {
    if (this.results.value.has(toolUseId) || this.#requested.has(toolUseId)) return;
    this.#requested.add(toolUseId);
    this.#asking.ask({ type: 'fetchResult', toolUseId });
  }

  readonly #takers: TakersOf<AgentWishes> = {
    submitPrompt: ({ text }) => ({
      refused: (why) => {
        this.#refuse(why);
        this.#giveBack(text);
      },
    }),
    takeBackQueued: () => ({ answered: (text) => this.#giveBack(text) }),
    startSession: () => ({ answered: (text) => this.#giveBack(text) }),
    answerApproval: () => ({
      refused: (why) => {
        this.#refuse(why);
        this.answered.value = undefined;
      },
    }),
    fetchResult: ({ toolUseId }) => ({
      answered: (text) => {
        this.#requested.delete(toolUseId);
        this.results.value = new Map(this.results.value).set(toolUseId, text);
      },
      refused: (why) => {
        this.#refuse(why);
        this.#requested.delete(toolUseId);
      },
    }),
  };

  /** What the store does with each fact. */
  readonly handlers: Handlers<AgentFact> = {
    conversationChanged: ({ conversation }) => this.#show(conversation),
    replyStreamed: (fact) => this.#stream(fact),
    toolOutputStreamed: (fact) => this.#stream(fact),
    wishAnswered: (fact) => this.#asking.answered(fact),
  };

  #show(conversation: Conversation): void {
    batch(() => {
      this.#takeStreamed();
      this.conversation.value = conversation;
      this.replies.value = repliesInFlight(this.replies.value, conversation);
      this.outputs.value = outputsStillRunning(this.outputs.value, conversation);
      this.results.value = resultsStillShown(this.results.value, conversation);
      const { activity } = conversation;
      const open = activity.state === 'awaitingApproval' ? activity.approval.toolUseId : undefined;
      if (open !== this.answered.value) this.answered.value = undefined;
    });
  }

  #refuse(why: string): void {
    this.refusal.value = why;
  }

  /** A prompt that was not sent goes back into the composer. */
  #giveBack(text: string): void {
    if (text === '') return;
    const begun = this.draft.value;
    this.draft.value = begun.trim() === '' ? text : `${text}\n\n${begun}`;
  }

  /** Collects what is streamed and draws it once a frame, however fast it comes. */
  #stream(fact: AgentFact): void {
    this.#streamed.push(fact);
    if (this.#streamed.length === 1) this.deps.beforeFrame(() => this.#takeStreamed());
  }

  #takeStreamed(): void {
    const streamed = this.#streamed;
    this.#streamed = [];
    batch(() => {
      for (const fact of streamed) {
        if (fact.type === 'replyStreamed') {
          this.replies.value = appended(this.replies.value, fact.step, fact);
        } else if (fact.type === 'toolOutputStreamed') {
          this.outputs.value = appended(this.outputs.value, fact.toolUseId, fact, OUTPUT_KEPT);
        }
      }
    });
  }
}
