import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { formatNumber } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { useFocusAfterRemoval } from '../parts/keyboardFocus';
import { StepField } from '../parts/numberField';
import { hasSteps, waysFrom } from '../frame/travel';

export interface RequestChooserProps {
  readonly travel: ContextView['travel'];
  /** The steps known, ascending. */
  readonly steps: readonly number[];
  readonly step: number | 'next';
  readonly onStep: (step: number | 'next') => void;
}

/** Chooses the step whose request is shown, or the request that would be sent now. */
export function RequestChooser({ travel, steps, step, onStep }: RequestChooserProps): VNode {
  const { first, last } = travel;
  const group = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(group, { within: () => group.current });
  const { back, forward } = waysFrom({ at: step === 'next' ? 'now' : step, first, last }, steps);
  return (
    <div ref={group} class="chooser" role="group" aria-label="Which request" tabIndex={-1}>
      <Button
        disabled={back === undefined}
        label="Request before"
        onClick={() => {
          if (back !== undefined) onStep(back);
        }}
        data-testid="request-before"
      >
        <span aria-hidden="true">◂</span>
      </Button>
      {hasSteps(travel) && (
        <span class="number">
          step{' '}
          <StepField
            label="Step of the request"
            step={step === 'next' ? undefined : step}
            first={first}
            last={last}
            onStep={onStep}
            data-testid="request-step"
          />{' '}
          of {formatNumber(last)}
        </span>
      )}
      <Button
        disabled={forward === undefined}
        label="Request after"
        onClick={() => {
          if (forward !== undefined) onStep(forward === 'now' ? 'next' : forward);
        }}
        data-testid="request-after"
      >
        <span aria-hidden="true">▸</span>
      </Button>
      <Button
        disabled={step === 'next'}
        hint="The request that would be sent now"
        onClick={() => onStep('next')}
        data-testid="request-next"
      >
        Next
      </Button>
    </div>
  );
}
