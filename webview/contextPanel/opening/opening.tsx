import type { VNode } from 'preact';
import type { OpeningView } from '../../../src/editor/contextPanel/opening/state';
import { saidLabel } from '../../kit/callWords';
import { formatNumber } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import type { SendWish } from '../store/panelStore';
import { lastRequestWords, replayingWords, sessionWords, TO_COME } from './words';

interface OpeningProps {
  readonly opening: OpeningView;
  readonly wish: SendWish;
}

/** Shows what a recording says about its own agent, while Plimsoll still replays it. */
export function Opening({ opening, wish }: OpeningProps): VNode {
  const { file, format, model, task, newest, share } = opening;
  return (
    <section class="opening" aria-label="Opening a recording" data-testid="opening">
      <div class="notice recording">
        <div class="message">
          <p>
            <strong>{file}</strong>{' '}
            <span class="quiet">
              · {format} · {model}
            </span>
          </p>
          <p data-testid="opening-request">{lastRequestWords(opening)}</p>
          <p data-testid="opening-session">{sessionWords(opening)}</p>
          <div class="comparing">
            <progress aria-label="Replay of the recording" max={1} value={share} />
            <span class="quiet small number" data-testid="opening-share">
              {replayingWords(opening)}
            </span>
          </div>
          <p class="small quiet">{TO_COME}</p>
        </div>
        <div class="actions">
          <Button onClick={() => wish({ type: 'stopOpening' })} data-testid="stop-opening">
            Cancel
          </Button>
        </div>
      </div>
      {task !== '' && <p data-testid="opening-task">{task}</p>}
      {newest.length > 0 && <h2 class="title">Its newest steps</h2>}
      <ol class="newest">
        {newest.map((step) => (
          <li key={step.step} data-testid="opening-step">
            <span class="number quiet">{formatNumber(step.step)}</span> {saidLabel(step)}
          </li>
        ))}
      </ol>
    </section>
  );
}
