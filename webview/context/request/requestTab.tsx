import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import { formatNumber } from '../../ui/tokens';
import type { Look } from '../look';
import { LinkButton } from '../parts/linkButton';
import { Waiting } from '../parts/waiting';
import type { PanelStore } from '../panelStore';
import { RequestActions } from './requestActions';
import { RequestChooser } from './requestChooser';
import { RequestText } from './requestText';
import { stepsOf } from '../frame/useTravelKeys';

export interface RequestTabProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Shows what exactly the model saw at a step, or would see next; fetched while it is looked at. */
export function RequestTab({ store, context }: RequestTabProps): VNode {
  const { travel, turn, session, revision } = context;
  const { requestStep: step, requestQuery: query, unfolded } = store.look.value;
  const request = store.request.value;
  const missing = store.missing.value?.step === step ? store.missing.value : undefined;
  const steps = stepsOf(store);
  const isEmpty = turn === 0;
  const fetch = (): void => {
    if (!isEmpty) store.wish({ type: 'fetchRequest', step });
  };
  useEffect(fetch, [step, session, revision, isEmpty]);
  if (isEmpty) {
    return (
      <p class="empty quiet">
        No request yet: ask the agent something, and what is sent can be read here.
      </p>
    );
  }
  const look = (changes: Partial<Look>): void => {
    store.look.value = { ...store.look.peek(), ...changes };
  };
  return (
    <div class="request">
      <h2 class="spoken">
        {step === 'next' ? 'Next request' : `Request of step ${formatNumber(step)}`}
      </h2>
      <RequestChooser
        travel={travel}
        steps={steps}
        step={step}
        onStep={(requestStep) => look({ requestStep })}
      />
      <RequestActions travel={travel} steps={steps} step={step} store={store} />
      {request?.step === step ? (
        <RequestText
          request={request}
          query={query}
          unfolded={unfolded}
          onQuery={(requestQuery) => look({ requestQuery })}
          onUnfold={(id, isOpen) => look({ unfolded: { ...unfolded, [id]: isOpen } })}
        />
      ) : missing === undefined ? (
        <Waiting key={step} class="empty quiet" data-testid="request-waits">
          Fetching the request…
        </Waiting>
      ) : (
        <p class="empty quiet" role="status" data-testid="request-waits">
          It could not be fetched: {missing.message}{' '}
          <LinkButton onClick={fetch} data-testid="request-again">
            Try again
          </LinkButton>
        </p>
      )}
    </div>
  );
}
