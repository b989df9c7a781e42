import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Activity, Conversation } from '../../src/editor/conversation/state';
import { type Mode, MODE_NAMES, MODES } from '../../src/editor/coreForPages';
import { Icon } from '../kit/icon';
import { RunningTime } from '../kit/runningTime';
import { Button, ProgressRing } from '../kit/toolkit';
import { useAgentView, type AgentViewStore } from './agentViewStore';
import { activityWords, WORDS } from './words';
import { AttachedChips, dropHandlers } from './attachedChips';
import { COMPOSER } from './focus';
import { choiceId, COMPOSER_LIST, ComposerList, useComposerMenu } from './composerMenu';
import { useHistoryKeys } from './promptHistory';

/** Takes prompts; while the agent works they are queued, and a Stop button is shown. */
export function Composer({ conversation }: { readonly conversation: Conversation }): VNode {
  const store = useAgentView();
  const field = useRef<HTMLTextAreaElement>(null);
  const isBusy = conversation.activity.state !== 'idle';
  const text = store.unsentPrompt.value;
  useGrowing(field, text);
  useFocusOnArrival(field);
  const goThroughPrompts = useHistoryKeys(field, conversation);
  const { menu, ...list } = useComposerMenu(field);

  const onKeyDown = (event: KeyboardEvent): void => {
    const isDone =
      list.press(event) || goThroughPrompts(event) || pressInComposer(event, store, conversation);
    if (isDone) event.preventDefault();
  };

  return (
    <div class="composer" {...dropHandlers(store)}>
      <ActivityStatus conversation={conversation} />
      {menu && <ComposerList menu={menu} choose={list.choose} />}
      <div class="prompt-frame" data-testid="prompt-frame">
        <AttachedChips attached={conversation.attached} offered={conversation.offered} />
        <textarea
          id={COMPOSER}
          ref={field}
          class="field"
          data-testid="composer"
          rows={2}
          value={text}
          placeholder={placeholderOf(conversation)}
          aria-label={WORDS.composer.label}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          {...(menu && {
            'aria-controls': COMPOSER_LIST,
            'aria-activedescendant': choiceId(menu.active),
          })}
          onInput={(event) => {
            store.unsentPrompt.value = event.currentTarget.value;
            list.look();
          }}
          onBlur={list.close}
          onKeyDown={onKeyDown}
        />
        <div class="prompt-line">
          <button
            type="button"
            class="plain prompt-choice"
            data-testid="attach"
            aria-label={WORDS.composer.attach}
            title={WORDS.composer.attach}
            onClick={list.mention}
          >
            <Icon name="create" />
          </button>
          <ModeChoice mode={conversation.mode} />
          <ModelButton conversation={conversation} />
          <span class="prompt-actions">
            {(!isBusy || text.trim() !== '') && (
              <Button
                appearance="primary"
                data-testid="send"
                disabled={text.trim() === ''}
                label={isBusy ? WORDS.composer.queue : WORDS.composer.send}
                hint={isBusy ? WORDS.composer.queueHint : WORDS.composer.sendHint}
                onClick={() => store.submitPrompt()}
              >
                <Icon name={isBusy ? 'clock' : 'up'} />
              </Button>
            )}
            {isBusy && (
              <Button
                data-testid="stop"
                label={WORDS.composer.stop}
                hint={WORDS.composer.stopHint}
                onClick={() => store.wish({ type: 'stopTurn' })}
              >
                <Icon name="stop" />
              </Button>
            )}
          </span>
        </div>
      </div>
    </div>
  );
}

/** What the empty field invites to. */
function placeholderOf({ turns, activity }: Conversation): string {
  if (activity.state !== 'idle') return WORDS.composer.meanwhile;
  return turns.length > 0 ? WORDS.composer.next : WORDS.composer.first;
}

