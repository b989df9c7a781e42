import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Scratchpad } from '../../src/protocol/contextPanel';
import { Button } from '../ui/toolkit';
import type { SendWish } from './panelStore';

export interface ScratchpadDialogProps {
  /** The notes as they were when the dialog was asked for. */
  readonly scratchpad: Scratchpad;
  readonly wish: SendWish;
  readonly onClose: () => void;
}

type Field = keyof Scratchpad;

const FIELDS: readonly { readonly name: Field; readonly label: string; readonly rows: number }[] = [
  { name: 'objective', label: 'Objective', rows: 2 },
  { name: 'keyFacts', label: 'Key facts, one a line', rows: 5 },
  { name: 'decisions', label: 'Decisions, one a line', rows: 4 },
  { name: 'currentStep', label: 'Current step', rows: 2 },
  { name: 'blockers', label: 'Blockers, one a line', rows: 2 },
];

/** Lets the user change the agent's notes; the agent is told what they are then. */
export function ScratchpadDialog({ scratchpad, wish, onClose }: ScratchpadDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [texts, setTexts] = useState(() => textsOf(scratchpad));
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const save = (): void => {
    wish({ type: 'updateScratchpad', scratchpad: scratchpadOf(texts) });
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      class="scratchpad"
      aria-labelledby={titleId}
      onClose={onClose}
      data-testid="scratchpad-dialog"
    >
      <h2 id={titleId} class="title">
        Scratchpad
      </h2>
      <p class="quiet small">The agent's own notes. What you change it is told as yours.</p>
      {FIELDS.map(({ name, label, rows }) => (
        <label key={name}>
          {label}
          <textarea
            rows={rows}
            value={texts[name]}
            onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            data-testid={`scratchpad-${name}`}
          />
        </label>
      ))}
      <div class="answers">
        <Button appearance="primary" onClick={save} data-testid="scratchpad-save">
          Save
        </Button>
        <Button onClick={onClose} data-testid="scratchpad-cancel">
          Cancel
        </Button>
      </div>
    </dialog>
  );
}

function textsOf(scratchpad: Scratchpad): Readonly<Record<Field, string>> {
  const { objective, keyFacts, decisions, currentStep, blockers } = scratchpad;
  return {
    objective,
    keyFacts: keyFacts.join('\n'),
    decisions: decisions.join('\n'),
    currentStep,
    blockers: blockers.join('\n'),
  };
}

function scratchpadOf(texts: Readonly<Record<Field, string>>): Scratchpad {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return {
    objective: texts.objective.trim(),
    keyFacts: lines(texts.keyFacts),
    decisions: lines(texts.decisions),
    currentStep: texts.currentStep.trim(),
    blockers: lines(texts.blockers),
  };
}
