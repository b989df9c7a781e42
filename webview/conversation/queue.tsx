import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Conversation, HoldReason } from '../../src/editor/conversation/state';
import { Icon, type IconName } from '../kit/icon';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';
import { useGrowing } from './composer';
import { composerElement } from './focus';

type QueueProps = Pick<Conversation, 'queued' | 'held' | 'activity'>;

/** The queued prompts; each can be edited, moved, deleted, or sent now. */
export function Queue({ queued, held, activity }: QueueProps): VNode | null {
  const waiting = queued.filter(({ id }) => id !== undefined).length;
  if (queued.length === 0) return null;
  const sending = queued.length - waiting;
  return (
    <section class="queue" data-testid="queue" aria-label="Queued prompts">
      {held !== undefined && waiting > 0 && <Held reason={held} />}
      <ul class="queued">
        {queued.map(({ id, text, attached, atNextStep = false }, index) =>
          id === undefined ? (
            <li key="sending" data-testid="sending">
              <span class="small quiet">Sending</span>
              <span class="ellipsis" title={text}>
                {text}
              </span>
            </li>
          ) : (
            <Waiting
              key={id}
              prompt={{ id, text, beside: attached?.length ?? 0, atNextStep }}
              place={index - sending}
              places={waiting}
              isBusy={activity.state !== 'idle'}
            />
          ),
        )}
      </ul>
    </section>
  );
}

const HELD: Readonly<Record<HoldReason, string>> = {
  stopped: 'Not sent: you stopped the turn.',
  ended: 'Not sent: the turn before did not finish.',
  left: 'Not sent: the session was left, or the window reloaded.',
  refused: 'Not sent: something stood in the way.',
  question: 'Not sent until you say how the session goes on.',
};

/** Why the queued prompts are not sent, with a Send button. */
function Held({ reason }: { readonly reason: HoldReason }): VNode {
  const store = useAgentView();
  return (
    <div class="held">
      <span class="small" role="status" data-testid="held">
        {HELD[reason]}
      </span>
      {reason !== 'question' && (
        <Button data-testid="send-queued" onClick={() => store.wish({ type: 'sendQueued' })}>
          Send
        </Button>
      )}
    </div>
  );
}

interface WaitingProps {
  readonly prompt: {
    readonly id: number;
    readonly text: string;
    /** The number of attachments. */
    readonly beside: number;
    readonly atNextStep: boolean;
  };
  /** Position in the queue, 0 for the first, and the length of the queue. */
  readonly place: number;
  readonly places: number;
  readonly isBusy: boolean;
}

/** A queued prompt with its buttons. */
function Waiting({ prompt, place, places, isBusy }: WaitingProps): VNode {
  const { id, text, beside, atNextStep } = prompt;
  const store = useAgentView();
  const [isEdited, setEdited] = useState(false);
  const now = isBusy ? 'Stop the turn and send this now' : 'Send this now';
  return (
    <li data-testid="queued">
      {isEdited ? (
        <EditField
          text={text}
          save={(edited) => {
            setEdited(false);
            composerElement()?.focus();
            if (edited !== text) store.wish({ type: 'editQueued', id, text: edited });
          }}
          cancel={() => {
            setEdited(false);
            composerElement()?.focus();
          }}
        />
      ) : (
        <>
          <span class="ellipsis" title={text} data-testid="queued-text">
            {text}
          </span>
          {beside > 0 && (
            <span class="small quiet" data-testid="queued-beside">
              +{beside}
            </span>
          )}
          {atNextStep && isBusy && (
            <span class="small quiet" data-testid="queued-next">
              at the next step
            </span>
          )}
          <span class="queued-actions">
            {isBusy && (
              <Action
                icon={atNextStep ? 'clock' : 'steer'}
                label={atNextStep ? 'Send after the turn' : 'Tell at the next step'}
                testId="queued-tell"
                run={() => store.wish({ type: 'tellQueued', id, atNextStep: !atNextStep })}
              />
            )}
            <Action icon="edit" label="Edit" testId="queued-edit" run={() => setEdited(true)} />
            {place > 0 && (
              <Action
                icon="up"
                label="Move up"
                testId="queued-up"
                run={() => store.wish({ type: 'moveQueued', id, to: place - 1 })}
              />
            )}
            {place < places - 1 && (
              <Action
                icon="down"
                label="Move down"
                testId="queued-down"
                run={() => store.wish({ type: 'moveQueued', id, to: place + 1 })}
              />
            )}
            <Action
              icon="cross"
              label="Delete"
              testId="queued-delete"
              run={() => store.wish({ type: 'deleteQueued', id })}
            />
            <Action
              icon="send"
              label={now}
              testId="queued-send"
              run={() => store.wish({ type: 'sendQueuedNow', id })}
            />
          </span>
        </>
      )}
    </li>
  );
}

interface ActionProps {
  readonly icon: IconName;
  readonly label: string;
  readonly testId: string;
  readonly run: () => void;
}

function Action({ icon, label, testId, run }: ActionProps): VNode {
  return (
    <button
      type="button"
      class="plain queued-action"
      data-testid={testId}
      aria-label={label}
      title={label}
      onClick={run}
    >
      <Icon name={icon} />
    </button>
  );
}

interface EditFieldProps {
  readonly text: string;
  readonly save: (text: string) => void;
  readonly cancel: () => void;
}

/** The editor of a queued prompt; Enter saves, Escape cancels. */
function EditField({ text, save, cancel }: EditFieldProps): VNode {
  const [edited, setEdited] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  useGrowing(field, edited);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.isComposing) cancel();
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (edited.trim() !== '') save(edited.trim());
  };
  return (
    <textarea
      ref={field}
      class="field"
      data-testid="queued-field"
      rows={1}
      autofocus
      value={edited}
      aria-label="Queued prompt. Enter saves, Escape leaves it as it was."
      onInput={(event) => setEdited(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
