import { batch, signal } from '@preact/signals';
import type { AgentFact, AgentWish, Conversation } from '../../src/protocol/agentView';
import type { Handlers } from '../../src/protocol/handlers';
import { appended, outputsStillRunning, repliesInFlight, resultsStillShown } from './streams';

/** Characters of a running tool's output that are kept; its end is what one watches. */
const OUTPUT_KEPT = 20_000;

export interface AgentStoreDeps {
  readonly post: (wish: AgentWish) => void;
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

  constructor(private readonly deps: AgentStoreDeps) {
    this.draft = signal(deps.draft);
  }

  /** Sends a wish; an earlier refusal has been read by then. */
  wish(wish: AgentWish): void {
    this.refusal.value = undefined;
    this.deps.post(wish);
  }

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
    this.deps.post({ type: 'fetchResult', toolUseId });
  }

  /** What the store does with each fact. */
  readonly handlers: Handlers<AgentFact> = {
    conversationChanged: ({ conversation }) => this.#show(conversation),
    replyStreamed: (fact) => this.#stream(fact),
    toolOutputStreamed: (fact) => this.#stream(fact),
    resultFetched: ({ toolUseId, text }) => {
      this.#requested.delete(toolUseId);
      this.results.value = new Map(this.results.value).set(toolUseId, text);
    },
    wishRefused: ({ message }) => this.#refuse(message),
    promptReturned: ({ text }) => {
      const begun = this.draft.value;
      this.draft.value = begun.trim() === '' ? text : `${text}\n\n${begun}`;
    },
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

  #refuse(message: string): void {
    batch(() => {
      this.refusal.value = message;
      this.answered.value = undefined;
      this.#requested.clear();
    });
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
