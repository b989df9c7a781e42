import { batch, computed, type ReadonlySignal, signal, type Signal } from '@preact/signals';
import type {
  ComparisonProgressView,
  PolicyComparison,
} from '../../../src/editor/contextPanel/comparison/state';
import type { DecisionView, PlanView } from '../../../src/editor/contextPanel/ledger/state';
import type { OpeningView } from '../../../src/editor/contextPanel/opening/state';
import type { RequestView } from '../../../src/editor/contextPanel/request/state';
import type { ContextFact, ContextView } from '../../../src/editor/contextPanel/state';
import { patchContext, patchTimeline } from '../../../src/editor/contextPanel/statePatch';
import type { TimelineView } from '../../../src/editor/contextPanel/timeline/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import type {
  ContextPost,
  ContextWish,
  ContextWishes,
} from '../../../src/editor/contextPanel/wishes';
import {
  Asking,
  followSnapshots,
  type Handlers,
  type Leave,
  type TakersOf,
  type Wish,
} from '../../kit/hostLink';
import { type Begun, begunIn, DEFAULT_LOOK, type Look, lookAt, type Unsent } from './keptState';
import { textsOf } from './scratchpadFields';

/** A request that does not exist, and why. */
interface MissingRequest {
  readonly step: number | 'next';
  readonly message: string;
}

/** What most parts of the panel draw from. */
export interface PanelProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** The panel's state, and how the user looks at it. */
export interface PanelStore {
  /** Absent until the host sends it. */
  readonly context: ReadonlySignal<ContextView | undefined>;
  /** Absent until the host sends it. */
  readonly timeline: ReadonlySignal<TimelineView | undefined>;
  /** The recording that is being opened; shown in place of the session. */
  readonly opening: ReadonlySignal<OpeningView | undefined>;
  /** Why a wish was refused, if nothing else in the panel waits for its answer. */
  readonly refusal: ReadonlySignal<string | undefined>;
  /** Decisions of the opened passes, by number. */
  readonly decisions: ReadonlySignal<ReadonlyMap<number, readonly DecisionView[]>>;
  /** The request fetched last. */
  readonly request: ReadonlySignal<RequestView | undefined>;
  /** Set if that request does not exist. */
  readonly missing: ReadonlySignal<MissingRequest | undefined>;
  /** The plan that would run now; absent while the preview is closed. */
  readonly preview: ReadonlySignal<PlanView | undefined>;
  /** The comparison of policies over the whole session. */
  readonly comparing: Comparing;
  /** What the user chose to see; kept when the panel is hidden or reloaded. */
  readonly look: Signal<Look>;
  /** Unsent input of the user; kept like the look. */
  readonly unsent: Signal<Unsent>;
  /** The unsent input for the session shown. A dialog is open while it has unsent input. */
  readonly begun: ReadonlySignal<Unsent>;
  readonly handlers: Handlers<ContextFact>;
  /**
   * Sends a wish; a wish of the user's clears the last refusal. The answer goes to `takers`,
   * otherwise to the panel's default, until the returned function is called.
   */
  readonly wish: Wish<ContextWishes>;
  readonly refuse: (message: string) => void;
  /** Keeps unsent input for the session shown; undefined when it is sent or discarded. */
  readonly begin: <K extends keyof Unsent>(kind: K, begun: Begun<K> | undefined) => void;
  /** Opens the what-if dialog, or changes its settings. */
  readonly tryOut: (settings: WhatIfSettings) => void;
  /** Asks for a pass, with the current instructions. */
  readonly compactNow: () => void;
  readonly dismissRefusal: () => void;
  readonly closePreview: () => void;
}

/** Wishes that the panel also sends automatically: they do not clear a refusal. */
const LOOKING: ReadonlySet<ContextWish['type']> = new Set([
  'announceReady',
  'fetchDecisions',
  'fetchLostBlocks',
  'fetchSummaryFindings',
  'fetchCacheRewrites',
  'fetchFiles',
  'fetchLives',
  'fetchRequest',
  'fetchExcerpts',
  'previewPass',
  'stopComparing',
  'watchBlocks',
  'whatIf',
]);

