import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { RequestForm } from '../../../src/editor/contextPanel/request/wishes';
import { Button } from '../../kit/toolkit';
import type { PanelStore } from '../store/panelStore';
import { StepField } from '../parts/numberField';
import { hasSteps, waysFrom } from '../frame/travel';

export interface RequestActionsProps {
  readonly travel: ContextView['travel'];
  readonly steps: readonly number[];
  readonly step: number | 'next';
  readonly store: PanelStore;
}

/** Opens, copies and compares the request that is shown. */
export function RequestActions({ travel, steps, step, store }: RequestActionsProps): VNode {
  const open = (form: RequestForm): void => void store.wish({ type: 'openRequest', step, form });
  return (
    <div class="answers">
      <Button
        hint="Opens the body in an editor, as it is sent"
        onClick={() => open('raw')}
        data-testid="request-raw"
      >
        Raw JSON
      </Button>
      <Button
        hint="Opens it in an editor, laid out for reading"
        onClick={() => open('readable')}
        data-testid="request-readable"
      >
        Readable
      </Button>
      <CopyButton store={store} step={step} />
      {hasSteps(travel) && <Diff travel={travel} steps={steps} step={step} store={store} />}
    </div>
  );
}

function Diff({ travel, steps, step, store }: RequestActionsProps): VNode {
  const { first, last } = travel;
  const { back } = waysFrom({ at: step === 'next' ? 'now' : step, first, last }, steps);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  useEffect(() => setChosen(undefined), [step]);
  const from = chosen ?? back;
  const isSame = from === step;
  const why =
    from === undefined
      ? 'There is no request before this one: choose another step to compare with'
      : isSame
        ? 'This is the request itself'
        : undefined;
  return (
    <span class="diff">
      <Button
        disabled={why !== undefined}
        hint={why ?? 'Opens both in the diff editor'}
        onClick={() => {
          if (from === undefined) return;
          store.wish({ type: 'diffRequests', from, to: step, form: 'readable' });
        }}
        data-testid="request-diff"
      >
        Diff with step
      </Button>{' '}
      <StepField
        label="Step to compare with"
        step={from}
        first={first}
        last={last}
        onStep={setChosen}
        data-testid="request-diff-step"
      />
    </span>
  );
}

/** How long the copied message is shown; milliseconds. */
export const SAID_MS = 2_000;

export interface CopyButtonProps {
  readonly store: PanelStore;
  readonly step: number | 'next';
}

/** Copies the body of a request, and shows for a short while that it did. */
function CopyButton({ store, step }: CopyButtonProps): VNode {
  /** How often it was copied; 0 while no message is shown. */
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return undefined;
    const timer = setTimeout(() => setCopied(0), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const isSaid = copied > 0;
  const copy = (): void =>
    void store.wish({ type: 'copyRequest', step }, { done: () => setCopied((times) => times + 1) });
  return (
    <>
      <Button hint="Copies the body as JSON" onClick={copy} data-testid="request-copy">
        {/* One place for both words, as wide as the longer. */}
        {/* No span: to a span in a button the toolkit gives the width of an icon. */}
        <div class={isSaid ? 'swaps done' : 'swaps'}>
          <span>Copy</span>
          <span data-testid="request-copied">Copied</span>
        </div>
      </Button>
      <span class="spoken" role="status" data-testid="copied-said">
        {isSaid ? 'Copied' : ''}
      </span>
    </>
  );
}
