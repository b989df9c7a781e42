import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Scratchpad } from '../../../src/protocol/contextPanel';
import { DialogAnswers } from './dialogAnswers';
import { Modal } from './modal';
import type { PanelStore } from '../panelStore';
import { NOTE_FIELDS, scratchpadOf, textsOf } from '../side/scratchpadFields';
import { useAnswer } from './useAnswer';

/** Lets the user change the agent's notes, while they are fetched for it. */
export function ScratchpadDialog({ store }: { readonly store: PanelStore }): VNode | null {
  const scratchpad = store.scratchpad.value;
  return scratchpad === undefined ? null : <NotesForm store={store} scratchpad={scratchpad} />;
}

interface NotesFormProps {
  readonly store: PanelStore;
  /** The notes as they were when the dialog was asked for. */
  readonly scratchpad: Scratchpad;
}

function NotesForm({ store, scratchpad }: NotesFormProps): VNode {
  const close = store.closeScratchpad;
  const [texts, setTexts] = useState(() => textsOf(scratchpad));
  const answer = useAnswer(store, 'updateScratchpad', close);
  const save = (): void => {
    const edited = scratchpadOf(texts);
    const isSame = JSON.stringify(edited) === JSON.stringify(scratchpadOf(textsOf(scratchpad)));
    if (isSame) close();
    else answer.send({ type: 'updateScratchpad', scratchpad: edited, base: scratchpad });
  };
  return (
    <Modal title="Scratchpad" class="scratchpad" onClose={close} data-testid="scratchpad-dialog">
      <p class="quiet small">The agent's own notes. What you change it is told as yours.</p>
      {NOTE_FIELDS.map(({ name, label, isList, rows }) => (
        <label key={name}>
          {isList ? `${label}, one a line` : label}
          <textarea
            rows={rows}
            value={texts[name]}
            onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            data-testid={`scratchpad-${name}`}
          />
        </label>
      ))}
      <DialogAnswers answer={answer} name="scratchpad" onSave={save} onCancel={close} />
    </Modal>
  );
}
