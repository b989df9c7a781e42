import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/toolkit';
import type { PanelStore } from '../panelStore';

/** How long it is said that something was copied; milliseconds. */
export const SAID_MS = 2_000;

export interface CopyButtonProps {
  readonly store: PanelStore;
  readonly step: number | 'next';
}

/** Copies the body of a request, and says for a short while that it did. */
export function CopyButton({ store, step }: CopyButtonProps): VNode {
  /** How often it was copied; 0 while nothing is said of it. */
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return undefined;
    const timer = setTimeout(() => setCopied(0), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const isSaid = copied > 0;
  const copy = (): void =>
    void store.wish(
      { type: 'copyRequest', step },
      { wishFulfilled: () => setCopied((times) => times + 1) },
    );
  return (
    <>
      <Button hint="Copies the body as JSON" onClick={copy} data-testid="request-copy">
        {/* One place for both words, as wide as the longer. */}
        <span class={isSaid ? 'swaps done' : 'swaps'}>
          <span>Copy</span>
          <span data-testid="request-copied">Copied</span>
        </span>
      </Button>
      <span class="spoken" role="status" data-testid="copied-said">
        {isSaid ? 'Copied' : ''}
      </span>
    </>
  );
}
