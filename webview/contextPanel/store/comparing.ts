import { signal, type ReadonlySignal } from '@preact/signals';
import type { ContextWishes } from '../../../src/editor/contextPanel/wishes';
import type {
  ComparisonProgressView,
  PolicyComparison,
} from '../../../src/editor/contextPanel/comparison/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import type { Leave, Wish } from '../../kit/hostLink';

/** Where the comparison of policies stands. */
export interface ComparisonState {
  /** Set while one runs; how far it is, once that is known. */
  readonly running?: { readonly progress?: ComparisonProgressView };
  /** The newest one that ended. */
  readonly shown?: PolicyComparison;
  /** Why the last one did not end. */
  readonly refusal?: string;
}

/** Compares policies over the session shown, one comparison at a time. */
export interface Comparing {
  readonly state: ReadonlySignal<ComparisonState>;
  compare(settings: WhatIfSettings): void;
  /** Ends what runs; what was shown before stays. */
  stop(): void;
  progressed(progress: ComparisonProgressView): void;
  /** Forgets everything, since another session is shown. */
  forget(): void;
}

/** Makes it; nothing is compared before somebody asks. */
export function makeComparing(wish: Wish<ContextWishes>): Comparing {
  const state = signal<ComparisonState>({});
  let leave: Leave = () => undefined;
  const settle = (ended: ComparisonState): void => {
    const { shown } = state.peek();
    state.value = { ...(shown === undefined ? {} : { shown }), ...ended };
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
