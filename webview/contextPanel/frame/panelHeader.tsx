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
import type { PanelProps, PanelStore, SendWish } from '../store/panelStore';
import { hasSteps, type Moment, stepsOf, waysFrom } from './travel';
import { isPolicyUnknown } from '../side/sessionTab';
import { handHint, whyNotCompact, whyNotContinued } from './words';

/** Names the session and the step shown, with the actions on the window. */
export function PanelHeader({ store, context }: PanelProps): VNode {
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
      <span
        class="session-title ellipsis"
        title={`Session: ${title} · Model: ${model}${isPolicyUnknown(context.source) ? '' : ` · Policy: ${policy}`}`}
        data-testid="session-title"
      >
        {title === '' ? 'No session yet' : title}
      </span>
      {context.windows && <WindowPicker windows={context.windows} wish={store.wish} />}
      {offline && (
        <span class="offline" title={`Scripted, no AI. Model: ${model}`} data-testid="offline-mark">
          Offline demo<span class="spoken">: scripted, no AI</span>
        </span>
      )}
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
        {context.source.type === 'session' && (
          <Button
            appearance="primary"
            disabled={whyNot !== undefined}
            hint={whyNot ?? handHint(context)}
            onClick={store.compactNow}
            data-testid="compact-now"
          >
            Compact Now
          </Button>
        )}
        <PanelMenu context={context} wish={store.wish} onTryOut={store.tryOut} look={store.look} />
      </div>
    </header>
  );
}

interface WindowPickerProps {
  readonly windows: NonNullable<ContextView['windows']>;
  readonly wish: SendWish;
}

/** Chooses between the session's own window and those of its sub-agents. */
function WindowPicker({ windows, wish }: WindowPickerProps): VNode {
  const shown = windows.find(({ isShown }) => isShown)?.toolUseId ?? '';
  return (
    <select
      class="window-picker"
      aria-label="Window"
      value={shown}
      onChange={({ currentTarget: { value } }) =>
        wish({ type: 'showWindow', ...(value === '' ? {} : { toolUseId: value }) })
      }
      data-testid="window-picker"
    >
      {windows.map(({ toolUseId = '', name, tokens, isAtWork }) => (
        <option key={toolUseId} value={toolUseId}>
          {name === undefined
            ? 'The session'
            : `${name}${tokens === undefined ? '' : `: ${formatNumber(tokens)} tokens`}${isAtWork === true ? ', at work' : ''}`}
        </option>
      ))}
    </select>
  );
}

interface PanelMenuProps {
  readonly context: ContextView;
  readonly wish: SendWish;
  /** Opens the what-if dialog. */
  readonly onTryOut: PanelStore['tryOut'];
  /** The filter and order of the blocks: an export contains the same rows. */
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
  const isFile = isRecording && source.format !== 'subAgent';
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
      label: 'Save Report…',
      run: () => wish({ type: 'saveReport' }),
      whyNot: whyEmpty,
      testId: 'save-report',
    },
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
    ...(isFile
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

/** Says which step is shown, with buttons to the one before and after it. */
function TravelControls({ store, context }: PanelProps): VNode {
  const { travel } = context;
  const group = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(group, { within: () => group.current });
  const { back, forward } = waysFrom(travel, stepsOf(store));
  const go = (at: Moment | undefined): void => {
    if (at !== undefined) store.wish({ type: 'travelTo', at });
  };
  return (
    <div
      ref={group}
      class="travel"
      role="group"
      aria-label="Travel through the session"
      tabIndex={-1}
      data-testid="travel"
    >
      <Where context={context} />
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
    </div>
  );
}

function Where({ context }: { readonly context: ContextView }): VNode {
  const { travel, turn, busy, review } = context;
  const isPast = travel.at !== 'now';
  const waits = review !== undefined && !isPast;
  const works = busy && !waits && !isPast;
  return (
    <span class="step number" title={`Turn ${formatNumber(turn)}`} data-testid="step">
      {works && <ProgressRing />}
      <span>{whereWords(travel)}</span>
      {waits && ' · review a pass'}
      {works && <span class="spoken">, the agent is working</span>}
    </span>
  );
}

/** "step 24 of 41"; now is after the last step. */
function whereWords(travel: ContextView['travel']): string {
  if (!hasSteps(travel)) return 'no step yet';
  const { at, last } = travel;
  return `step ${formatNumber(at === 'now' ? last : at)} of ${formatNumber(last)}`;
}
