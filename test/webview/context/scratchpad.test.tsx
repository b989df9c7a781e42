// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Scratchpad } from '../../../src/protocol/contextPanel';
import { sampleContext } from './contextViews';
import { drawPanel } from './drawnPanel';

const NOTES: Scratchpad = {
  objective: 'Mend the harbour tests',
  keyFacts: ['zones.js reads column 3', 'the API is frozen'],
  decisions: [],
  currentStep: 'Running the tests',
  blockers: ['no network'],
};

function opened() {
  const panel = drawPanel(sampleContext());
  panel.tell({ type: 'scratchpadFetched', scratchpad: NOTES });
  const field = (name: keyof Scratchpad) => panel.one(`scratchpad-${name}`) as HTMLTextAreaElement;
  return { ...panel, field };
}

describe('the scratchpad', () => {
  it('is fetched on a press in the legend, once there is a session', () => {
    const { one, click, wishes } = drawPanel(sampleContext());
    click(one('edit-scratchpad'));
    expect(wishes).toEqual([{ type: 'fetchScratchpad' }]);
    expect(drawPanel(sampleContext({ turn: 0 })).all('edit-scratchpad')).toEqual([]);
  });

  it('opens with its five fields, lists one item a line', () => {
    const { one, field } = opened();
    expect((one('scratchpad-dialog') as HTMLDialogElement).open).toBe(true);
    expect(field('objective').value).toBe('Mend the harbour tests');
    expect(field('keyFacts').value).toBe('zones.js reads column 3\nthe API is frozen');
    expect([field('decisions').value, field('blockers').value]).toEqual(['', 'no network']);
    expect(field('currentStep').closest('label')?.textContent).toContain('Current step');
  });

  it('is saved as it was edited, blank lines left out', () => {
    const { one, all, field, type, click, wishes } = opened();
    type('keep the API\n\n  no new library ', field('decisions'));
    type('', field('blockers'));
    click(one('scratchpad-save'));
    expect(wishes).toEqual([
      {
        type: 'updateScratchpad',
        scratchpad: { ...NOTES, decisions: ['keep the API', 'no new library'], blockers: [] },
      },
    ]);
    expect(all('scratchpad-dialog')).toEqual([]);
  });

  it('is left as it is by Cancel', () => {
    const { one, all, click, wishes } = opened();
    click(one('scratchpad-cancel'));
    expect([wishes, all('scratchpad-dialog')]).toEqual([[], []]);
  });

  it('keeps what was typed when the next fact comes', () => {
    const { field, type, tell } = opened();
    type('Mine', field('objective'));
    tell({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(field('objective').value).toBe('Mine');
  });
});
