import { useEffect, useRef, useState } from 'preact/hooks';
import type { WhatIfSettings, WhatIfView } from '../../../src/protocol/whatIf';
import type { Leave } from '../asking';
import type { PanelStore } from '../panelStore';
import { differences } from './whatIfFields';

export interface Scratch {
  /** What the settings asked about last would come to; absent before the first answer. */
  readonly whatIf: WhatIfView | undefined;
  /** Why the host did not say what they would come to. */
  readonly refusal: string | undefined;
  readonly change: (settings: WhatIfSettings) => void;
}

/**
 * Changes the scratch settings and asks what they would come to. A slider changes faster than the
 * host can answer: one question is on its way at a time, and after its answer the newest settings are
 * asked for where they are others. Asks again when the session has gone on: `revision` is another.
 */
export function useScratch(store: PanelStore, revision: string): Scratch {
  const [whatIf, setWhatIf] = useState<WhatIfView | undefined>(undefined);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const asked = useRef<WhatIfSettings | undefined>(undefined);
  /** Set while a question is on its way. */
  const leave = useRef<Leave | undefined>(undefined);
  const frame = useRef<number | undefined>(undefined);
  const ask = (): void => {
    const settings = store.begun.peek().whatIf?.settings;
    if (settings === undefined || leave.current !== undefined) return;
    if (asked.current !== undefined && differences(settings, asked.current).length === 0) return;
    asked.current = settings;
    leave.current = store.wish(
      { type: 'whatIf', settings },
      {
        whatIfShown: (answer) => {
          setWhatIf(answer.whatIf);
          settle(undefined);
        },
        wishRefused: ({ message }) => settle(message),
      },
    );
  };
  const askSoon = (): void => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      ask();
    });
  };
  const settle = (why: string | undefined): void => {
    setRefusal(why);
    leave.current = undefined;
    askSoon();
  };
  useEffect(() => {
    asked.current = undefined;
    ask();
  }, [revision]);
  useEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
      leave.current?.();
    },
    [],
  );
  return {
    whatIf,
    refusal,
    change: (settings) => {
      store.tryOut(settings);
      askSoon();
    },
  };
}
