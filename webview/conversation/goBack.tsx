import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { countText } from '../../src/editor/coreForPages';
import type { FileToRestore } from '../../src/editor/checkpoints/state';
import type { Conversation, TurnView } from '../../src/editor/conversation/state';
import { Icon } from '../kit/icon';
import { Button } from '../kit/toolkit';
import { type GoingBack, useAgentView } from './agentViewStore';
import { composerElement } from './focus';
import { promptEffectsWords, restoreWords, WORDS } from './words';

type Scope = 'conversation' | 'both' | 'files';

/** Asks what to undo: the conversation, files, or both. */
export function GoBackCard({
  conversation,
}: {
  readonly conversation: Conversation;
}): VNode | null {
  const asked = useAgentView().goingBack.value;
  if (asked === undefined) return null;
  const isStill =
    'step' in asked ? conversation.activity.state === 'idle' : isAsTold(conversation, asked);
  if (!isStill) return null;
  return <Question key={'step' in asked ? asked.step : asked.promptId} asked={asked} />;
}

/**
 * Whether a prompt can still be undone, and with the number of later prompts that the user was
 * shown.
 */
function isAsTold(
  conversation: Conversation,
  { promptId, effects }: Extract<GoingBack, { readonly promptId: string }>,
): boolean {
  const turns = conversation.turns.filter(({ undonePrompt }) => undonePrompt === undefined);
  const at = turns.findIndex((turn) => turn.promptId === promptId);
  const turn = turns[at];
  const mayUndoPrompt = undoableTurns(conversation, false);
  return turn !== undefined && mayUndoPrompt(turn) && turns.length - at - 1 === effects.prompts;
}

function Question({ asked }: { readonly asked: GoingBack }): VNode {
  const store = useAgentView();
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const [scope, setScope] = useState<Scope>('conversation');
  const [isAll, setIsAll] = useState(false);
  // The card takes the focus, not a button, so that no keystroke meant for a text answers.
  useLayoutEffect(() => card.current?.focus(), []);
  const isStep = 'step' in asked;
  const restore = isStep ? asked.restore : asked.effects.restore;
  const files: 'all' | 'unchanged' = isAll ? 'all' : 'unchanged';
  const also = scope === 'both' ? { files } : {};
  const close = (): void => {
    store.goingBack.value = undefined;
    composerElement()?.focus();
  };
  const goBack = (): void => {
    close();
    if (scope === 'files') {
      const moment = isStep
        ? ({ type: 'step', step: asked.step } as const)
        : ({ type: 'prompt', turn: Number(asked.promptId.replace('prompt-', '')) } as const);
      store.wish({ type: 'restoreFiles', moment, files });
    } else if (isStep) {
      store.wish({ type: 'forkBefore', step: asked.step, ...also });
    } else undoPrompt();
  };
  const undoPrompt = (again?: true): void => {
    if (isStep) return;
    const { promptId: blockId, effects } = asked;
    const repeated = again === undefined ? {} : { again };
    store.wish({ type: 'undoPrompt', blockId, steps: effects.steps, ...also, ...repeated });
  };
  return (
    <section
      ref={card}
      class="approval"
      data-testid="undo-question"
      role="group"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <h2 id={titleId} class="approval-title">
        {isStep ? WORDS.goBack.toStepQuestion(asked.step) : WORDS.goBack.undoQuestion}
      </h2>
      <p>{isStep ? WORDS.goBack.fork : promptEffectsWords(asked.effects)}</p>
      {restore.length > 0 && (
        <RestoreChoice
          restore={restore}
          scope={scope}
          isAll={isAll}
          onScope={setScope}
          onAll={setIsAll}
        />
      )}
      <div class="approval-line go-back-answers">
        <Button data-testid="undo-keep" onClick={close}>
          {isStep ? WORDS.goBack.stay : WORDS.goBack.keep}
        </Button>
        {!isStep && scope !== 'files' && (
          <Button
            data-testid="undo-again"
            onClick={() => {
              close();
              undoPrompt(true);
            }}
          >
            {WORDS.goBack.sendAgain}
          </Button>
        )}
        <Button appearance="primary" data-testid="undo-confirm" onClick={goBack}>
          {scope === 'files' ? WORDS.goBack.restore : isStep ? WORDS.goBack.go : WORDS.goBack.undo}
        </Button>
      </div>
    </section>
  );
}

