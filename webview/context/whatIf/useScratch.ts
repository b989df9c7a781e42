import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import type { WhatIfSettings } from '../../../src/protocol/whatIf';
import type { PanelStore } from '../panelStore';

export interface Scratch {
  readonly settings: WhatIfSettings;
  readonly change: (settings: WhatIfSettings) => void;
}

/**
 * Holds the scratch settings and asks what they would come to, once per animation frame: a slider
 * changes more often than that. Asks again when the session has gone on.
 */
export function useScratch(
  store: PanelStore,
  context: ContextView,
  first: WhatIfSettings,
  onAsk: (settings: WhatIfSettings) => void,
): Scratch {
  const [settings, setSettings] = useState(first);
  const latest = useRef(first);
  const frame = useRef<number | undefined>(undefined);
  const isFirst = useRef(true);
  const ask = (): void => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      onAsk(latest.current);
      store.wish({ type: 'whatIf', settings: latest.current });
    });
  };
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else ask();
  }, [context.step, context.turn, context.passes.length, context.travel.at]);
  useEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
    },
    [],
  );
  return {
    settings,
    change: (next) => {
      latest.current = next;
      setSettings(next);
      ask();
    },
  };
}
