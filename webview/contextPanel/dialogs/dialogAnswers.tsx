import type { VNode } from 'preact';
import { Button } from '../../kit/toolkit';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextWish } from '../../../src/editor/contextPanel/wishes';
import type { Leave } from '../../kit/hostLink';
import type { PanelStore } from '../store/panelStore';

export interface DialogAnswersProps {
  readonly answer: Pick<Sending, 'isWaiting' | 'refusal'>;
  /** The name of what is saved; test ids begin with it. */
  readonly name: string;
  /** Why it cannot be saved as it is. */
  readonly why?: string | undefined;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** Draws Save and Cancel, and why the host refused what was to be saved. */
export function DialogAnswers({ answer, name, why, onSave, onCancel }: DialogAnswersProps): VNode {
  return (
    <>
      <Refused message={answer.refusal} data-testid={`${name}-refusal`} />
      <div class="answers">
        <Button
          appearance="primary"
          disabled={answer.isWaiting || why !== undefined}
          hint={why}
          onClick={onSave}
          data-testid={`${name}-save`}
        >
          Save
        </Button>
        <Button onClick={onCancel} data-testid={`${name}-cancel`}>
          Cancel
        </Button>
      </div>
    </>
  );
}

export interface RefusedProps {
  /** Undefined while nothing was refused. */
  readonly message: string | undefined;
  readonly 'data-testid': string;
}

/** Says, next to what was asked for, why the host did not do it. */
export function Refused({ message, ...rest }: RefusedProps): VNode | null {
  if (message === undefined) return null;
  return (
    <p class="refused" role="alert" data-testid={rest['data-testid']}>
      {message}
    </p>
  );
}

interface Sending {
  readonly send: (wish: ContextWish) => void;
  readonly isWaiting: boolean;
  /** Why the host refused what was last sent. */
  readonly refusal: string | undefined;
}

/**
 * Sends a wish and waits for the host's answer: `onTaken` is called only once it is done. What was
 * typed must not be lost to a refusal.
 */
export function useAnswer(store: PanelStore, onTaken: () => void = () => undefined): Sending {
  const [isWaiting, setWaiting] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const leave = useRef<Leave>(() => undefined);
  useEffect(() => () => leave.current(), []);
  return {
    send: (wish) => {
      setWaiting(true);
      setRefusal(undefined);
      leave.current = store.wish(wish, {
        done: () => {
          setWaiting(false);
          onTaken();
        },
        refused: (why) => {
          setWaiting(false);
          setRefusal(why);
        },
      });
    },
    isWaiting,
    refusal,
  };
}
