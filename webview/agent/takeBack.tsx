import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Conversation, TurnView } from '../../src/protocol/agentView';
import type { LedTo } from '../../src/protocol/agentWishes';
import { formatNumber } from '../ui/tokens';
import { Button } from '../ui/toolkit';
import { useAgentView, type TakingBack } from './agentViewStore';
import { composerElement } from './composer';

/**
 * The turn whose prompt can be taken back now: the newest one, when nothing runs or nothing of it
 * was answered yet.
 */
export function takeableTurn(
  { turns, activity, isOpening }: Pick<Conversation, 'turns' | 'activity' | 'isOpening'>,
  isReplying: boolean,
): TurnView | undefined {
  // What is only read so far cannot be changed yet.
  if (isOpening === true) return undefined;
  const newest = turns.findLast(({ takenBack }) => takenBack === undefined);
  if (newest === undefined || activity.state === 'idle') return newest;
  const isAsking = activity.state === 'asking' || activity.state === 'waiting';
  const isWaiting = isAsking && !isReplying && stepsOf(newest) === 0;
  return isWaiting && newest === turns.at(-1) ? newest : undefined;
}

/** Takes the newest prompt back: at once while nothing was answered, else after a question. */
export function TakeBackButton({ turn }: { readonly turn: TurnView }): VNode {
  const store = useAgentView();
  const { promptId } = turn;
  const onClick = (): void => {
    if (stepsOf(turn) === 0) {
      store.wish({ type: 'takeBackPrompt', blockId: promptId, steps: 0 });
      composerElement()?.focus();
      return;
    }
    store.wish(
      { type: 'fetchLedTo', blockId: promptId },
      { answered: (ledTo) => (store.takingBack.value = { promptId, ledTo }) },
    );
  };
  return (
    <button
      type="button"
      class="plain link small take-back"
      data-testid="take-back-prompt"
      aria-label="Take back this prompt, into the composer"
      onClick={onClick}
    >
      Take back
    </button>
  );
}

/** Asks whether the newest prompt is to be taken back, and says what leaves with it and what stays. */
export function TakeBackCard({
  conversation,
}: {
  readonly conversation: Conversation;
}): VNode | null {
  const asked = useAgentView().takingBack.value;
  const isStill = takeableTurn(conversation, false)?.promptId === asked?.promptId;
  return asked === undefined || !isStill ? null : <Question asked={asked} />;
}

function Question({ asked: { promptId, ledTo } }: { readonly asked: TakingBack }): VNode {
  const store = useAgentView();
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  // The card takes the focus, not one of its buttons: a key that was meant for a text answers
  // nothing.
  useLayoutEffect(() => card.current?.focus(), []);
  const close = (): void => {
    store.takingBack.value = undefined;
    composerElement()?.focus();
  };
  const takeBack = (): void => {
    close();
    store.wish({ type: 'takeBackPrompt', blockId: promptId, steps: ledTo.steps });
  };
  return (
    <section
      ref={card}
      class="approval"
      data-testid="take-back-question"
      role="group"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <h2 id={titleId} class="approval-title">
        Take this prompt back?
      </h2>
      <p>{ledToWords(ledTo)}</p>
      <div class="approval-line">
        <Button data-testid="take-back-keep" onClick={close}>
          Keep it
        </Button>
        <Button appearance="primary" data-testid="take-back-confirm" onClick={takeBack}>
          Take back
        </Button>
      </div>
    </section>
  );
}

/** Stands for a turn whose prompt was taken back. */
export function TakenBackTurn({
  turn,
  isIdle,
}: {
  readonly turn: TurnView;
  readonly isIdle: boolean;
}): VNode {
  const store = useAgentView();
  const { prompt, promptId, takenBack } = turn;
  const steps = takenBack?.steps ?? 0;
  return (
    <p class="taken-back small quiet" data-testid="taken-back">
      <span class="ellipsis" title={prompt}>
        {prompt}
      </span>
      <span>Taken back{steps === 0 ? '' : ` with ${count(steps, 'step')}`}</span>
      {isIdle && (
        <button
          type="button"
          class="plain link"
          data-testid="bring-back"
          aria-label="Bring this prompt back, with all it led to"
          onClick={() => store.wish({ type: 'bringBackPrompt', blockId: promptId })}
        >
          Undo
        </button>
      )}
    </p>
  );
}

/** Says what leaves with a prompt, and what stays as it is. */
export function ledToWords({ steps, files, commands }: LedTo): string {
  const leaving =
    `It led to ${count(steps, 'step')}, which ${steps === 1 ? 'leaves' : 'leave'} the context ` +
    'window with it. The log keeps everything.';
  const changed =
    files.length === 0
      ? ''
      : ` ${count(files.length, 'changed file')} ${files.length === 1 ? 'stays as it is' : 'stay as they are'}: ${files.join(', ')}.`;
  const ran = commands === 0 ? '' : ` What ${count(commands, 'command')} did is not undone either.`;
  return `${leaving}${changed}${ran}`;
}

function stepsOf({ items }: TurnView): number {
  return items.filter(({ type }) => type === 'step').length;
}

function count(number: number, what: string): string {
  return `${formatNumber(number)} ${what}${number === 1 ? '' : 's'}`;
}
