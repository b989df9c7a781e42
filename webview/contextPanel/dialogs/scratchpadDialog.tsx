import type { VNode } from 'preact';
import { DialogAnswers, Modal, useAnswer } from './modal';
import type { PanelStore } from '../store/panelStore';
import { fieldsOf, scratchpadOf, textsOf } from '../store/scratchpadFields';
import type { EditedScratchpad } from '../store/keptState';

/** Lets the user edit the scratchpad once it is fetched. */
export function ScratchpadDialog({ store }: { readonly store: PanelStore }): VNode | null {
  const edited = store.begun.value.scratchpad;
  return edited === undefined ? null : <ScratchpadForm store={store} edited={edited} />;
}

interface ScratchpadFormProps {
  readonly store: PanelStore;
  readonly edited: EditedScratchpad;
}

function ScratchpadForm({ store, edited: { base, texts } }: ScratchpadFormProps): VNode {
  const close = (): void => store.begin('scratchpad', undefined);
  const answer = useAnswer(store, close);
  const scratchpad = scratchpadOf(texts, base);
  const isSame = JSON.stringify(scratchpad) === JSON.stringify(scratchpadOf(textsOf(base), base));
  const save = (): void => {
    if (isSame) close();
    else answer.send({ type: 'updateScratchpad', scratchpad, base });
  };
  return (
    <Modal
      title="Scratchpad"
      class="scratchpad"
      onClose={close}
      question={isSame ? undefined : 'Discard what you typed?'}
      data-testid="scratchpad-dialog"
    >
      <p class="quiet small">The agent's own notes. The agent is told what you change.</p>
      {fieldsOf(base).map(({ name, label, isList, rows }) => (
        <label key={name}>
          {isList ? `${label}, one a line` : label}
          <textarea
            rows={rows}
            value={texts[name] ?? ''}
            onInput={(event) => {
              const { value } = event.currentTarget;
              store.begin('scratchpad', { base, texts: { ...texts, [name]: value } });
            }}
            data-testid={`scratchpad-${name}`}
          />
        </label>
      ))}
      <DialogAnswers answer={answer} name="scratchpad" onSave={save} onCancel={close} />
    </Modal>
  );
}
