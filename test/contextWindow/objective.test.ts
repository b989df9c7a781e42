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

describe('the scratchpad begins with the objective', () => {
  it('which is the task, marked as such, where none was written', () => {
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

  it('which is what was written where something was', () => {
    const window = foldNew([...SESSION, noted({ objective: 'Green tests', blockers: ['none'] })]);
    expect(taskAsObjective(window)).toBeUndefined();
    expect(scratchpadToShow(window)).toBe('Objective: Green tests\nBlockers:\n- none');
  });

  it('is not shown at all while nothing was noted: the task is in every request', () => {
    expect(scratchpadToShow(foldNew(SESSION))).toBe('');
    expect(scratchpadToShow(foldNew([]))).toBe('');
  });

  it('follows the task where the user makes another prompt the task', () => {
    const moved = foldNew([...SESSION, { type: 'anchorMoved', blockId: 'prompt-2' as never }]);
    expect(taskAsObjective(moved)).toBe('And the docks');
  });

  it('has no more than the beginning of a long task, and none of a blank one', () => {
    const long = taskAsObjective(foldNew([promptEvent(`${'x'.repeat(299)}😀 and more`)]));
    expect(long).toBe(`${'x'.repeat(299)}\uFFFD…`);
    expect(taskAsObjective(foldNew([promptEvent('  ')]))).toBeUndefined();
  });
});