/**
 * Wishes whose answer opens something. Only the newest answer counts, since the user may have
 * closed it.
 */
const OPENING: ReadonlySet<ContextWish['type']> = new Set([
  'fetchScratchpad',
  'fetchSummary',
  'previewPass',
]);

/** Makes an empty store; `post` sends its wishes. */
export function makePanelStore(
  post: (post: ContextPost) => void,
  kept: Look = DEFAULT_LOOK,
  keptUnsent: Unsent = {},
  firstNumber = 1,
): PanelStore {
  const context = signal<ContextView | undefined>(undefined);
  const timeline = signal<TimelineView | undefined>(undefined);
  const opening = signal<OpeningView | undefined>(undefined);
  const refusal = signal<string | undefined>(undefined);
  const decisions = signal<ReadonlyMap<number, readonly DecisionView[]>>(new Map());
  const request = signal<RequestView | undefined>(undefined);
  const missing = signal<MissingRequest | undefined>(undefined);
  const preview = signal<PlanView | undefined>(undefined);
  const look = signal(kept);
  const unsent = signal(keptUnsent);
  const sessionShown = computed(() => context.value?.session ?? '');
  const begun = computed(() => begunIn(unsent.value, sessionShown.value));
  const refuse = (message: string): void => {
    refusal.value = message;
  };
  const newest = new Map<ContextWish['type'], Leave>();
  const clear = (cleared: Signal<unknown>) => (): void => {
    cleared.value = undefined;
  };
  const previews = (shown: boolean): void => {
    if (look.peek().previews !== shown) look.value = { ...look.peek(), previews: shown };
  };
  const closePreview = (): void => {
    newest.get('previewPass')?.();
    preview.value = undefined;
    previews(false);
  };
  /** Data of one session does not apply to another. */
  const forgetFetched = (): void => {
    asking.forget();
    clear(request)();
    clear(missing)();
    decisions.value = new Map();
    comparing.forget();
    closePreview();
  };
  const begin = <K extends keyof Unsent>(kind: K, begun: Begun<K> | undefined): void => {
    const kept = begun === undefined ? undefined : { ...begun, session: sessionShown.peek() };
    unsent.value = { ...unsent.peek(), [kind]: kept };
  };
  const instructions = (): string => begun.peek().instructions?.text.trim() ?? '';
  const takers: TakersOf<ContextWishes> = {
    fetchScratchpad: () => ({
      answered: (base) => begin('scratchpad', { base, texts: textsOf(base) }),
    }),
    fetchSummary: ({ blockId }) => ({
      answered: (text) => begin('summary', { blockId, from: text, text }),
    }),
    previewPass: () => {
      const asked = context.peek()?.revision;
      return {
        answered: (plan) => {
          const { revision, whyReadOnly } = context.peek() ?? {};
          if (whyReadOnly !== undefined) return closePreview();
          preview.value = plan;
          previews(true);
          // The host reads files for it, and the session may have continued meanwhile.
          if (revision !== asked) wish({ type: 'previewPass' });
        },
      };
    },
    fetchDecisions: ({ number }) => ({
      answered: (fetched) => {
        decisions.value = new Map(decisions.value).set(number, fetched);
      },
    }),
    fetchRequest: ({ step }) => ({
      answered: (fetched) => {
        request.value = fetched;
        clear(missing)();
      },
      refused: (message) => {
        missing.value = { step, message };
        if (request.value?.step === step) clear(request)();
      },
    }),
    compactNow: (wished) => ({
      // Instructions typed since then are for the next pass.
      done: () => {
        if (instructions() === wished.instructions) begin('instructions', undefined);
      },
    }),
  };
  const asking = new Asking<ContextWishes>(
    {
      post: (number, wished) => post({ session: sessionShown.peek(), number, wish: wished }),
      takers,
      refuse,
    },
    firstNumber,
  );
  const wish: Wish<ContextWishes> = (wished, taken) => {
    const { type } = wished;
    if (!LOOKING.has(type)) clear(refusal)();
    if (type === 'fetchRequest') clear(missing)();
    const leave = asking.ask(wished, taken);
    if (OPENING.has(type)) {
      newest.get(type)?.();
      newest.set(type, leave);
    }
    return leave;
  };
  const askForWhole = (): void => void wish({ type: 'announceReady' });
  const comparing = makeComparing(wish);
  const contexts = followSnapshots(context, patchContext, askForWhole);
  const timelines = followSnapshots(timeline, patchTimeline, askForWhole);
  return {
    context,
    timeline,
    opening,
    refusal,
    decisions,
    request,
    missing,
    preview,
    comparing,
    look,
    unsent,
    begun,
    handlers: {
      contextChanged: (fact) => {
        const { value: before } = context;
        const { session } = fact.context;
        batch(() => {
          if (before !== undefined && before.session !== session) forgetFetched();
          look.value = lookAt(look.value, session);
          contexts.whole(fact.context, fact.number);
        });
        const isReloaded = before === undefined && fact.context.whyReadOnly === undefined;
        if (isReloaded && look.peek().previews) wish({ type: 'previewPass' });
      },
      contextPatched: ({ number, patch }) => contexts.patched(number, patch),
      timelineChanged: (fact) => timelines.whole(fact.timeline, fact.number),
      timelinePatched: ({ number, patch }) => timelines.patched(number, patch),
      recordingOpening: (fact) => {
        opening.value = fact.opening;
      },
      comparisonProgressed: ({ session, progress }) => {
        if (session === sessionShown.peek()) comparing.progressed(progress);
      },
      wishAnswered: (fact) => {
        // An answer about another session is of no use here.
        if (fact.session === sessionShown.peek()) asking.answered(fact);
      },
    },
    wish,
    refuse,
    begin,
    tryOut: (settings) => begin('whatIf', { settings }),
    compactNow: () => void wish({ type: 'compactNow', instructions: instructions() }),
    dismissRefusal: clear(refusal),
    closePreview,
  };
}

