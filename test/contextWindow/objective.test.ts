import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/contextWindow/event';
import {
  EMPTY_SCRATCHPAD,
  type Scratchpad,
  scratchpadToShow,
  taskAsObjective,
} from '../../src/contextWindow/scratchpad';
import { toRequest } from '../../src/contextWindow/request/request';
import { foldNew, passThat, promptEvent, stepEvents } from '../support/drawing';

const noted = (change: Partial<Scratchpad>): NewEvent => ({
  type: 'scratchpadUpdated',
  scratchpad: { ...EMPTY_SCRATCHPAD, ...change },
});
const SESSION = [
  promptEvent('Mend the\nharbour  tests'),
  ...stepEvents([{ id: 'a', name: 'a.ts', tokens: 9 }]),
  promptEvent('And the docks'),
];

describe('the shown scratchpad', () => {
  it('begins with the task, marked as such, if no objective was written', () => {
    const events = [...SESSION, noted({ keyFacts: ['zones.js reads column 3'] })];
    expect(taskAsObjective(foldNew(events))).toBe('Mend the harbour tests');
    expect(scratchpadToShow(foldNew(events))).toBe(
      'Objective (the task, none was written): Mend the harbour tests\n' +
        'Key facts:\n- zones.js reads column 3',
    );
    const { messages } = toRequest(foldNew([...events, passThat('evict', ['step-1'])]));
    expect(JSON.stringify(messages)).toContain(
      '[Scratchpad at the last pass]\\nObjective (the task, none was written): Mend the harbour',
    );
  });

  it('begins with the written objective', () => {
    const window = foldNew([...SESSION, noted({ objective: 'Green tests', blockers: ['none'] })]);
    expect(taskAsObjective(window)).toBeUndefined();
    expect(scratchpadToShow(window)).toBe('Objective: Green tests\nBlockers:\n- none');
  });

  it('is empty while nothing was noted, since every request contains the task', () => {
    expect(scratchpadToShow(foldNew(SESSION))).toBe('');
    expect(scratchpadToShow(foldNew([]))).toBe('');
  });

  it('uses the new task after the user moved the anchor', () => {
    const moved = foldNew([...SESSION, { type: 'anchorMoved', blockId: 'prompt-2' as never }]);
    expect(taskAsObjective(moved)).toBe('And the docks');
  });

  it('contains only the beginning of a long task, and nothing of a blank one', () => {
    const long = taskAsObjective(foldNew([promptEvent(`${'x'.repeat(299)}😀 and more`)]));
    expect(long).toBe(`${'x'.repeat(299)}\uFFFD…`);
    expect(taskAsObjective(foldNew([promptEvent('  ')]))).toBeUndefined();
  });
});
