import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type {
  AnsweredWish,
  ContextFact,
  ContextPost,
  ContextView,
  ContextWish,
  DecisionView,
  Scratchpad,
} from '../../src/protocol/contextPanel';
import type { Handlers } from '../../src/protocol/handlers';
import type { RequestView } from '../../src/protocol/requestView';
import type { TimelineView } from '../../src/protocol/timeline';
import type { PlanView, WhatIfView } from '../../src/protocol/whatIf';
import { DEFAULT_LOOK, lookAt, type Look } from './look';
import type { Unsent } from './unsent';

/** A summary as it stood when the user began to rewrite it. */
export interface FetchedSummary {
  readonly blockId: string;
  readonly text: string;
}

/** A request there is none of, and why. */
export interface MissingRequest {
  readonly step: number | 'next';
  readonly message: string;
}

/** How often wishes of each kind have been fulfilled. */
export type Fulfilled = Readonly<Record<AnsweredWish, number>>;

/** What the panel knows, and how the user looks at it. */
export interface PanelStore {
  /** Absent until the host has spoken. */
  readonly context: ReadonlySignal<ContextView | undefined>;
  /** Absent until the host has told it. */
  readonly timeline: ReadonlySignal<TimelineView | undefined>;
  readonly refusal: ReadonlySignal<string | undefined>;
  readonly fulfilled: ReadonlySignal<Fulfilled>;
  /** The notes as they were when the user began to change them; absent while they do not. */
  readonly scratchpad: ReadonlySignal<Scratchpad | undefined>;
  /** The summary the user is rewriting; absent while they do not. */
  readonly summary: ReadonlySignal<FetchedSummary | undefined>;
  /** Decisions of the passes that were opened, by the pass's number. */
  readonly decisions: ReadonlySignal<ReadonlyMap<number, readonly DecisionView[]>>;
  /** The request last asked for. */
  readonly request: ReadonlySignal<RequestView | undefined>;
  /** Set where the request last asked for is none. */
  readonly missing: ReadonlySignal<MissingRequest | undefined>;
  /** The plan that would run now; absent while nobody looks at it. */
  readonly preview: ReadonlySignal<PlanView | undefined>;
  /** The scratch settings and what they would come to; absent while nobody tries any. */
  readonly whatIf: ReadonlySignal<WhatIfView | undefined>;
  /** What the user chose to see; kept over hiding and reloading. */
  readonly look: Signal<Look>;
  /** What the user has begun and not sent; kept like the look. */
  readonly unsent: Signal<Unsent>;
  /** What is wished of the next summaries of the session shown; '' for nothing. */
  readonly instructions: ReadonlySignal<string>;
  readonly handlers: Handlers<ContextFact>;
  /** Sends a wish; what was refused before is forgotten where the wish is the user's. */
  readonly wish: (wish: ContextWish) => void;
  readonly instruct: (text: string) => void;
  /** Wishes for a pass, with the instructions there are. */
  readonly makeRoom: () => void;
  readonly dismissRefusal: () => void;
  readonly closeScratchpad: () => void;
  readonly closeSummary: () => void;
  readonly closePreview: () => void;
  readonly closeWhatIf: () => void;
}

/** Wishes the panel sends by itself, too: they leave standing what the user was told. */
const LOOKING: ReadonlySet<ContextWish['type']> = new Set([
  'announceReady',
  'fetchDecisions',
  'fetchRequest',
  'previewPass',
  'whatIf',
]);

