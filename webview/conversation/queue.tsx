import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Conversation, HoldReason } from '../../src/editor/conversation/state';
import { Icon, type IconName } from '../kit/icon';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';
import { useGrowing } from './composer';
import { composerElement } from './focus';
import { WORDS } from './words';

type QueueProps = Pick<Conversation, 'queued' | 'held' | 'activity'>;

/** The queued prompts; each can be edited, moved, deleted, or sent now. */
export function Queue({ queued, held, activity }: QueueProps): VNode | null {
  const waiting = queued.filter(({ id }) => id !== undefined).length;
  if (queued.length === 0) return null;
  const sending = queued.length - waiting;
  return (
    <section class="queue" data-testid="queue" aria-label={WORDS.queue.title}>
      {held !== undefined && waiting > 0 && <Held reason={held} />}
      <ul class="queued">
        {queued.map(({ id, text, attached, atNextStep = false }, index) =>
          id === undefined ? (
            <li key="sending" data-testid="sending">
              <span class="small quiet">{WORDS.queue.sending}</span>
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

/** Why the queued prompts are not sent, with a Send button. */
function Held({ reason }: { readonly reason: HoldReason }): VNode {
  const store = useAgentView();
  return (
    <div class="held">
      <span class="small" role="status" data-testid="held">
        {WORDS.queue.held[reason]}
      </span>
      {reason !== 'question' && (
        <Button data-testid="send-queued" onClick={() => store.wish({ type: 'sendQueued' })}>
          {WORDS.queue.send}
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
  const now = isBusy ? WORDS.queue.stopAndSend : WORDS.queue.sendNow;
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
              {WORDS.queue.atNextStep}
            </span>
          )}
          <span class="queued-actions">
            {isBusy && (
              <Action
                icon={atNextStep ? 'clock' : 'steer'}
                label={atNextStep ? WORDS.queue.sendAfterTurn : WORDS.queue.sendAtNextStep}
                testId="queued-tell"
                run={() => store.wish({ type: 'tellQueued', id, atNextStep: !atNextStep })}
              />
            )}
            <Action
              icon="edit"
              label={WORDS.queue.edit}
              testId="queued-edit"
              run={() => setEdited(true)}
            />
            {place > 0 && (
              <Action
                icon="up"
                label={WORDS.queue.up}
                testId="queued-up"
                run={() => store.wish({ type: 'moveQueued', id, to: place - 1 })}
              />
            )}
            {place < places - 1 && (
              <Action
                icon="down"
                label={WORDS.queue.down}
                testId="queued-down"
                run={() => store.wish({ type: 'moveQueued', id, to: place + 1 })}
              />
            )}
            <Action
              icon="cross"
              label={WORDS.queue.delete}
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
      aria-label={WORDS.queue.fieldLabel}
      onInput={(event) => setEdited(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
