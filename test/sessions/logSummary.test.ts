import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { summarizeLog } from '../../src/sessions/logSummary';
import { titleOfWindow } from '../../src/sessions/sessionTitle';
import { actions, playSmall, type Action } from '../support/randomSession';
import { dated } from '../support/drawing';
import { runs } from '../support/runs';
import { asLog, prompt } from './support/sampleEvents';

const SETTINGS = {
  summaries: true,
  maxMessages: 20,
  keepTurns: 6,
  keepRecentTurns: 2,
  maxHistoryTurns: 0,
};

const titleOf = (events: readonly SessionEvent[]) =>
  summarizeLog('s.jsonl', Buffer.from(asLog(events)))?.title;

const played = (script: readonly Action[]) => playSmall(script, 'ladder', SETTINGS).events;

/** Few steps, and many prompts, some of which are undone, made the task, or restored. */
const steered = actions.map((script) =>
  script.flatMap((act): readonly Action[] => {
    if (act.type === 'step') return [{ type: 'undoPrompt' }];
    if (act.type === 'byHand') return [{ type: 'undo', which: 1 }];
    return [act];
  }),
);

it('lists a session by its task, even if the task was undone or restored', () => {
  fc.assert(
    fc.property(steered, (script) => {
      const events = played(script);
      expect(titleOf(events)).toBe(titleOfWindow(fold(events)));
    }),
    { numRuns: runs(60, 2_000) },
  );
});

it('lists a session whose task was undone by the next prompt', () => {
  const prompt: Action = { type: 'prompt', chars: 10 };
  const events = played([prompt, { type: 'undoPrompt' }, prompt]);
  expect(titleOf(events)).toBe('prompt 2 word word');
  expect(titleOf(played([prompt, { type: 'undoPrompt' }]))).toBe(titleOf(events.slice(0, 2)));
});

it('makes the beginning of the first prompt searchable, on one line', () => {
  const first = (text: string) =>
    summarizeLog('s.jsonl', Buffer.from(asLog(dated([prompt(text), prompt('And then?')]))))
      ?.firstPrompt;
  expect(first('Mend\n  the mast.')).toBe('Mend the mast.');
  expect(first('a'.repeat(999))).toHaveLength(300);
  expect(summarizeLog('s.jsonl', Buffer.from(asLog(dated([prompt('x')]))))?.firstPrompt).toBe('x');
});
