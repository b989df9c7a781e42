import { batch, computed, signal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  AgentFact,
  Conversation,
  PromptEffectsView,
} from '../../src/editor/conversation/state';
import type { AgentWishes } from '../../src/editor/conversation/wishes';
import { type Mode, MODES } from '../../src/editor/coreForPages';
import { patchConversation } from '../../src/editor/conversation/conversationPatch';
import { LONGEST_PROMPT, PASTED } from '../../src/editor/composer/pastedText';
import type { FileToRestore } from '../../src/editor/checkpoints/state';
import type { Post } from '../../src/editor/wish';
import type { Handlers } from '../kit/hostLink';
import { ONCE, type ApprovalGiven } from './approvalScope';
import { Asking, followSnapshots, type TakersOf, type Wish } from '../kit/hostLink';
import type { ReplyActions } from '../kit/markdown';
import { appended, outputsStillRunning, stepsInFlight } from './inFlight';

/** Characters of a running tool's output that are kept, from its end. */
const OUTPUT_KEPT = 20_000;

/** What the user has to confirm: undoing a prompt, or going back to the moment before a step. */
export type GoingBack =
  | { readonly promptId: string; readonly effects: PromptEffectsView }
  | { readonly step: number; readonly restore: readonly FileToRestore[] };

interface AgentViewStoreDeps {
  readonly post: (post: Post<AgentWishes>) => void;
  /** Higher than any number that an earlier page can have reached. */
  readonly firstNumber: number;
  /** Runs a task before the next frame. */
  readonly beforeFrame: (task: () => void) => void;
  /** The text in the composer when the view was last hidden. */
  readonly unsentPrompt: string;
}

/** Holds what the host sent and what the user has begun, as signals from which the views draw. */
export class AgentViewStore {
  readonly conversation = signal<Conversation | undefined>(undefined);
  /** Text of replies being written, by step. */
  readonly replies = signal<ReadonlyMap<number, string>>(new Map());
  /** Thinking of those replies, by step. */
  readonly thoughts = signal<ReadonlyMap<number, string>>(new Map());
  /** Output of running tools, by tool call. */
  readonly outputs = signal<ReadonlyMap<string, string>>(new Map());
  /** Fetched results, by tool call. */
  readonly results = signal<ReadonlyMap<string, string>>(new Map());
  /** The tool calls that are open and show their arguments and results. */
  readonly openCalls = signal<ReadonlySet<string>>(new Set());
  /** Why the host refused the last wish. */
  readonly refusal = signal<string | undefined>(undefined);
  /** The tool call that the user has answered, unless the answer was refused since. */
  readonly answered = signal<string | undefined>(undefined);
  readonly goingBack = signal<GoingBack | undefined>(undefined);
  readonly unsentPrompt: Signal<string>;
  /** A text too long for a prompt, which the user can attach instead. */
  readonly tooLong = signal<string | undefined>(undefined);
  /** The steps whose replies are being written; the same list until it changes. */
  readonly stepsInFlight = computed(() => this.#stepsInFlight());

  #lastInFlight: readonly number[] = [];
  #hasDraft = false;
  /** The mode that the host has yet to show. */
  #modeAsked: Mode | undefined;
  #keptDraft: string;
  /** Prompts from elsewhere that came before the text of before a reload. */
  readonly #offered: string[] = [];
  #requested = new Set<string>();
  #streamed: AgentFact[] = [];
  readonly #snapshots = followSnapshots(
    this.conversation,
    patchConversation,
    () => void this.#asking.ask({ type: 'announceReady' }),
  );

  readonly #asking: Asking<AgentWishes>;

  constructor(private readonly deps: AgentViewStoreDeps) {
    this.unsentPrompt = signal(deps.unsentPrompt);
    this.#keptDraft = deps.unsentPrompt;
    this.#asking = new Asking(
      {
        post: (number, wish) => deps.post({ number, wish }),
        takers: this.#takers,
        refuse: (why) => this.#refuse(why),
      },
      deps.firstNumber,
    );
    // The window's reload can lose the page's own state, so the host keeps the text, too.
    this.unsentPrompt.subscribe((text) => this.#keepDraft(text));
  }

