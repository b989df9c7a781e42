import { useEffect, useState } from 'preact/hooks';
import type { ContextWish } from '../../../src/protocol/contextPanel';
import type { PanelStore } from '../panelStore';

export interface Answer {
  readonly send: (wish: ContextWish) => void;
  readonly isWaiting: boolean;
  /** Why the host refused what was sent. */
  readonly refusal: string | undefined;
}

/**
 * Sends a wish and waits for what the host makes of it: `onTaken` is called when the session has
 * changed. What was typed must not be lost to a refusal.
 */
export function useAnswer(store: PanelStore, onTaken: () => void): Answer {
  const [sentAt, setSentAt] = useState<PanelStore['context']['value']>();
  const context = store.context.value;
  const refusal = store.refusal.value;
  const isSent = sentAt !== undefined;
  useEffect(() => {
    if (!isSent) return;
    if (refusal !== undefined) setSentAt(undefined);
    else if (context !== sentAt) onTaken();
  }, [isSent, refusal, context]);
  return {
    send: (wish) => {
      store.wish(wish);
      setSentAt(context);
    },
    isWaiting: isSent && refusal === undefined,
    refusal,
  };
}
