import type { VNode } from 'preact';
import type { Conversation, TurnView } from '../../src/editor/conversation/state';
import { count } from '../kit/tokens';
import { useAgentView } from './agentViewStore';
import { composerElement } from './composerElement';

/**
 * Says which turns can be taken back now: any while nothing runs, else the newest while nothing of it
 * was answered yet.
 */
export function takeableTurns(
  { turns, activity, isOpening }: Pick<Conversation, 'turns' | 'activity' | 'isOpening'>,
  isReplying: boolean,
): (turn: TurnView) => boolean {
  // What is only read so far cannot be changed yet.
  if (isOpening === true) return () => false;
  if (activity.state === 'idle') return ({ undonePrompt }) => undonePrompt === undefined;
  const newest = turns.findLast(({ undonePrompt }) => undonePrompt === undefined);
  const isAsking = activity.state === 'asking' || activity.state === 'waiting';
  const isWaiting = isAsking && !isReplying && newest !== undefined && stepsOf(newest) === 0;
  return (turn) => isWaiting && turn === newest && turn === turns.at(-1);
}

/** Takes a prompt back: the newest at once while nothing was answered, else after a question. */
export function UndoPromptButton({
  turn,
  isNewest,
}: {
  readonly turn: TurnView;
  readonly isNewest: boolean;
}): VNode {
  const store = useAgentView();
  const { promptId } = turn;
  const onClick = (): void => {
    if (isNewest && stepsOf(turn) === 0) {
      store.wish({ type: 'undoPrompt', blockId: promptId, steps: 0 });
      composerElement()?.focus();
      return;
    }
    store.wish(
      { type: 'fetchPromptEffects', blockId: promptId },
      { answered: (effects) => (store.goingBack.value = { promptId, effects }) },
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

/** Goes back to before a step, after a question that says what this does to files. */
export function GoBackButton({ step }: { readonly step: number }): VNode {
  const store = useAgentView();
  const onClick = (): void => {
    store.wish(
      { type: 'planRestore', moment: { type: 'step', step } },
      { answered: (restore) => (store.goingBack.value = { step, restore }) },
    );
  };
  return (
    <button
      type="button"
      class="plain link small go-back"
      data-testid="go-back"
      aria-label={`Go back to before step ${step}`}
      onClick={onClick}
    >
      Go back to here
    </button>
  );
}

/** Stands for a turn whose prompt was taken back. */
export function UndonePromptTurn({
  turn,
  isIdle,
}: {
  readonly turn: TurnView;
  readonly isIdle: boolean;
}): VNode {
  const store = useAgentView();
  const { prompt, promptId, undonePrompt } = turn;
  const steps = undonePrompt?.steps ?? 0;
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
          onClick={() => store.wish({ type: 'bringPromptBack', blockId: promptId })}
        >
          Undo
        </button>
      )}
    </p>
  );
}

function stepsOf({ items }: TurnView): number {
  return items.filter(({ type }) => type === 'step').length;
}
