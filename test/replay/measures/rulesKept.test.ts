import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/contextWindow/event';
import { toRequest } from '../../../src/contextWindow/request/request';
import { RulesKept } from '../../../src/replay/measures/rulesKept';
import { foldNew, passThat, promptEvent } from '../../support/drawing';

const START = { type: 'sessionStarted', version: 3, sessionId: 's', pinTaskAnchor: true } as const;
const EVENTS: readonly NewEvent[] = [
  promptEvent('Fix the tests.'),
  promptEvent('Now the parser. Never change its exports. Always use pnpm here.'),
  promptEvent('And the docs.'),
];

/** The share of rules that the request after these events has. */
function kept(standingRules: boolean | undefined, ...more: readonly NewEvent[]) {
  const measure = new RulesKept();
  for (const event of EVENTS) if (event.type === 'promptSubmitted') measure.prompted(event.text);
  const window = foldNew([{ ...START, standingRules }, ...EVENTS, ...more]);
  measure.requested(window, toRequest(window));
  return measure.share;
}

describe('the rules kept of a replay', () => {
  it('are those in a prompt, and after a pass those in the rules block', () => {
    const pass = passThat('evict', ['prompt-2']);
    expect(kept(true)).toEqual({ visible: 2, total: 2 });
    expect(kept(true, pass)).toEqual({ visible: 2, total: 2 });
    expect(kept(undefined, pass)).toEqual({ visible: 0, total: 2 });
  });

  it('include a rule that other text has verbatim, such as a summary', () => {
    const pass = passThat('evict', ['prompt-2']);
    const text = 'The user said: Always use pnpm here.';
    const note: NewEvent = {
      type: 'noteAdded',
      source: { from: 'handover', title: 's' },
      text,
      admission: { form: 'whole' },
    };
    expect(kept(undefined, pass, note)).toEqual({ visible: 1, total: 2 });
  });

  it('are none without a rule', () => {
    const measure = new RulesKept();
    measure.prompted('Fix the tests.');
    const window = foldNew([promptEvent('Fix the tests.')]);
    measure.requested(window, toRequest(window));
    expect(measure.share).toEqual({ visible: 0, total: 0 });
  });
});
