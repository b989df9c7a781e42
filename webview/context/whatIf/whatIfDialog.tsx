import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import type { WhatIfSettings, WhatIfView } from '../../../src/protocol/whatIf';
import { Button } from '../../ui/toolkit';
import { Modal } from '../dialogs/modal';
import type { PanelStore } from '../panelStore';
import { useScratch, type Asked } from './useScratch';
import { differences } from './whatIfFields';
import { WhatIfForm } from './whatIfForm';
import { WhatIfResult } from './whatIfResult';

export interface WhatIfDialogProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Tries settings on a scratch copy, while the user does; nothing is stored before Apply. */
export function WhatIfDialog({ store, context }: WhatIfDialogProps): VNode | null {
  const whatIf = store.whatIf.value;
  // What was asked and is not answered yet; what a dialog asked that is closed by now.
  const asked = useRef<WhatIfSettings | undefined>(undefined);
  const late = useRef<WhatIfSettings | undefined>(undefined);
  const isLate = isAnswerTo(whatIf, late.current);
  useEffect(() => {
    if (!isLate) return;
    late.current = undefined;
    store.closeWhatIf();
  }, [whatIf]);
  if (whatIf === undefined || isLate) return null;
  const close = (): void => {
    late.current = asked.current;
    asked.current = undefined;
    store.closeWhatIf();
  };
  return <Scratch store={store} context={context} whatIf={whatIf} asked={asked} onClose={close} />;
}

function isAnswerTo(whatIf: WhatIfView | undefined, asked: WhatIfSettings | undefined): boolean {
  if (whatIf === undefined || asked === undefined) return false;
  return differences(whatIf.settings, asked).length === 0;
}

interface ScratchProps extends WhatIfDialogProps {
  readonly whatIf: WhatIfView;
  readonly asked: Asked;
  readonly onClose: () => void;
}

function Scratch({ store, context, whatIf, asked, onClose }: ScratchProps): VNode {
  const { settings, change } = useScratch(store, context, whatIf, asked);
  const isSame = differences(settings, context.settings).length === 0;
  const isAnswered = differences(settings, whatIf.settings).length === 0;
  const refusal = store.refusal.value;
  const why = isSame
    ? 'These are the settings in force'
    : isAnswered && !whatIf.ok
      ? whatIf.problem
      : undefined;
  return (
    <Modal title="What if…" class="what-if" onClose={onClose} data-testid="what-if-dialog">
      <p class="quiet small">
        A scratch copy of the window as it is: nothing here changes it or your settings.
      </p>
      <WhatIfForm
        context={context}
        settings={settings}
        inputBudget={whatIf.ok ? whatIf.balance.inputBudget : undefined}
        onChange={change}
      />
      <div class="result" aria-busy={!isAnswered}>
        <WhatIfResult whatIf={whatIf} blocks={context.blocks} wish={store.wish} />
      </div>
      {refusal !== undefined && (
        <p class="refused" role="alert" data-testid="what-if-refusal">
          {refusal}
        </p>
      )}
      <div class="answers">
        <Button
          appearance="primary"
          disabled={why !== undefined}
          hint={why ?? 'Asks once more, then writes the settings that differ'}
          onClick={() => store.wish({ type: 'applyWhatIf', settings })}
          data-testid="what-if-apply"
        >
          Apply…
        </Button>
        <Button
          disabled={isSame}
          hint="Back to the settings in force"
          onClick={() => change(context.settings)}
          data-testid="what-if-reset"
        >
          Reset
        </Button>
        <Button onClick={onClose} data-testid="what-if-close">
          Close
        </Button>
      </div>
    </Modal>
  );
}
