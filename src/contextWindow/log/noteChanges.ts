import type { NoteSource } from '../block';
import { noteBlock, type NewNote } from '../blockForms';
import type { ContextWindow } from '../contextWindow';
import type { EventOf } from '../event';
import { refaultByUser } from '../passes/refault';
import { scratchpadText, type ScratchpadAge } from '../scratchpad';
import { addBlock, withDecision } from './blockChanges';

/** Takes a new scratchpad into the window; what came from the user or another session is told in a note. */
export function updateScratchpad(
  window: ContextWindow,
  event: EventOf<'scratchpadUpdated'>,
): ContextWindow {
  const scratchpadAge = { writtenAt: window.step, isReminded: false, isTold: false };
  const noted = { ...window, scratchpad: event.scratchpad, scratchpadAge };
  const { byUser, handedOver } = event;
  if (byUser !== true && handedOver !== true) return noted;
  // A step shows what the agent wrote itself; only a note can tell it what came from elsewhere.
  return addNote(noted, {
    note: event.note ?? window.note + 1,
    source: { from: 'scratchpad', ...(handedOver === true ? { handedOver } : {}) },
    text: scratchpadText(event.scratchpad),
    admission: { form: 'whole' },
  });
}

/** Adds a note at the end. */
export function addNote(window: ContextWindow, added: NewNote): ContextWindow {
  const { note: number, source } = added;
  const note = noteBlock(window, added);
  const found = source.from === 'recall' ? refaultByUser(window, source.blockId) : [];
  const refaults = window.refaults.concat(found);
  const scratchpadAge = reminded(window.scratchpadAge, source);
  return withDecision({ ...addBlock(window, note), note: number, refaults, scratchpadAge }, note);
}

function reminded(age: ScratchpadAge, source: NoteSource): ScratchpadAge {
  if (source.from !== 'reminder') return age;
  return { ...age, isReminded: true, isTold: age.isTold || source.because === 'pass' };
}

/** What a reminder said of the next pass says nothing of the one after it. */
export function untold(window: ContextWindow): ContextWindow {
  const { scratchpadAge } = window;
  return scratchpadAge.isTold
    ? { ...window, scratchpadAge: { ...scratchpadAge, isTold: false } }
    : window;
}