/** Makes an empty store whose wishes leave through `post`. */
export function makePanelStore(
  post: (post: ContextPost) => void,
  kept: Look = DEFAULT_LOOK,
  begun: Unsent = {},
): PanelStore {
  const context = signal<ContextView | undefined>(undefined);
  const timeline = signal<TimelineView | undefined>(undefined);
  const refusal = signal<string | undefined>(undefined);
  const fulfilled = signal<Fulfilled>({ updateScratchpad: 0, rewriteSummary: 0, makeRoom: 0 });
  const scratchpad = signal<Scratchpad | undefined>(undefined);
  const summary = signal<FetchedSummary | undefined>(undefined);
  const decisions = signal<ReadonlyMap<number, readonly DecisionView[]>>(new Map());
  const request = signal<RequestView | undefined>(undefined);
  const missing = signal<MissingRequest | undefined>(undefined);
  const preview = signal<PlanView | undefined>(undefined);
  const whatIf = signal<WhatIfView | undefined>(undefined);
  const look = signal(kept);
  const unsent = signal(begun);
  const sessionShown = computed(() => context.value?.session ?? '');
  const instructions = computed(() => {
    const { instructions: typed } = unsent.value;
    return typed?.session === sessionShown.value ? typed.text : '';
  });
  /** What the last pass wished for was told: what was typed since is for the next one. */
  let toldOfPass = '';
  /** False once the user has closed the preview: an answer on its way does not open it again. */
  let isPreviewing = false;
  const clear = (cleared: Signal<unknown>) => (): void => {
    cleared.value = undefined;
  };
  const closePreview = (): void => {
    isPreviewing = false;
    preview.value = undefined;
  };
  /** What was fetched of one session says nothing of another. */
  const forgetFetched = (): void => {
    for (const fetched of [scratchpad, summary, request, missing, whatIf]) {
      fetched.value = undefined;
    }
    decisions.value = new Map();
    closePreview();
  };
  const instruct = (text: string): void => {
    const { instructions: _, ...others } = unsent.peek();
    const typed = { instructions: { session: sessionShown.peek(), text } };
    unsent.value = text === '' ? others : { ...others, ...typed };
  };
  const wish = (wished: ContextWish): void => {
    if (!LOOKING.has(wished.type)) clear(refusal)();
    if (wished.type === 'previewPass') isPreviewing = true;
    if (wished.type === 'fetchRequest') clear(missing)();
    if (wished.type === 'makeRoom') toldOfPass = wished.instructions;
    post({ session: sessionShown.peek(), wish: wished });
  };
  return {
    context,
    timeline,
    refusal,
    fulfilled,
    scratchpad,
    summary,
    decisions,
    request,
    missing,
    preview,
    whatIf,
    look,
    unsent,
    instructions,
    handlers: {
      contextChanged: (fact) => {
        const { value: before } = context;
        const { session } = fact.context;
        batch(() => {
          if (before !== undefined && before.session !== session) forgetFetched();
          look.value = lookAt(look.value, session);
          context.value = fact.context;
        });
      },
      timelineChanged: (fact) => {
        timeline.value = fact.timeline;
      },
      wishRefused: ({ message }) => {
        refusal.value = message;
      },
      wishFulfilled: (fact) => {
        const count = fulfilled.value[fact.wish] + 1;
        fulfilled.value = { ...fulfilled.value, [fact.wish]: count };
        if (fact.wish === 'makeRoom' && instructions.value.trim() === toldOfPass) instruct('');
      },
      scratchpadFetched: (fact) => {
        scratchpad.value = fact.scratchpad;
      },
      summaryFetched: ({ blockId, text }) => {
        summary.value = { blockId, text };
      },
      decisionsFetched: (fact) => {
        decisions.value = new Map(decisions.value).set(fact.number, fact.decisions);
      },
      requestFetched: (fact) => {
        request.value = fact.request;
        clear(missing)();
      },
      requestMissing: ({ step, message }) => {
        missing.value = { step, message };
        if (request.value?.step === step) clear(request)();
      },
      previewShown: (fact) => {
        if (isPreviewing) preview.value = fact.preview;
      },
      whatIfShown: (fact) => {
        whatIf.value = fact.whatIf;
      },
    },
    wish,
    instruct,
    makeRoom: () => wish({ type: 'makeRoom', instructions: instructions.value.trim() }),
    dismissRefusal: clear(refusal),
    closeScratchpad: clear(scratchpad),
    closeSummary: clear(summary),
    closePreview,
    closeWhatIf: clear(whatIf),
  };
}

/** Hands a wish on to the host. */
export type SendWish = (wish: ContextWish) => void;