interface RestoreChoiceProps {
  readonly restore: readonly FileToRestore[];
  readonly scope: Scope;
  readonly isAll: boolean;
  readonly onScope: (scope: Scope) => void;
  readonly onAll: (isAll: boolean) => void;
}

/** Lets the user choose whether to restore files, and lists what happens to each. */
function RestoreChoice({ restore, scope, isAll, onScope, onAll }: RestoreChoiceProps): VNode {
  const name = useId();
  const files = countText(restore.length, 'file');
  const changed = restore.filter(({ isChangedSince }) => isChangedSince === true).length;
  const words: readonly (readonly [Scope, string])[] = [
    ['conversation', WORDS.goBack.onlyConversation],
    ['both', WORDS.goBack.conversationAnd(files)],
    ['files', WORDS.goBack.only(files)],
  ];
  return (
    <fieldset class="go-back-choice small">
      <legend>{WORDS.goBack.scope}</legend>
      {words.map(([value, text]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            data-testid={`go-back-${value}`}
            checked={scope === value}
            onChange={() => onScope(value)}
          />
          <span>{text}</span>
        </label>
      ))}
      <ul data-testid="go-back-list">
        {restore.map((file) => (
          <li key={file.path}>{restoreWords(file)}</li>
        ))}
      </ul>
      {changed > 0 && scope !== 'conversation' && (
        <label>
          <input
            type="checkbox"
            data-testid="go-back-all"
            checked={isAll}
            onChange={({ currentTarget }) => onAll(currentTarget.checked)}
          />
          <span>{WORDS.goBack.alsoChanged(changed)}</span>
        </label>
      )}
    </fieldset>
  );
}

/**
 * The turns whose prompts can be undone now: any while the agent is idle, otherwise the newest
 * before its first answer.
 */
export function undoableTurns(
  { turns, activity, isOpening }: Pick<Conversation, 'turns' | 'activity' | 'isOpening'>,
  isReplying: boolean,
): (turn: TurnView) => boolean {
  // The rest of the log is still being read.
  if (isOpening === true) return () => false;
  if (activity.state === 'idle') return ({ undonePrompt }) => undonePrompt === undefined;
  const newest = turns.findLast(({ undonePrompt }) => undonePrompt === undefined);
  const isAsking = activity.state === 'asking' || activity.state === 'waiting';
  const isWaiting = isAsking && !isReplying && newest !== undefined && stepsOf(newest) === 0;
  return (turn) => isWaiting && turn === newest && turn === turns.at(-1);
}

/** Undoes a prompt: immediately before the first answer, otherwise after a question. */
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
      class="plain link small undo-prompt"
      data-testid="undo-prompt"
      aria-label={WORDS.goBack.undoLabel}
      onClick={onClick}
    >
      {WORDS.goBack.undo}
    </button>
  );
}

/** Goes back to the moment before a step, after a question that shows what happens to files. */
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
      class="plain go-back"
      data-testid="go-back"
      aria-label={WORDS.goBack.toStep(step)}
      title={WORDS.goBack.toStep(step)}
      onClick={onClick}
    >
      <Icon name="recall" />
    </button>
  );
}

/** Stands for a turn whose prompt was undone. */
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
    <p class="undone-prompt small quiet" data-testid="undone-prompt">
      <span class="ellipsis" title={prompt}>
        {prompt}
      </span>
      <span>{WORDS.goBack.undone(steps)}</span>
      {isIdle && (
        <button
          type="button"
          class="plain link"
          data-testid="restore-prompt"
          aria-label={WORDS.goBack.restorePrompt.label}
          onClick={() => store.wish({ type: 'restorePrompt', blockId: promptId })}
        >
          {WORDS.goBack.restorePrompt.text}
        </button>
      )}
    </p>
  );
}

function stepsOf({ items }: TurnView): number {
  return items.filter(({ type }) => type === 'step').length;
}