  /** Sends a wish and clears the last refusal. */
  readonly wish: Wish<AgentWishes> = (wish, takers) => {
    this.refusal.value = undefined;
    return this.#asking.ask(wish, takers);
  };

  readonly replyActions: ReplyActions = {
    copy: (code) => void this.wish({ type: 'copyCode', code }),
    insert: (code) => void this.wish({ type: 'insertCode', code }),
    apply: (code, path) =>
      void this.wish({ type: 'applyCode', code, ...(path === undefined ? {} : { path }) }),
    openFile: (path, line) =>
      void this.wish({ type: 'openFile', path, ...(line === undefined ? {} : { line }) }),
  };

  /**
   * Sends the prompt and empties the composer; a refused prompt comes back. `atNextStep`: at the
   * next step of the running turn.
   */
  submitPrompt(atNextStep = false): void {
    const text = this.unsentPrompt.value.trim();
    if (text === '') return;
    this.unsentPrompt.value = '';
    if (text.length > LONGEST_PROMPT) return this.offerToAttach(text);
    const attached = this.conversation.peek()?.attached?.items.map(({ id }) => id) ?? [];
    this.wish({
      type: 'submitPrompt',
      text,
      ...(attached.length === 0 ? {} : { attached }),
      ...(atNextStep ? { atNextStep } : {}),
    });
  }

  /** Switches to the next mode; a second press may come before the host has shown the first. */
  nextMode(): void {
    const before = this.#modeAsked ?? this.conversation.peek()?.mode;
    const next = before && MODES[(MODES.indexOf(before) + 1) % MODES.length];
    if (next === undefined) return;
    this.#modeAsked = next;
    this.wish({ type: 'setMode', mode: next });
  }

  /** Says how long a text is, and offers to attach it. */
  offerToAttach(text: string): void {
    this.tooLong.value = text;
  }

  /** Attaches the text that is too long. */
  attachTooLong(): void {
    const text = this.tooLong.value;
    this.tooLong.value = undefined;
    if (text !== undefined) this.wish({ type: 'attachText', name: PASTED, text });
  }

  /** Answers the open question, at most once. */
  answer(toolUseId: string, given: ApprovalGiven): void {
    const { approved, words = '', together = false, chosen = ONCE } = given;
    if (this.answered.value === toolUseId) return;
    this.answered.value = toolUseId;
    const feedback = words.trim();
    const { scope, choice } = chosen;
    this.wish({
      type: 'answerApproval',
      toolUseId,
      approved,
      ...(feedback === '' ? {} : { feedback }),
      ...(together ? { together } : {}),
      ...(approved && scope !== 'once' ? { rule: { scope, choice } } : {}),
    });
  }

  /** Opens or closes a tool call. */
  toggleCall(toolUseId: string): void {
    const open = new Set(this.openCalls.value);
    if (!open.delete(toolUseId)) open.add(toolUseId);
    this.openCalls.value = open;
  }

