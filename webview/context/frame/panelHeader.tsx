import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import { Mark } from '../../ui/mark';
import { Button } from '../../ui/toolkit';
import { travelGroup, useFocusHeir } from '../parts/useFocusHeir';
import { handHint } from './handHint';
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
  const { title, model, policy, offline, settings } = context;
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
        <Chip name="session" text={title === '' ? 'No session yet' : title} hint="Session" />
        {offline ? (
          <li class="chip offline" title={`Model: ${model}`} data-testid="offline-mark">
            Offline demo<span class="more-words">: scripted, no AI</span>
          </li>
        ) : (
          <Chip name="model" text={model} hint="Model" />
        )}
        <Chip name="policy" text={`policy: ${policy}`} hint="What decides which blocks leave" />
      </ul>
      <TravelControls store={store} context={context} />
      <div ref={actions} class="actions">
        <Button
          class="what-if-button"
          hint="Tries other settings on a scratch copy; nothing changes"
          onClick={() => store.tryOut(settings)}
          data-testid="what-if"
        >
          What if…
        </Button>
        <Button
          appearance="primary"
          disabled={whyNot !== undefined}
          hint={whyNot ?? handHint(context)}
          onClick={store.makeRoom}
          data-testid="compact-now"
        >
          Compact Now
        </Button>
        <PanelMenu context={context} wish={store.wish} onTryOut={store.tryOut} look={store.look} />
      </div>
    </header>
  );
}

interface ChipProps {
  readonly name: 'session' | 'model' | 'policy';
  readonly text: string;
  readonly hint: string;
}

function Chip({ name, text, hint }: ChipProps): VNode {
  return (
    <li class={`chip ellipsis ${name}`} title={`${hint}: ${text}`}>
      {text}
    </li>
  );
}
