import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import type { WhatIfSettings, WhatIfView } from '../../../src/protocol/whatIf';
import type { PanelStore } from '../panelStore';
import { differences } from './whatIfFields';

/** The settings asked about and not answered yet. */
export interface Asked {
  current: WhatIfSettings | undefined;
}

export interface Scratch {
  readonly settings: WhatIfSettings;
  readonly change: (settings: WhatIfSettings) => void;
}

/**
 * Holds the scratch settings and asks what they would come to. A slider changes faster than the host
 * can answer: one question is on its way at a time, and after its answer the newest settings are
 * asked for where they are others. Asks again when the session has gone on.
 */
export function useScratch(
  store: PanelStore,
  { session, revision }: ContextView,
  whatIf: WhatIfView,
  asked: Asked,
): Scratch {
  const [settings, setSettings] = useState(whatIf.settings);
  const latest = useRef(whatIf.settings);
  const lastAsked = useRef(whatIf.settings);
  const isStale = useRef(false);
  const isFirst = useRef(true);
  const frame = useRef<number | undefined>(undefined);
  const isDue = (): boolean =>
    asked.current === undefined &&
    (isStale.current || differences(latest.current, lastAsked.current).length > 0);
  const ask = (): void => {
    if (!isDue()) return;
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      if (!isDue()) return;
      isStale.current = false;
      asked.current = lastAsked.current = latest.current;
      store.wish({ type: 'whatIf', settings: latest.current });
    });
  };
  const settle = (): void => {
    asked.current = undefined;
    ask();
  };
  useEffect(settle, [whatIf]);
  const refusal = store.refusal.value;
  useEffect(() => {
    if (refusal !== undefined) settle();
  }, [refusal]);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else {
      isStale.current = true;
      ask();
    }
  }, [session, revision]);
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
