import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { formatNumber } from '../../kit/tokens';
import type { Look, Unfolded } from '../store/look';
import { LinkButton } from '../parts/linkButton';
import { Waiting } from '../../kit/waiting';
import type { PanelStore } from '../store/panelStore';
import { RequestActions } from './requestActions';
import { RequestChooser } from './requestChooser';
import { stepsOf } from '../frame/travel';
import type { RequestView } from '../../../src/editor/contextPanel/request/state';
import { formatCount } from '../parts/format';
import { RequestSections } from './requestSections';
import { hitPattern, searchRequest } from './searchRequest';

export interface RequestTabProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/**
 * Shows what exactly the model saw at a step, or would see next; fetched only while it is shown.
 */
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
        No request yet. Ask the agent something, and read here what is sent.
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
          onBlock={(blockId) => look({ blockId, tab: 'block' })}
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

export interface RequestTextProps {
  readonly request: RequestView;
  /** The search text. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly unfolded: Unfolded;
  readonly onUnfold: (id: string, isOpen: boolean) => void;
  readonly onBlock: (blockId: string) => void;
}

/** Draws a request section by section, with a search through all of it. */
function RequestText(props: RequestTextProps): VNode {
  const { request, query, onQuery, unfolded, onUnfold, onBlock } = props;
  const { model, maxTokens, reasoning = [], notes, sections } = request;
  const pattern = useMemo(() => hitPattern(query), [query]);
  const found = useMemo(() => searchRequest(sections, pattern), [sections, pattern]);
  const reply =
    maxTokens === undefined ? '' : ` · reply of at most ${formatNumber(maxTokens)} tokens`;
  return (
    <>
      <p class="quiet small" data-testid="request-facts">
        {model} · {formatCount(sections.length, 'section')}
        {reply}
        {reasoning.map((words) => ` · ${words}`)}
      </p>
      {notes.length > 0 && (
        <ul class="request-notes small" aria-label="Not as it was sent" data-testid="request-notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class="search">
        <input
          type="search"
          value={query}
          placeholder="Search in the request"
          aria-label="Search in the request"
          onInput={(event) => onQuery(event.currentTarget.value)}
          data-testid="request-search"
        />
        <span class="quiet small number" role="status" data-testid="request-hits">
          {pattern === undefined ? '' : hitWords(found.hits, found.sections.length)}
        </span>
      </div>
      <RequestSections
        sections={found.sections}
        pattern={pattern}
        unfolded={unfolded}
        onUnfold={onUnfold}
        onBlock={onBlock}
      />
    </>
  );
}

function hitWords(hits: number, sections: number): string {
  if (hits === 0) return 'no hit';
  return `${formatCount(hits, 'hit')} in ${formatCount(sections, 'section')}`;
}
