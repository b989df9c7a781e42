import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { SourceView } from '../../../src/editor/session/state';
import { formatNumber } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import { LinkButton } from '../parts/linkButton';
import { shownTabPanel, useFocusAfterRemoval } from '../parts/keyboardFocus';
import type { PanelProps } from '../store/panelStore';
import { kindWords, POLICY_UNKNOWN, policyWords, RECORD_EXACTLY, STOP_RECORDING } from './words';

type Recording = Extract<SourceView, { readonly type: 'recording' }>;

interface SourceBarProps extends PanelProps {
  readonly source: Recording;
}

/**
 * Says in one line that a recording is shown, how exact it is, and which policy manages or would have
 * managed its window; the rest is in its details.
 */
export function SourceBar({ source, store, context }: SourceBarProps): VNode {
  const { wish } = store;
  const { file, format, following, records } = source;
  const { recordingOpen: isOpen } = store.look.value;
  const bar = useRef<HTMLElement>(null);
  const id = useId();
  useFocusAfterRemoval(bar, { gone: shownTabPanel });
  if (format === 'subAgent') {
    return (
      <section ref={bar} class="notice recording" aria-label="Sub-agent" data-testid="source-bar">
        <p class="message">
          <strong>{file}</strong>{' '}
          <span class="quiet">
            · a sub-agent of this session{following ? ', at work' : ''}, read only
          </span>
        </p>
        <div class="actions">
          <Button onClick={() => wish({ type: 'showWindow' })} data-testid="back-to-session">
            Back to the Session
          </Button>
        </div>
      </section>
    );
  }
  return (
    <section ref={bar} class="notice recording" aria-label="Recording" data-testid="source-bar">
      <p class="message">
        <strong title={file}>{kindWords(source)}</strong>{' '}
        <span class="quiet">· {source.asItWas === true ? 'policy' : 'as if run with'}</span>{' '}
        <LinkButton
          label={`${policyWords(source, context)}: choose window and policy`}
          hint="Choose window and policy…"
          onClick={() => store.tryOut(context.settings)}
          data-testid="choose-policy"
        >
          {policyWords(source, context)}
        </LinkButton>
        <LossLink store={store} context={context} />
      </p>
      <div class="actions">
        <button
          type="button"
          class="plain link"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => {
            store.look.value = { ...store.look.peek(), recordingOpen: !isOpen };
          }}
          data-testid="recording-details"
        >
          {isOpen ? 'Hide details' : 'Details'}
        </button>
        <label class="follow" title="Reads new lines while the recording grows">
          <input
            type="checkbox"
            checked={following}
            onChange={(event) =>
              wish({ type: 'followRecording', following: event.currentTarget.checked })
            }
            data-testid="follow-recording"
          />
          Follow
        </label>
        {records !== undefined && (
          <Button
            hint={records.isOn ? STOP_RECORDING : RECORD_EXACTLY}
            onClick={() =>
              wish({ type: 'recordExactly', agent: records.agent, isOn: !records.isOn })
            }
            data-testid="record-exactly"
          >
            {records.isOn ? 'Stop Recording' : 'Record Exactly…'}
          </Button>
        )}
        <Button onClick={() => wish({ type: 'closeRecording' })} data-testid="close-recording">
          Close
        </Button>
      </div>
      {isOpen && <Details id={id} source={source} context={context} />}
    </section>
  );
}

/** Leads to the cards of the recorded agent's own compactions; nothing if it never compacted. */
function LossLink({ store, context: { losses } }: PanelProps): VNode | null {
  if (losses === undefined) return null;
  const show = (): void => {
    store.look.value = { ...store.look.peek(), tab: 'ledger' };
    requestAnimationFrame(() => {
      const card = document.querySelector<HTMLElement>('.side .loss .named');
      card?.scrollIntoView({ block: 'nearest' });
      card?.focus({ preventScroll: true });
    });
  };
  const { length } = losses.cards;
  return (
    <>
      {' · '}
      <LinkButton hint={losses.text} onClick={show} data-testid="show-losses">
        {length === 1 ? 'What its compaction lost' : `What its ${length} compactions lost`}
      </LinkButton>
    </>
  );
}

interface DetailsProps extends Pick<SourceBarProps, 'source' | 'context'> {
  readonly id: string;
}

/** Everything that is known of the file: its window, how exact it is, what it lacks, notes. */
function Details({ id, source, context }: DetailsProps): VNode {
  const { file, policyUnknown, origin, records, lacks, setAside, notes } = source;
  const { balance, losses } = context;
  const facts = [
    ['recording-policy', policyUnknown === true ? POLICY_UNKNOWN : undefined],
    ['recording-origin', origin],
    ['requests-recorded', records?.words],
    ['recording-lacks', lacks],
    ['recording-set-aside', setAside],
    ['recording-losses', losses?.text],
  ].filter(([, words]) => words !== undefined);
  return (
    <div id={id} class="details" data-testid="recording-facts">
      <p>
        <strong>{file}</strong> · window{' '}
        <span class="number">{formatNumber(balance.contextWindowTokens)}</span>
      </p>
      {facts.map(([name, words]) => (
        <p key={name} data-testid={name}>
          {words}
        </p>
      ))}
      {notes.length > 0 && (
        <ul
          class="notes quiet"
          aria-label="Notes from reading the file"
          data-testid="recording-notes"
        >
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
