import { describe, expect, it } from 'vitest';
import type { ContextView, Scratchpad } from '../../../../src/editor/contextPanel/state';
import { sampleContext } from '../contextViews';
import { drawPanel, keptOf } from '../drawnPanel';

// @vitest-environment happy-dom

const NOTES: Scratchpad = {
  objective: 'Mend the harbour tests',
  keyFacts: ['zones.js reads column 3', 'the API is frozen'],
  decisions: [],
  currentStep: 'Running the tests',
  blockers: ['no network'],
};

function drawn(changes: Partial<ContextView> = {}) {
  const panel = drawPanel(sampleContext(changes));
  const field = (name: string) => panel.one(`scratchpad-${name}`) as HTMLTextAreaElement;
  return { ...panel, field };
}

function opened() {
  const panel = drawDetails();
  panel.click(panel.one('notes-edit'));
  panel.answer({ type: 'answered', data: NOTES });
  panel.wishes.length = 0;
  return panel;
}

function drawDetails(changes: Partial<ContextView> = {}) {
  const panel = drawn(changes);
  panel.openPart('kept');
  return panel;
}

describe('the scratchpad', () => {
  it('opens from the details of its part of the bar, once there is a session', () => {
    const { one, all, click, wishes } = drawn();
    click(all('bar-part').find(({ dataset }) => dataset['part'] === 'kept')!);
    click(one('notes-edit'));
    expect(wishes).toEqual([{ type: 'fetchScratchpad' }]);
    const empty = drawDetails({ turn: 0 });
    empty.click(empty.one('notes-edit'));
    expect(empty.wishes).toEqual([]);
  });

  it('opens with its five fields, lists one item per line', () => {
    const { one, field } = opened();
    expect((one('scratchpad-dialog') as HTMLDialogElement).open).toBe(true);
    expect(field('objective').value).toBe('Mend the harbour tests');
    expect(field('keyFacts').value).toBe('zones.js reads column 3\nthe API is frozen');
    expect([field('decisions').value, field('blockers').value]).toEqual(['', 'no network']);
    expect(field('currentStep').closest('label')?.textContent).toContain('Current step');
  });

  it('is saved as edited, without blank lines, and closes once accepted', () => {
    const { one, all, field, type, click, tell, answer, wishes } = opened();
    type('keep the API\n\n  no new library ', field('decisions'));
    type('', field('blockers'));
    click(one('scratchpad-save'));
    const scratchpad = { ...NOTES, decisions: ['keep the API', 'no new library'], blockers: [] };
    expect(wishes).toEqual([{ type: 'updateScratchpad', scratchpad, base: NOTES }]);
    expect(one('scratchpad-save').getAttribute('aria-disabled')).toBe('true');
    tell({ type: 'contextChanged', context: sampleContext({ scratchpad }) });
    expect(all('scratchpad-dialog')).toHaveLength(1);
    answer({ type: 'done' });
    expect(all('scratchpad-dialog')).toEqual([]);
  });

  it('has a field for each list of the user’s own, with its content', () => {
    const lists = [{ name: 'API contracts', items: ['no throw'] }];
    const base = { ...NOTES, lists: [...lists, { name: 'Do not touch', items: [] }] };
    const { one, field, type, click, answer, wishes } = drawDetails();
    click(one('notes-edit'));
    answer({ type: 'answered', data: base });
    wishes.length = 0;
    expect(field('list API contracts').value).toBe('no throw');
    expect(field('list Do not touch').closest('label')?.textContent).toContain(
      'Do not touch, one a line',
    );
    type('zones.js\n\nledger.js', field('list Do not touch'));
    click(one('scratchpad-save'));
    const changed = [...lists, { name: 'Do not touch', items: ['zones.js', 'ledger.js'] }];
    const scratchpad = { ...NOTES, lists: changed };
    expect(wishes).toEqual([{ type: 'updateScratchpad', scratchpad, base }]);
    const tab = drawDetails({ scratchpad });
    expect(tab.one('note-list Do not touch').textContent).toBe('Do not touchzones.jsledger.js');
    expect(drawDetails().all('note-list Do not touch')).toEqual([]);
  });

  it('keeps the text if the host refuses it, and says why', () => {
    const { one, field, type, click, refuse, wishes } = opened();
    type('Mine', field('objective'));
    click(one('scratchpad-save'));
    refuse('A step is running: try again when it has ended.');
    expect(one('scratchpad-refusal').textContent).toContain('A step is running');
    expect(field('objective').value).toBe('Mine');
    click(one('scratchpad-save'));
    expect(wishes).toHaveLength(2);
  });

  it('gives the age of the notes', () => {
    const age = (changes: Partial<ContextView>) =>
      drawDetails({ scratchpad: NOTES, ...changes }).one('notes-age').textContent;
    expect(age({ scratchpadSteps: 14 })).toBe('Notes: 14 steps old.');
    expect(age({ scratchpadSteps: 1 })).toBe('Notes: 1 step old.');
    expect(age({ scratchpadSteps: 0 })).toBe('Notes: as of the newest step.');
    const none = { ...NOTES, objective: '', keyFacts: [], currentStep: '', blockers: [] };
    expect(age({ scratchpad: none, scratchpadSteps: 14 })).toBe('Notes: none in 14 steps.');
    expect(drawDetails({ scratchpad: NOTES }).all('notes-age')).toEqual([]);
    expect(drawDetails({ step: 0, scratchpadSteps: 0 }).all('notes-age')).toEqual([]);
  });

  it('shows the task as the objective until one is written, and says so', () => {
    const { one } = drawDetails({ taskAsObjective: 'Mend the harbour' });
    expect(one('note-task').textContent).toBe(
      'ObjectiveMend the harbourThe task, until an objective is written.',
    );
    expect(drawDetails().all('note-task')).toEqual([]);
  });

  it('sends no wish if nothing was changed', () => {
    const { one, all, click, wishes } = opened();
    click(one('scratchpad-save'));
    expect([wishes, all('scratchpad-dialog')]).toEqual([[], []]);
  });

  it('takes the focus, and returns it', () => {
    const { one, field, click, answer } = drawDetails();
    one('notes-edit').focus();
    click(one('notes-edit'));
    answer({ type: 'answered', data: NOTES });
    expect(document.activeElement).toBe(field('objective'));
    click(one('scratchpad-cancel'));
    expect(document.activeElement).toBe(one('notes-edit'));
  });

  it('asks before Escape discards text', () => {
    const { one, all, field, type, press, click } = opened();
    press('Escape', field('objective'));
    expect(all('discard-question')).toEqual([]);
    field('objective').focus();
    type('Mine', field('objective'));
    press('Escape', field('objective'));
    expect(one('discard-question').textContent).toContain('Discard what you typed?');
    expect(document.activeElement).toBe(one('keep-typed'));
    press('Escape');
    expect(all('discard-question')).toEqual([]);
    expect([document.activeElement, field('objective').value]).toEqual([
      field('objective'),
      'Mine',
    ]);
    press('Escape', field('objective'));
    click(one('discard-typed'));
    expect(all('scratchpad-dialog')).toEqual([]);
  });

  it('is unchanged after Cancel', () => {
    const { one, all, click, wishes } = opened();
    click(one('scratchpad-cancel'));
    expect([wishes, all('scratchpad-dialog')]).toEqual([[], []]);
  });

  it('keeps the text when the next fact comes', () => {
    const { field, type, tell } = opened();
    type('Mine', field('objective'));
    tell({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(field('objective').value).toBe('Mine');
  });
});

describe('unsaved notes', () => {
  it('come back after hiding and reloading, with their original values', () => {
    const { field, type, store } = opened();
    type('Mine', field('objective'));
    const again = drawPanel(sampleContext(), undefined, keptOf(store).unsent);
    expect((again.one('scratchpad-objective') as HTMLTextAreaElement).value).toBe('Mine');
    again.click(again.one('scratchpad-save'));
    const scratchpad = { ...NOTES, objective: 'Mine' };
    expect(again.wishes).toEqual([{ type: 'updateScratchpad', scratchpad, base: NOTES }]);
  });

  it('belong to their session, and reappear when it is shown again', () => {
    const { field, type, all, tell } = opened();
    type('Mine', field('objective'));
    tell({ type: 'contextChanged', context: sampleContext({ session: 'session-2' }) });
    expect(all('scratchpad-dialog')).toEqual([]);
    tell({ type: 'contextChanged', context: sampleContext() });
    expect(field('objective').value).toBe('Mine');
  });
});

describe('the details of the scratchpad', () => {
  it('shows the fields with content', () => {
    const { all, one } = drawDetails({ scratchpad: NOTES });
    expect(one('notes').textContent).toBe(
      'ObjectiveMend the harbour tests' +
        'Key factszones.js reads column 3the API is frozen' +
        'Current stepRunning the tests' +
        'Blockersno network',
    );
    expect(all('note-decisions')).toEqual([]);
  });

  it('says what to do while there are no notes', () => {
    const empty: Scratchpad = {
      objective: ' ',
      keyFacts: [],
      decisions: [],
      currentStep: '',
      blockers: [],
    };
    expect(drawDetails({ scratchpad: empty }).one('no-notes').textContent).toContain(
      'Edit lets you write them',
    );
    expect(drawDetails({ scratchpad: empty, turn: 0 }).one('no-notes').textContent).toContain(
      'ask the agent',
    );
  });

  it('opens the notes for editing, if they can be edited', () => {
    const { one, click, wishes } = drawDetails();
    click(one('notes-edit'));
    expect(wishes).toEqual([{ type: 'fetchScratchpad' }]);
    const edit = drawDetails({ whyReadOnly: 'Step 4 is past.' }).one('notes-edit');
    expect([edit.getAttribute('aria-disabled'), edit.title]).toEqual(['true', 'Step 4 is past.']);
  });
});

describe('the last change of the notes', () => {
  it('is shown with its step, and can be undone if it was the user’s own', () => {
    const undo = { type: 'undoScratchpad', note: 'note-3' } as const;
    const { one, click, wishes } = drawDetails({ scratchpadChange: { by: 'user', step: 4, undo } });
    expect(one('notes-changed').textContent).toBe('Changed last by you, before step 5. Undo');
    click(one('undo-notes'));
    expect(wishes).toEqual([undo]);
  });

  it('cannot be undone if the agent made it', () => {
    const { one, all } = drawDetails({ scratchpadChange: { by: 'agent', step: 4 } });
    expect(one('notes-changed').textContent?.trim()).toBe('Changed last by the agent, in step 4.');
    expect(all('undo-notes')).toEqual([]);
    expect(drawDetails().all('notes-changed')).toEqual([]);
  });
});
