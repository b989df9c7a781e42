import type { ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { ExportForm } from '../../../src/editor/contextPanel/exports/wishes';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { Mark } from '../../kit/icon';
import { formatNumber } from '../../kit/tokens';
import { Button, ProgressRing } from '../../kit/toolkit';
import { exportWish } from '../blocks/listRows';
import { travelGroup, useFocusAfterRemoval } from '../parts/keyboardFocus';
import { MenuButton, type MenuItem } from '../parts/menuButton';
import type { Look } from '../store/keptState';
import type { PanelStore, SendWish } from '../store/panelStore';
import { hasSteps, type Moment, stepsOf, waysFrom } from './travel';
import { handHint, whyNotCompact, whyNotContinued } from './words';

interface PanelHeaderProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Names the session and the step shown, with the actions on the window. */
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
        <Chip name="policy" text={`policy: ${policy}`} hint="Decides which blocks are removed" />
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

interface PanelMenuProps {
  readonly context: ContextView;
  readonly wish: SendWish;
  /** Opens the what-if dialog. */
  readonly onTryOut: PanelStore['tryOut'];
  /** The filter and order of the blocks: exports contain what is shown. */
  readonly look: ReadonlySignal<Look>;
}

/** Offers settings, exports, forks and recordings. */
function PanelMenu(props: PanelMenuProps): VNode {
  return (
    <MenuButton label="More actions" items={itemsOf(props)} data-testid="menu">
      <span aria-hidden="true">⋯</span>
    </MenuButton>
  );
}

function itemsOf({ context, wish, onTryOut, look }: PanelMenuProps): readonly MenuItem[] {
  const { source, travel, settings } = context;
  const isRecording = source.type === 'recording';
  const step = travel.at === 'now' ? travel.last : travel.at;
  const whyEmpty = hasSteps(travel) ? undefined : 'There is no step yet.';
  const exportItem = (form: ExportForm, label: string): MenuItem => ({
    label,
    run: () => wish(exportWish(form, context, look.peek())),
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

interface TravelControlsProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Says which step is shown, with buttons to the one before and after it. */
function TravelControls({ store, context }: TravelControlsProps): VNode {
  const { travel, source } = context;
  const group = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(group, { within: () => group.current });
  const { back, forward } = waysFrom(travel, stepsOf(store));
  const go = (at: Moment | undefined): void => {
    if (at !== undefined) store.wish({ type: 'travelTo', at });
  };
  const grows = source.type === 'session' || source.following;
  return (
    <div
      ref={group}
      class="travel"
      role="group"
      aria-label="Travel through the session"
      tabIndex={-1}
      data-testid="travel"
    >
      <Button
        class="arrow"
        disabled={back === undefined}
        label="One step back"
        hint="One step back (Alt+←)"
        onClick={() => go(back)}
        data-testid="step-back"
      >
        <span aria-hidden="true">◂</span>
      </Button>
      <Where context={context} />
      <Button
        class="arrow"
        disabled={forward === undefined}
        label="One step forward"
        hint="One step forward (Alt+→)"
        onClick={() => go(forward)}
        data-testid="step-forward"
      >
        <span aria-hidden="true">▸</span>
      </Button>
      <Button
        disabled={travel.at === 'now'}
        class="live"
        hint={grows ? 'Back to now, and follow' : 'To the end of the recording'}
        onClick={() => go('now')}
        data-testid="live"
      >
        {grows ? 'Live' : 'End'}
      </Button>
    </div>
  );
}

function Where({ context }: { readonly context: ContextView }): VNode {
  const { travel, turn, step, busy, review } = context;
  const isPast = travel.at !== 'now';
  const waits = review !== undefined && !isPast;
  const works = busy && !waits && !isPast;
  return (
    <span class="step number" data-testid="step">
      {works && <ProgressRing />}
      <WhereWords travel={travel} turn={turn} step={step} />
      {waits && ' · review a pass'}
      {works && <span class="spoken">, the agent is working</span>}
    </span>
  );
}

function WhereWords({ travel, turn, step }: Pick<ContextView, 'travel' | 'turn' | 'step'>): VNode {
  if (travel.at !== 'now') {
    return <span>{`step ${formatNumber(travel.at)} of ${formatNumber(travel.last)}`}</span>;
  }
  if (!hasSteps(travel)) return <span>no step yet</span>;
  return (
    <span>
      {/* Omitted if the header is narrow. */}
      <span class="turn">{`turn ${formatNumber(turn)} · `}</span>
      {`step ${formatNumber(step)}`}
    </span>
  );
}
