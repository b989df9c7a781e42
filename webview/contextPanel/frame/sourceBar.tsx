import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { SourceView } from '../../../src/editor/session/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import { formatNumber } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import { shownTabPanel, useFocusAfterRemoval } from '../parts/keyboardFocus';
import type { SendWish } from '../store/panelStore';
import { RECORD_EXACTLY, STOP_RECORDING } from './words';

type Recording = Extract<SourceView, { readonly type: 'recording' }>;

interface SourceBarProps {
  readonly source: Recording;
  readonly context: ContextView;
  readonly wish: SendWish;
  readonly onTryOut: (settings: WhatIfSettings) => void;
}

/** Says that a recording is shown, and which policy manages or would have managed its window. */
export function SourceBar({ source, context, wish, onTryOut }: SourceBarProps): VNode {
  const {
    file,
    format,
    following,
    asItWas,
    policyUnknown,
    origin,
    records,
    lacks,
    setAside,
    notes,
  } = source;
  const { policy, balance, settings } = context;
  const facts = [
    ['recording-origin', origin],
    ['requests-recorded', records?.words],
    ['recording-lacks', lacks],
    ['recording-set-aside', setAside],
  ].filter(([, words]) => words !== undefined);
  const bar = useRef<HTMLElement>(null);
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
      <div class="message">
        <p>
          <strong>{file}</strong>{' '}
          <span class="quiet">
            · {asItWas === true ? 'a session of Plimsoll, as it was' : `${format} · a recording`},
            read only ·
          </span>{' '}
          {policyUnknown === true
            ? 'No pass ran, so the file does not say its policy'
            : `${asItWas === true ? 'Policy' : 'Shown as if run with'} ${policy}`}{' '}
          · window <span class="number">{formatNumber(balance.contextWindowTokens)}</span>
        </p>
        {facts.length > 0 && (
          <p class="small">
            {facts.map(([name, words]) => (
              <span key={name} data-testid={name}>
                {words}{' '}
              </span>
            ))}
          </p>
        )}
        <Notes notes={notes} />
      </div>
      <div class="actions">
        <label class="follow">
          <input
            type="checkbox"
            checked={following}
            onChange={(event) =>
              wish({ type: 'followRecording', following: event.currentTarget.checked })
            }
            data-testid="follow-recording"
          />
          Follow while it grows
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
        <Button onClick={() => onTryOut(settings)} data-testid="choose-policy">
          Choose window and policy…
        </Button>
        <Button onClick={() => wish({ type: 'closeRecording' })} data-testid="close-recording">
          Close
        </Button>
      </div>
    </section>
  );
}

function Notes({ notes }: { readonly notes: readonly string[] }): VNode | null {
  if (notes.length === 0) return null;
  return (
    <details class="small">
      <summary class="quiet">{countText(notes.length, 'note')} from reading the file</summary>
      <ul class="notes quiet" data-testid="recording-notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
