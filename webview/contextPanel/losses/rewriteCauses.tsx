import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CacheRewritesView } from '../../../src/editor/contextPanel/losses/state';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { PanelStore } from '../store/panelStore';

interface RewriteCausesProps {
  readonly store: PanelStore;
  readonly context: Pick<ContextView, 'session' | 'events'>;
}

/** Says how much of the cache writes were rewrites; unfolded, by cause with tokens and dollars. */
export function RewriteCauses({ store, context }: RewriteCausesProps): VNode | null {
  const { session, events } = context;
  const [view, setView] = useState<CacheRewritesView | null>(null);
  useEffect(
    () => store.wish({ type: 'fetchCacheRewrites' }, { answered: setView }),
    [session, events],
  );
  if (view === null) return null;
  return (
    <details class="decisions cache-rewrites" data-testid="cache-rewrites">
      <summary>{view.text}</summary>
      <ul class="needed-again small">
        {view.causes.map((cause) => (
          <li key={cause}>{cause}</li>
        ))}
      </ul>
      <p class="quiet small">
        Each of these requests wrote more than half of its window to the prompt cache.
      </p>
    </details>
  );
}
