import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextWish } from '../../../src/protocol/contextPanel';
import type { Leave } from '../asking';
import type { PanelStore } from '../panelStore';

export interface Answer {
  readonly send: (wish: ContextWish) => void;
  readonly isWaiting: boolean;
  /** Why the host refused what was sent last. */
  readonly refusal: string | undefined;
}

/**
 * Sends a wish and waits for the host's word: `onTaken` is called once the wish is fulfilled, and
 * for nothing else. What was typed must not be lost to a refusal.
 */
export function useAnswer(store: PanelStore, onTaken: () => void = () => undefined): Answer {
  const [isWaiting, setWaiting] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const leave = useRef<Leave>(() => undefined);
  useEffect(() => () => leave.current(), []);
  return {
    send: (wish) => {
      setWaiting(true);
      setRefusal(undefined);
      leave.current = store.wish(wish, {
        wishFulfilled: () => {
          setWaiting(false);
          onTaken();
        },
        wishRefused: ({ message }) => {
          setWaiting(false);
          setRefusal(message);
        },
      });
    },
    isWaiting,
    refusal,
  };
}
