import { signal, type ReadonlySignal } from '@preact/signals';
import type {
  ContextFact,
  ContextView,
  ContextWish,
  Scratchpad,
} from '../../src/protocol/contextPanel';
import type { Handlers } from '../../src/protocol/handlers';

/** What the panel knows: the last context it was told of, and why its last wish was refused. */
export interface PanelStore {
  /** Absent until the host has spoken. */
  readonly context: ReadonlySignal<ContextView | undefined>;
  readonly refusal: ReadonlySignal<string | undefined>;
  /** The notes as they were when the user began to change them; absent while they do not. */
  readonly scratchpad: ReadonlySignal<Scratchpad | undefined>;
  readonly handlers: Handlers<ContextFact>;
  /** Sends a wish; whatever was refused before is forgotten. */
  readonly wish: (wish: ContextWish) => void;
  readonly dismissRefusal: () => void;
  readonly closeScratchpad: () => void;
}

/** Makes an empty store whose wishes leave through `post`. */
export function makePanelStore(post: (wish: ContextWish) => void): PanelStore {
  const context = signal<ContextView | undefined>(undefined);
  const refusal = signal<string | undefined>(undefined);
  const scratchpad = signal<Scratchpad | undefined>(undefined);
  const dismissRefusal = (): void => {
    refusal.value = undefined;
  };
  return {
    context,
    refusal,
    scratchpad,
    handlers: {
      contextChanged: (fact) => {
        context.value = fact.context;
      },
      wishRefused: ({ message }) => {
        refusal.value = message;
      },
      scratchpadFetched: (fact) => {
        scratchpad.value = fact.scratchpad;
      },
    },
    wish: (wish) => {
      dismissRefusal();
      post(wish);
    },
    dismissRefusal,
    closeScratchpad: () => {
      scratchpad.value = undefined;
    },
  };
}

/** Hands a wish on to the host. */
export type SendWish = (wish: ContextWish) => void;