export type SendWish = (wish: ContextWish) => void;

export interface ComparisonState {
  /** Set while one runs, with its progress once that is known. */
  readonly running?: { readonly progress?: ComparisonProgressView };
  /** The newest complete one. */
  readonly shown?: PolicyComparison;
  /** Why the last one failed. */
  readonly refusal?: string;
}

/** Compares policies over the session shown, one comparison at a time. */
interface Comparing {
  readonly state: ReadonlySignal<ComparisonState>;
  compare(settings: WhatIfSettings): void;
  /** Stops the running one; the results shown stay. */
  stop(): void;
  progressed(progress: ComparisonProgressView): void;
  /** Forgets everything, because another session is shown. */
  forget(): void;
}

/** Makes it; nothing is compared until the user asks. */
function makeComparing(wish: Wish<ContextWishes>): Comparing {
  const state = signal<ComparisonState>({});
  let leave: Leave = () => undefined;
  const settle = (ended: ComparisonState): void => {
    const { shown } = state.peek();
    state.value = { shown, ...ended };
  };
  return {
    state,
    compare: (settings) => {
      leave();
      settle({ running: {} });
      leave = wish(
        { type: 'comparePolicies', settings },
        {
          answered: (compared) => settle(compared === 'stopped' ? {} : { shown: compared }),
          refused: (refusal) => settle({ refusal }),
        },
      );
    },
    stop: () => {
      if (state.peek().running === undefined) return;
      leave();
      settle({});
      wish({ type: 'stopComparing' });
    },
    progressed: (progress) => {
      if (state.peek().running !== undefined) settle({ running: { progress } });
    },
    forget: () => {
      leave();
      state.value = {};
    },
  };
}