/** Chooses how the agent works from its next step on. */
function ModeChoice({ mode }: { readonly mode: Mode }): VNode {
  const store = useAgentView();
  return (
    <select
      class="prompt-choice prompt-mode"
      data-testid="mode"
      value={mode}
      aria-label={WORDS.composer.mode}
      title={WORDS.composer.modeHint(WORDS.composer.modes[mode])}
      onChange={({ currentTarget }) => {
        const chosen = MODES.find((each) => each === currentTarget.value);
        if (chosen !== undefined) store.wish({ type: 'setMode', mode: chosen });
      }}
    >
      {MODES.map((each) => (
        <option key={each} value={each}>
          {MODE_NAMES[each]}
        </option>
      ))}
    </select>
  );
}

/** Names the model and its reasoning settings; a click opens the model picker. */
function ModelButton({ conversation }: { readonly conversation: Conversation }): VNode {
  const store = useAgentView();
  const { model, reasoning } = conversation;
  const words = reasoning === undefined ? model : `${model}, ${reasoning}`;
  const title = WORDS.composer.model(words);
  return (
    <button
      type="button"
      class="plain prompt-choice prompt-model"
      data-testid="choose-model"
      title={title}
      aria-label={title}
      onClick={() => store.wish({ type: 'chooseModel' })}
    >
      <span class="ellipsis">{model}</span>
      {reasoning !== undefined && <span class="ellipsis prompt-reasoning">, {reasoning}</span>}
      <Icon name="open" />
    </button>
  );
}

/** Activities that wait for the user. */
const STILL: ReadonlySet<Activity['state']> = new Set([
  'idle',
  'awaitingApproval',
  'awaitingReview',
]);

/**
 * Shows what the agent is doing. A screen reader announces changes of the text, but not the time.
 */
function ActivityStatus({ conversation }: { readonly conversation: Conversation }): VNode {
  const { activity } = conversation;
  const words = activityWords(conversation);
  return (
    <div class="activity small" data-testid="activity" data-state={activity.state}>
      {!STILL.has(activity.state) && <ProgressRing />}
      <span class="ellipsis quiet" role="status" aria-live="polite" title={words}>
        {words}
      </span>
      {activity.state !== 'waiting' && 'since' in activity && (
        <RunningTime since={activity.since} />
      )}
    </div>
  );
}

/** Makes a text area as high as its text, up to the limit of its style. */
export function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    const border = element.offsetHeight - element.clientHeight;
    if (element.scrollHeight > 0) element.style.height = `${element.scrollHeight + border}px`;
  }, [text]);
}

/**
 * Focuses the composer when the view gets the focus through a command or shortcut, not through a
 * mouse click.
 */
function useFocusOnArrival(field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let isPressed = false;
    const onPress = (): void => void (isPressed = true);
    const onRelease = (): void => void (isPressed = false);
    const onFocus = (): void => {
      const active = document.activeElement;
      if (!isPressed && (active === null || active === document.body)) field.current?.focus();
    };
    window.addEventListener('pointerdown', onPress, true);
    window.addEventListener('pointerup', onRelease, true);
    window.addEventListener('pointercancel', onRelease, true);
    window.addEventListener('focus', onFocus);
    return () => {
      window.removeEventListener('pointerdown', onPress, true);
      window.removeEventListener('pointerup', onRelease, true);
      window.removeEventListener('pointercancel', onRelease, true);
      window.removeEventListener('focus', onFocus);
    };
  }, []);
}

/**
 * Handles Enter (send), Ctrl+Enter or Cmd+Enter (send at the next step), Ctrl+. or Cmd+. (next mode)
 * and Escape (stop). Returns whether it used the key.
 */
function pressInComposer(
  event: KeyboardEvent,
  store: AgentViewStore,
  { activity }: Pick<Conversation, 'activity'>,
): boolean {
  // A key that composes a character, in Japanese for example, belongs to the input method.
  if (event.isComposing || event.shiftKey) return false;
  const isBusy = activity.state !== 'idle';
  const isNow = event.ctrlKey || event.metaKey;
  if (event.key === 'Enter') {
    store.submitPrompt(isBusy && isNow);
    return true;
  }
  if (event.key === '.' && isNow && !event.altKey) {
    if (!event.repeat) store.nextMode();
    return true;
  }
  if (event.key !== 'Escape' || isNow || event.altKey || event.repeat || !isBusy) return false;
  store.wish({ type: 'stopTurn' });
  return true;
}
