import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import { Mark } from '../../ui/mark';
import { formatNumber } from '../../ui/tokens';
import { Button } from '../../ui/toolkit';
import { travelGroup, useFocusHeir } from '../parts/useFocusHeir';
import { PanelMenu } from './panelMenu';
import type { PanelStore } from '../panelStore';
import { TravelControls } from './travelControls';
import { whyNotCompact } from './whyNotCompact';

export interface PanelHeaderProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Says whose window this is, which moment of it is shown, and offers what changes it. */
export function PanelHeader({ store, context }: PanelHeaderProps): VNode {
  const { title, model, windowSource, policy, offline, balance, settings } = context;
  const size = formatNumber(balance.contextWindowTokens);
  const whyNot = whyNotCompact(context);
  const actions = useRef<HTMLDivElement>(null);
  useFocusHeir(actions, { within: travelGroup });
  return (
    <header class="header">
      <span class="brand">
        <Mark size={20} />
        <h1 class="name">Context</h1>
      </span>
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
      <TravelControls store={store} context={context} />
      <div ref={actions} class="actions">
        <Button
          hint="Tries other settings on a scratch copy; nothing changes"
          onClick={() => store.wish({ type: 'whatIf', settings })}
          data-testid="what-if"
        >
          What if…
        </Button>
        <Button
          appearance="primary"
          disabled={whyNot !== undefined}
          hint={whyNot ?? 'Runs a pass now, down to the low watermark'}
          onClick={store.makeRoom}
          data-testid="compact-now"
        >
          Compact Now
        </Button>
        <PanelMenu context={context} wish={store.wish} />
      </div>
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