  /** Fetches the text of a result, unless it is here or requested. */
  fetchResult(toolUseId: string): void {
    if (this.results.value.has(toolUseId) || this.#requested.has(toolUseId)) return;
    this.#requested.add(toolUseId);
    this.#asking.ask({ type: 'fetchResult', toolUseId });
  }

  readonly #takers: TakersOf<AgentWishes> = {
    announceReady: () => ({ answered: (draft) => this.#takeDraft(draft) }),
    submitPrompt: ({ text }) => ({ refused: (why) => this.#refuse(why, text) }),
    editQueued: ({ text }) => ({ refused: (why) => this.#refuse(why, text) }),
    undoPrompt: () => ({ answered: (text) => this.#giveBack(text) }),
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

  readonly handlers: Handlers<AgentFact> = {
    conversationChanged: ({ conversation, number }) =>
      this.#take(() => {
        const { session = '' } = this.conversation.peek() ?? {};
        // A new session has no id before its first prompt, and its first text may arrive before the
        // id.
        if (session !== '' && session !== conversation.session) this.#forget();
        this.#snapshots.whole(conversation, number);
      }),
    conversationPatched: ({ number, patch }) =>
      this.#take(() => this.#snapshots.patched(number, patch)),
    replyStreamed: (fact) => this.#stream(fact),
    thinkingStreamed: (fact) => this.#stream(fact),
    toolOutputStreamed: (fact) => this.#stream(fact),
    promptOffered: ({ text }) => this.#takeOffered(text),
    wishAnswered: (fact) => this.#asking.answered(fact),
  };

  /** Changes the conversation, and drops streamed text that the new state contains. */
  #take(change: () => void): void {
    batch(() => {
      this.#takeStreamed();
      const modeBefore = this.conversation.peek()?.mode;
      change();
      const conversation = this.conversation.peek();
      if (conversation === undefined) return;
      if (conversation.mode !== modeBefore) this.#modeAsked = undefined;
      const { activity } = conversation;
      this.replies.value = stepsInFlight(this.replies.value, conversation);
      this.thoughts.value = stepsInFlight(this.thoughts.value, conversation);
      this.outputs.value = outputsStillRunning(this.outputs.value, conversation);
      const open = activity.state === 'awaitingApproval' ? activity.approval.toolUseId : undefined;
      if (open !== this.answered.value) this.answered.value = undefined;
    });
  }

  /** Fetched results and open calls belong to one session. */
  #forget(): void {
    this.replies.value = new Map();
    this.thoughts.value = new Map();
    this.outputs.value = new Map();
    this.results.value = new Map();
    this.openCalls.value = new Set();
    this.goingBack.value = undefined;
    this.#requested.clear();
  }

  /** Shows why a wish was refused; `text` is the text the user typed for it. */
  #refuse(why: string, text = ''): void {
    this.refusal.value = why;
    this.#giveBack(text);
  }

  /** With each key: the user may reload the window right after it. */
  #keepDraft(text: string): void {
    if (text === this.#keptDraft || text.length > LONGEST_PROMPT) return;
    this.#keptDraft = text;
    this.#asking.ask({ type: 'keepDraft', text });
  }

  /**
   * Shows the text of before a reload, once, unless the user has typed since. The text that the
   * page kept itself may be older, since VS Code saves it once a minute, but may be longer.
   */
  #takeDraft(draft: string): void {
    if (this.#hasDraft) return;
    this.#hasDraft = true;
    const text = this.unsentPrompt.value;
    if (text === this.deps.unsentPrompt && text.length <= LONGEST_PROMPT) {
      this.#keptDraft = draft;
      this.unsentPrompt.value = draft;
    }
    for (const text of this.#offered.splice(0)) this.#takeOffered(text);
  }

  /** Puts a prompt from elsewhere in the editor after the text being typed. */
  #takeOffered(text: string): void {
    if (!this.#hasDraft) return void this.#offered.push(text);
    const begun = this.unsentPrompt.value.trimEnd();
    this.unsentPrompt.value = begun === '' ? text : `${begun}\n\n${text}`;
  }

  /** Puts a prompt that was not sent back into the composer. */
  #giveBack(text: string): void {
    if (text === '') return;
    const begun = this.unsentPrompt.value;
    this.unsentPrompt.value = begun.trim() === '' ? text : `${text}\n\n${begun}`;
  }

  /** Collects streamed text and draws it once a frame. */
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
        } else if (fact.type === 'thinkingStreamed') {
          this.thoughts.value = appended(this.thoughts.value, fact.step, fact);
        } else if (fact.type === 'toolOutputStreamed') {
          this.outputs.value = appended(this.outputs.value, fact.toolUseId, fact, OUTPUT_KEPT);
        }
      }
    });
  }

  #stepsInFlight(): readonly number[] {
    const said = [...this.thoughts.value, ...this.replies.value];
    const begun = [
      ...new Set(said.flatMap(([step, text]) => (text.trim() === '' ? [] : [step]))),
    ].toSorted((one, other) => one - other);
    if (begun.join() !== this.#lastInFlight.join()) this.#lastInFlight = begun;
    return this.#lastInFlight;
  }
}

/** Gives every view below access to the store. */
export const AgentViewContext = createContext<AgentViewStore | undefined>(undefined);

export function useAgentView(): AgentViewStore {
  const store = useContext(AgentViewContext);
  if (store === undefined) throw new Error('This is not inside an AgentViewContext.');
  return store;
}
