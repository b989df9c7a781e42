import { useEffect, useState } from 'preact/hooks';
import type { AnsweredWish, ContextWish } from '../../../src/protocol/contextPanel';
import type { PanelStore } from '../panelStore';

export interface Answer<K extends AnsweredWish = AnsweredWish> {
  readonly send: (wish: Extract<ContextWish, { readonly type: K }>) => void;
  readonly isWaiting: boolean;
  /** Why the host refused what was sent. */
  readonly refusal: string | undefined;
}

/**
 * Sends a wish and waits for the host's word: `onTaken` is called once the wish is fulfilled, and
 * for nothing else. What was typed must not be lost to a refusal.
 */
export function useAnswer<K extends AnsweredWish>(
  store: PanelStore,
  kind: K,
  onTaken: () => void,
): Answer<K> {
  /** How many of the kind had been fulfilled when this one was sent. */
  const [sentAt, setSentAt] = useState<number | undefined>(undefined);
  const count = store.fulfilled.value[kind];
  const refusal = store.refusal.value;
  useEffect(() => {
    if (sentAt === undefined) return;
    if (count > sentAt) onTaken();
    else if (refusal !== undefined) setSentAt(undefined);
  }, [sentAt, refusal, count]);
  return {
    send: (wish) => {
      setSentAt(store.fulfilled.peek()[kind]);
      store.wish(wish);
    },
    isWaiting: sentAt !== undefined && refusal === undefined,
    refusal,
  };
}
