import type { VNode } from 'preact';
import type { ContextView } from '../../src/protocol/contextPanel';
import { Mark } from '../ui/mark';
import { formatNumber } from '../ui/tokens';
import { Button, ProgressRing } from '../ui/toolkit';
import type { SendWish } from './panelStore';

export interface PanelHeaderProps {
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Says whose window this is: session, model, size and its source, policy, step. */
export function PanelHeader({ context, wish }: PanelHeaderProps): VNode {
  const { title, model, windowSource, policy, turn, step, busy, offline, balance } = context;
  const waits = context.review !== undefined;
  const size = formatNumber(balance.contextWindowTokens);
  return (
    <header class="header">
      <Mark size={20} />
      <h1 class="name">Context</h1>
      <ul class="chips" aria-label="Session">
        <Chip text={title === '' ? 'No session yet' : title} hint="Session" />
        <Chip text={`${model} · ${size} ${windowSource}`} hint="Model · context window, tokens" />
        <Chip text={`policy: ${policy}`} hint="What decides which blocks leave" />
        {offline && (
          <li class="chip offline" data-testid="offline-mark">
            Offline demo: scripted, no AI
          </li>
        )}
      </ul>
      <span class="step number" data-testid="step">
        {busy && !waits && <ProgressRing />}
        {step === 0 ? 'no step yet' : `turn ${turn} · step ${step}`}
        {waits && ' · a pass waits'}
        {busy && !waits && <span class="spoken">, the agent is working</span>}
      </span>
      <Button onClick={() => wish({ type: 'openSettings' })} data-testid="settings">
        Settings
      </Button>
    </header>
  );
}

function Chip({ text, hint }: { readonly text: string; readonly hint: string }): VNode {
  return (
    <li class="chip ellipsis" title={`${hint}: ${text}`}>
      {text}
    </li>
  );
}
