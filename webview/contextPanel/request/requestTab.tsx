import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import type { RequestView } from '../../../src/editor/contextPanel/request/state';
import type { RequestForm } from '../../../src/editor/contextPanel/request/wishes';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { formatNumber } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import { Waiting } from '../../kit/waiting';
import { hasSteps, stepsOf, waysFrom } from '../frame/travel';
import { useFocusAfterRemoval } from '../parts/keyboardFocus';
import { LinkButton } from '../parts/linkButton';
import { StepField } from '../parts/numberField';
import type { Look, Unfolded } from '../store/keptState';
import type { PanelProps, PanelStore } from '../store/panelStore';
import { capturedWords, unattributedWords } from './words';
import { hitPattern, RequestSections, searchRequest } from './requestSections';

/**
 * Shows exactly what the model saw at a step, or would see next; fetched only while it is shown.
 */
export function RequestTab({ store, context }: PanelProps): VNode {
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
      <p class="empty quiet">No request yet. Ask the agent something, and read its request here.</p>
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

interface RequestTextProps {
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
  const { model, maxTokens, reasoning = [], notes, captured, sections } = request;
  const unattributed = captured && unattributedWords(captured);
  const pattern = useMemo(() => hitPattern(query), [query]);
  const found = useMemo(() => searchRequest(sections, pattern), [sections, pattern]);
  const reply =
    maxTokens === undefined ? '' : ` · reply of at most ${formatNumber(maxTokens)} tokens`;
  return (
    <>
      <p class="quiet small" data-testid="request-facts">
        {model} · {countText(sections.length, 'section')}
        {reply}
        {reasoning.map((words) => ` · ${words}`)}
      </p>
      {captured !== undefined && (
        <p class="small" data-testid="request-captured">
          {capturedWords(captured)}
        </p>
      )}
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
        cacheEnd={pattern === undefined ? captured?.cacheEnd : undefined}
        unfolded={unfolded}
        onUnfold={onUnfold}
        onBlock={onBlock}
      />
      {unattributed !== undefined && pattern === undefined && (
        <p class="section quiet small unattributed" data-testid="request-unattributed">
          {unattributed}
        </p>
      )}
    </>
  );
}

function hitWords(hits: number, sections: number): string {
  if (hits === 0) return 'no hit';
  return `${countText(hits, 'hit')} in ${countText(sections, 'section')}`;
}

interface RequestActionsProps {
  readonly travel: ContextView['travel'];
  readonly steps: readonly number[];
  readonly step: number | 'next';
  readonly store: PanelStore;
}

/** Opens, copies and compares the request. */
function RequestActions({ travel, steps, step, store }: RequestActionsProps): VNode {
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

interface CopyButtonProps {
  readonly store: PanelStore;
  readonly step: number | 'next';
}

/** Copies the body of a request, and confirms it for a moment. */
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
        {/* One slot for both words, as wide as the longer one. */}
        {/* No span: the toolkit gives a span in a button the width of an icon. */}
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

interface RequestChooserProps {
  readonly travel: ContextView['travel'];
  /** The steps known, ascending. */
  readonly steps: readonly number[];
  readonly step: number | 'next';
  readonly onStep: (step: number | 'next') => void;
}

/** Chooses the step whose request is shown, or the next request. */
function RequestChooser({ travel, steps, step, onStep }: RequestChooserProps): VNode {
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
        hint="The next request, as things are"
        onClick={() => onStep('next')}
        data-testid="request-next"
      >
        Next
      </Button>
    </div>
  );
}
