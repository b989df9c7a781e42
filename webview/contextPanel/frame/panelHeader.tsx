import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { ExportForm } from '../../../src/editor/contextPanel/exports/wishes';
import { Mark } from '../../kit/icon';
import { Button } from '../../kit/toolkit';
import { travelGroup, useFocusAfterRemoval } from '../parts/keyboardFocus';
import { handHint, whyNotContinued, whyNotCompact } from './frameWords';
import type { PanelStore, SendWish } from '../store/panelStore';
import { TravelControls } from './travelControls';
import type { ReadonlySignal } from '@preact/signals';
import { formatNumber } from '../../kit/tokens';
import { exportWish } from '../blocks/exportWish';
import type { Look } from '../store/look';
import { MenuButton, type MenuItem } from '../parts/menuButton';
import { hasSteps } from './travel';

export interface PanelHeaderProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Says whose window this is, which moment of it is shown, and offers what changes it. */
export function PanelHeader({ store, context }: PanelHeaderProps): VNode {
  const { title, model, policy, offline, settings } = context;
  const whyNot = whyNotCompact(context);
  const actions = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(actions, { within: travelGroup });
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
          onClick={store.compactNow}
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

export interface PanelMenuProps {
  readonly context: ContextView;
  readonly wish: SendWish;
  /** Opens the scratch copy of the settings. */
  readonly onTryOut: PanelStore['tryOut'];
  /** How the user looks at the blocks: exports contain what is shown. */
  readonly look: ReadonlySignal<Look>;
}

/** Offers what is needed less often: settings, exports, forks and recordings. */
function PanelMenu(props: PanelMenuProps): VNode {
  return (
    <MenuButton label="More actions" items={itemsOf(props)} data-testid="menu">
      <span aria-hidden="true">⋯</span>
    </MenuButton>
  );
}

function itemsOf({ context, wish, onTryOut, look }: PanelMenuProps): readonly MenuItem[] {
  const { source, travel, settings, blocks } = context;
  const isRecording = source.type === 'recording';
  const step = travel.at === 'now' ? travel.last : travel.at;
  const whyEmpty = hasSteps(travel) ? undefined : 'There is no step yet.';
  const exportItem = (form: ExportForm, label: string): MenuItem => ({
    label,
    run: () => wish(exportWish(form, blocks, look.peek())),
    whyNot: whyEmpty,
    testId: `export-${form}`,
  });
  return [
    // A narrow header has no room for the button.
    { label: 'What if…', run: () => onTryOut(settings), testId: 'menu-what-if' },
    { label: 'Settings', run: () => wish({ type: 'openSettings' }), testId: 'settings' },
    { ...exportItem('html', 'Export as HTML…'), begins: true },
    exportItem('jsonl', 'Export as JSONL…'),
    {
      label: whyEmpty === undefined ? `Fork from step ${formatNumber(step)}` : 'Fork from a step',
      run: () => wish({ type: 'forkAt', step }),
      whyNot: isRecording ? `${whyNotContinued(source)}.` : whyEmpty,
      begins: true,
      testId: 'fork',
    },
    {
      label: 'Open a recording…',
      run: () => wish({ type: 'openRecording' }),
      begins: true,
      testId: 'open-recording',
    },
    ...(isRecording
      ? [
          {
            label: 'Follow the recording',
            run: () => wish({ type: 'followRecording', following: !source.following }),
            checked: source.following,
            testId: 'menu-follow-recording',
          },
          {
            label: 'Close the recording',
            run: () => wish({ type: 'closeRecording' }),
            testId: 'menu-close-recording',
          },
        ]
      : []),
  ];
}
