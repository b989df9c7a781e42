import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type {
  ContextFact,
  ContextView,
  ContextWish,
  DecisionView,
  Scratchpad,
} from '../../src/protocol/contextPanel';
import type { Handlers } from '../../src/protocol/handlers';
import type { RequestView } from '../../src/protocol/requestView';
import type { TimelineView } from '../../src/protocol/timeline';
import type { PlanView, WhatIfView } from '../../src/protocol/whatIf';
import { DEFAULT_LOOK, type Look } from './look';

/** A summary as it stood when the user began to rewrite it. */
export interface FetchedSummary {
  readonly blockId: string;
  readonly text: string;
}

/** What the panel knows, and how the user looks at it. */
export interface PanelStore {
  /** Absent until the host has spoken. */
  readonly context: ReadonlySignal<ContextView | undefined>;
  /** Absent until the host has told it. */
  readonly timeline: ReadonlySignal<TimelineView | undefined>;
  readonly refusal: ReadonlySignal<string | undefined>;
  /** The notes as they were when the user began to change them; absent while they do not. */
  readonly scratchpad: ReadonlySignal<Scratchpad | undefined>;
  /** The summary the user is rewriting; absent while they do not. */
  readonly summary: ReadonlySignal<FetchedSummary | undefined>;
  /** Decisions of the passes that were opened, by the pass's number. */
  readonly decisions: ReadonlySignal<ReadonlyMap<number, readonly DecisionView[]>>;
  /** The request last asked for. */
  readonly request: ReadonlySignal<RequestView | undefined>;
  /** The plan that would run now; absent while nobody looks at it. */
  readonly preview: ReadonlySignal<PlanView | undefined>;
  /** The scratch settings and what they would come to; absent while nobody tries any. */
  readonly whatIf: ReadonlySignal<WhatIfView | undefined>;
  /** What the user chose to see; kept over hiding and reloading. */
  readonly look: Signal<Look>;
  readonly handlers: Handlers<ContextFact>;
  /** Sends a wish; what was refused before is forgotten where the wish is the user's. */
  readonly wish: (wish: ContextWish) => void;
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
  post: (wish: ContextWish) => void,
  look: Look = DEFAULT_LOOK,
): PanelStore {
  const context = signal<ContextView | undefined>(undefined);
  const timeline = signal<TimelineView | undefined>(undefined);
  const refusal = signal<string | undefined>(undefined);
  const scratchpad = signal<Scratchpad | undefined>(undefined);
  const summary = signal<FetchedSummary | undefined>(undefined);
  const decisions = signal<ReadonlyMap<number, readonly DecisionView[]>>(new Map());
  const request = signal<RequestView | undefined>(undefined);
  const preview = signal<PlanView | undefined>(undefined);
  const whatIf = signal<WhatIfView | undefined>(undefined);
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
    for (const fetched of [scratchpad, summary, request, whatIf]) fetched.value = undefined;
    decisions.value = new Map();
    closePreview();
  };
  return {
    context,
    timeline,
    refusal,
    scratchpad,
    summary,
    decisions,
    request,
    preview,
    whatIf,
    look: signal(look),
    handlers: {
      contextChanged: (fact) => {
        const { value: before } = context;
        if (before !== undefined && before.session !== fact.context.session) forgetFetched();
        context.value = fact.context;
      },
      timelineChanged: (fact) => {
        timeline.value = fact.timeline;
      },
      wishRefused: ({ message }) => {
        refusal.value = message;
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
      },
      previewShown: (fact) => {
        if (isPreviewing) preview.value = fact.preview;
      },
      whatIfShown: (fact) => {
        whatIf.value = fact.whatIf;
      },
    },
    wish: (wish) => {
      if (!LOOKING.has(wish.type)) clear(refusal)();
      if (wish.type === 'previewPass') isPreviewing = true;
      post(wish);
    },
    dismissRefusal: clear(refusal),
    closeScratchpad: clear(scratchpad),
    closeSummary: clear(summary),
    closePreview,
    closeWhatIf: clear(whatIf),
  };
}

/** Hands a wish on to the host. */
export type SendWish = (wish: ContextWish) => void;
