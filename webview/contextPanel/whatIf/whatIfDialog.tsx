import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import type { PlanView } from '../../../src/editor/contextPanel/ledger/state';
import {
  type Balance,
  type ContextView,
  estimatesIn,
} from '../../../src/editor/contextPanel/state';
import type { WhatIfSettings, WhatIfView } from '../../../src/editor/contextPanel/whatIf/state';
import type { Leave } from '../../kit/hostLink';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import { Waiting } from '../../kit/waiting';
import { segmentsOf } from '../bar/segments';
import { marksOf, WindowBar } from '../bar/windowBar';
import { PolicyTable } from '../comparison/policyTable';
import { Modal, RefusedNote, useAnswer } from '../dialogs/modal';
import { PlanBody } from '../ledger/planBody';
import type { PanelProps, PanelStore, SendWish } from '../store/panelStore';
import { differences, policiesFor } from './whatIfFields';
import { WhatIfForm } from './whatIfForm';

/** Tries settings on a scratch copy while the user edits them; nothing is stored before Apply. */
export function WhatIfDialog({ store, context }: PanelProps): VNode | null {
  const { whatIf: tried } = store.begun.value;
  if (tried === undefined) return null;
  return <ScratchCopy store={store} context={context} settings={tried.settings} />;
}

interface ScratchCopyProps extends PanelProps {
  readonly settings: WhatIfSettings;
}

function ScratchCopy({ store, context, settings }: ScratchCopyProps): VNode {
  const { whatIf, refusal, change } = useScratch(store, context.revision);
  const apply = useAnswer(store);
  const close = (): void => store.begin('whatIf', undefined);
  const isSame = differences(settings, context.settings).length === 0;
  const isAnswered = whatIf !== undefined && differences(settings, whatIf.settings).length === 0;
  const why = isSame
    ? 'These are the current settings'
    : isAnswered && !whatIf.ok
      ? whatIf.message
      : undefined;
  return (
    <Modal
      title="What if…"
      class="what-if"
      onClose={close}
      question={isSame ? undefined : 'Discard the settings you tried?'}
      data-testid="what-if-dialog"
    >
      <p class="quiet small">
        A scratch copy of the window. Nothing here changes the window or your settings.
      </p>
      <WhatIfForm context={context} settings={settings} marks={whatIf?.marks} onChange={change} />
      <PolicyTable
        store={store}
        context={context}
        settings={settings}
        policies={policiesFor(context.source)}
        onTry={(policy) => change({ ...settings, policy })}
      />
      <div class="result" aria-busy={!isAnswered}>
        {whatIf === undefined ? (
          <Waiting class="quiet" data-testid="what-if-waits">
            Planning…
          </Waiting>
        ) : (
          <WhatIfResult whatIf={whatIf} context={context} wish={store.wish} />
        )}
      </div>
      <RefusedNote message={apply.refusal ?? refusal} data-testid="what-if-refusal" />
      <div class="answers">
        <Button
          appearance="primary"
          disabled={apply.isWaiting || why !== undefined}
          hint={why ?? 'Asks for confirmation, then stores the settings that differ'}
          onClick={() => apply.send({ type: 'applyWhatIf', settings })}
          data-testid="what-if-apply"
        >
          Apply…
        </Button>
        <Button
          disabled={isSame}
          hint="Back to the current settings"
          onClick={() => change(context.settings)}
          data-testid="what-if-reset"
        >
          Reset
        </Button>
        <Button onClick={close} data-testid="what-if-close">
          Close
        </Button>
      </div>
    </Modal>
  );
}

interface Scratch {
  /** The effect of the settings asked about last; absent before the first answer. */
  readonly whatIf: WhatIfView | undefined;
  /** Why the host gave no answer. */
  readonly refusal: string | undefined;
  readonly change: (settings: WhatIfSettings) => void;
}

/**
 * Changes the scratch settings and asks for their effect. A slider changes faster than the host can
 * answer, so only one question is sent at a time; after its answer the newest settings are sent if
 * they differ. It asks again when the session has continued, which changes `revision`.
 */
function useScratch(store: PanelStore, revision: string): Scratch {
  const [whatIf, setWhatIf] = useState<WhatIfView | undefined>(undefined);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const asked = useRef<WhatIfSettings | undefined>(undefined);
  /** Set while a question is waiting for its answer. */
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
        answered: (shown) => {
          setWhatIf(shown);
          settle(undefined);
        },
        refused: settle,
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

interface WhatIfResultProps {
  readonly whatIf: WhatIfView;
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Shows the effect of the scratch settings: the window, and what a pass would change and keep. */
function WhatIfResult({ whatIf, context, wish }: WhatIfResultProps): VNode {
  if (!whatIf.ok) {
    return (
      <p class="refused" role="alert" data-testid="what-if-problem">
        {whatIf.message}
      </p>
    );
  }
  const { balance, recent, plan, due, whyTooFull } = whatIf;
  return (
    <div data-testid="what-if-result">
      <p role="status" data-testid="what-if-words">
        {resultWords(balance, plan, due)}
      </p>
      {whyTooFull !== undefined && (
        <p class="refused" data-testid="what-if-too-full">
          {whyTooFull}
        </p>
      )}
      <p class="quiet small">{fillWords(balance)}</p>
      <WindowBar
        balance={balance}
        segments={segmentsOf(balance, estimatesIn(context.blocks))}
        marks={marksOf(balance, recent)}
      />
      <PlanBody
        plan={plan}
        blocks={context.blocks}
        inputBudget={balance.inputBudget}
        whyReadOnly="This is a scratch copy: choose in the tab Files"
        wish={wish}
      />
    </div>
  );
}

function resultWords({ used, highTokens }: Balance, plan: PlanView, due: boolean): string {
  const count = plan.decisions.length;
  const blocks = count === 0 ? 'nothing' : countText(count, 'block');
  if (due) return `A pass would begin before the next step. It would change ${blocks}.`;
  const room = formatTokens({ tokens: Math.max(0, highTokens - used.tokens), exact: used.exact });
  return `No pass would be due: ${room} tokens to the high watermark. Running one now would change ${blocks}.`;
}

function fillWords({ used, inputBudget }: Balance): string {
  return `${formatTokens(used)} of ${formatNumber(inputBudget)} tokens of input budget`;
}
