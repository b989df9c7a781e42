import type { VNode } from 'preact';
import type { ContextView } from '../../../src/protocol/contextPanel';
import type { WhatIfSettings } from '../../../src/protocol/whatIf';
import { Button } from '../../ui/toolkit';
import { Modal } from '../dialogs/modal';
import { Refused } from '../dialogs/refused';
import { useAnswer } from '../dialogs/useAnswer';
import { Waiting } from '../parts/waiting';
import type { PanelStore } from '../panelStore';
import { useScratch } from './useScratch';
import { differences } from './whatIfFields';
import { WhatIfForm } from './whatIfForm';
import { WhatIfResult } from './whatIfResult';

export interface WhatIfDialogProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Tries settings on a scratch copy, while the user does; nothing is stored before Apply. */
export function WhatIfDialog({ store, context }: WhatIfDialogProps): VNode | null {
  const { whatIf: tried } = store.begun.value;
  if (tried === undefined) return null;
  return <ScratchCopy store={store} context={context} settings={tried.settings} />;
}

interface ScratchCopyProps extends WhatIfDialogProps {
  readonly settings: WhatIfSettings;
}

function ScratchCopy({ store, context, settings }: ScratchCopyProps): VNode {
  const { whatIf, refusal, change } = useScratch(store, context.revision);
  const apply = useAnswer(store);
  const close = (): void => store.begin('whatIf', undefined);
  const isSame = differences(settings, context.settings).length === 0;
  const isAnswered = whatIf !== undefined && differences(settings, whatIf.settings).length === 0;
  const why = isSame
    ? 'These are the settings in force'
    : isAnswered && !whatIf.ok
      ? whatIf.problem
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
        A scratch copy of the window as it is: nothing here changes it or your settings.
      </p>
      <WhatIfForm
        context={context}
        settings={settings}
        inputBudget={whatIf?.inputBudget}
        onChange={change}
      />
      <div class="result" aria-busy={!isAnswered}>
        {whatIf === undefined ? (
          <Waiting class="quiet" data-testid="what-if-waits">
            Working out what they would come to…
          </Waiting>
        ) : (
          <WhatIfResult whatIf={whatIf} blocks={context.blocks} wish={store.wish} />
        )}
      </div>
      <Refused message={apply.refusal ?? refusal} data-testid="what-if-refusal" />
      <div class="answers">
        <Button
          appearance="primary"
          disabled={apply.isWaiting || why !== undefined}
          hint={why ?? 'Asks once more, then writes the settings that differ'}
          onClick={() => apply.send({ type: 'applyWhatIf', settings })}
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
        <Button onClick={close} data-testid="what-if-close">
          Close
        </Button>
      </div>
    </Modal>
  );
}
