import { rungGains } from '../../../../src/contextWindow/passes/rungGains';
import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../../../src/contextWindow/block';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { foldNew, promptEvent, stepEvents } from '../../../support/drawing';
import { done, planned, reason, rules } from '../../support/planned';

/** Three small results at the end, since the newest three are never cleared. */
const REST = `
  1 read x.ts 5
  1 read y.ts 5
  1 read z.ts 5
`;

const planFor = (steps: string, inputBudget = 8_000) =>
  planned(`1 anchor task 10\n${steps}\n${REST}`, {
    policy: 'ladder',
    inputBudget,
    trigger: 'overflow',
    estimate: (text) => text.split('·').length - 1,
  });

/** The steps whose results were cleared as out of date. */
const superseded = (steps: string, inputBudget?: number) =>
  planFor(steps, inputBudget).decisions.flatMap(({ blockId, reason: { rule } }) =>
    rule === 'clearSuperseded' ? [blockId] : [],
  );

describe('superseded results', () => {
  it.each<[string, string]>([
    ['the same file is read again', '1 read a.ts 300\n1 read a.ts 300'],
    ['the same lines are read again', '1 read a.ts:5-9 300\n1 read a.ts:5-9 300'],
    ['the whole file is read later', '1 read a.ts:5-9 300\n1 read a.ts 300'],
    ['more lines are read later', '1 read a.ts:5-9 300\n1 read a.ts:1-10 300'],
    ['the same command is run again', '1 run npm_test 300\n1 run npm_test 300'],
    ['the same command fails later', '1 run npm_test 300\n1 run npm_test 300 failed'],
    ['the same is searched again', '1 search foo 300\n1 search foo 300'],
    ['the same folder is listed again', '1 list src 300\n1 list src 300'],
    ['the file is overwritten', '1 read a.ts 300\n1 write a.ts 300'],
    [
      'it is edited and then read whole',
      '1 read a.ts:5-9 300\n1 edit a.ts 1 grows\n1 read a.ts 300',
    ],
    [
      'it is edited and then the same lines are read',
      '1 read a.ts:5-9 300\n1 edit a.ts 1\n1 read a.ts:5-9 300',
    ],
    ['a failed read is repeated', '1 read a.ts 300 failed\n1 read a.ts 300'],
    ['an edit in between failed', '1 read a.ts:5-9 300\n1 edit a.ts 1 failed\n1 read a.ts:5-9 300'],
  ])('are cleared if %s', (_, steps) => {
    expect(superseded(steps)).toEqual(['step-1']);
  });

  it.each<[string, string]>([
    ['another file is read', '1 read a.ts 300\n1 read b.ts 300'],
    ['fewer lines are read later', '1 read a.ts 300\n1 read a.ts:1-10 300'],
    ['other lines are read later', '1 read a.ts:1-10 300\n1 read a.ts:5-20 300'],
    ['the later read fails', '1 read a.ts 300\n1 read a.ts 300 failed'],
    ['the later read was cut at admission', '1 read a.ts 300\n1 read a.ts 300 cut'],
    ['the file is edited', '1 read a.ts 300\n1 edit a.ts 1'],
    ['it is edited and then read in part', '1 read a.ts 300\n1 edit a.ts 1\n1 read a.ts:1-9 300'],
    [
      'it is edited and then more lines are read',
      '1 read a.ts:5-9 300\n1 edit a.ts 1\n1 read a.ts:1-10 300',
    ],
    ['overwriting it fails', '1 read a.ts 300\n1 write a.ts 300 failed'],
    ['another command is run', '1 run npm_test 300\n1 run npm_start 300'],
    ['the command is denied', '1 run npm_test 300\n1 run npm_test 300 denied'],
    ['the search fails later', '1 search foo 300\n1 search foo 300 failed'],
    ['another tool asks the same', '1 search src 300\n1 list src 300'],
  ])('stay if %s', (_, steps) => {
    expect(superseded(steps)).toEqual([]);
  });

  it('are cleared together, each with the call that shows it again', () => {
    const steps = '1 read a.ts 300\n1 run npm_test 300\n1 read a.ts 300\n1 run npm_test 300';
    const plan = planFor(steps);
    expect(done(plan)).toEqual(['clear step-1', 'clear step-2']);
    expect(reason(plan, 'step-1')).toBe(
      'Result out of date: shown again by read_file a.ts in step 3',
    );
    expect(rungGains(plan)).toEqual([{ rung: 'supersede', blocks: 2, tokens: 600 }]);
  });

  it('stay if a later read of the whole file came in ranges without their lines', () => {
    const later = (head: string) => {
      const ids = ['1', '2', '3', '4', '5'];
      const events = ids.flatMap((id) => stepEvents([{ id, name: `${id}.ts`, tokens: 5 }]));
      const read = (lines: object, id: string, text: string): readonly NewEvent[] =>
        stepEvents([{ id, name: 'a.ts', tokens: 300 }]).map((event) => {
          if (event.type === 'toolFinished') return { ...event, text: `${text}\n${event.text}` };
          if (event.type !== 'replyReceived') return event;
          const parts = event.parts.map((part) =>
            part.type === 'toolUse'
              ? { ...part, use: { ...part.use, input: { path: 'a.ts', ...lines } } }
              : part,
          );
          return { ...event, parts };
        });
      const window = foldNew([
        promptEvent('task'),
        ...read({ start_line: 40 }, 'old', 'a.ts, lines 40-80 of 80'),
        ...read({}, 'new', head),
        ...events,
      ]);
      return rules(planned(window, { inputBudget: 8_000, trigger: 'overflow' }))['step-1'];
    };
    expect(later('a.ts, lines 1-80 of 80')).toBe('clearSuperseded');
    expect(later('a.ts, lines 1-39 of 80; for more, call again with start_line 40')).not.toBe(
      'clearSuperseded',
    );
  });

  it('stay if the same command is run in another folder', () => {
    const run = (id: string, folder?: string, command = 'npm test'): readonly NewEvent[] =>
      stepEvents([{ id, name: '', tokens: 300 }]).map((event) => {
        if (event.type !== 'replyReceived') return event;
        const input = { command, ...(folder === undefined ? {} : { folder }) };
        const use = { id: id as ToolUseId, name: 'run_command', input };
        return { ...event, parts: [{ type: 'toolUse', use }] };
      });
    const later = (folder?: string, command?: string) => {
      const rest = ['1', '2', '3'].flatMap((id) =>
        stepEvents([{ id, name: `${id}.ts`, tokens: 5 }]),
      );
      const events = [promptEvent('task'), ...run('old'), ...run('new', folder, command), ...rest];
      return rules(planned(foldNew(events), { inputBudget: 8_000, trigger: 'overflow' }))['step-1'];
    };
    expect(later()).toBe('clearSuperseded');
    expect(later('server')).not.toBe('clearSuperseded');
    expect(later('test', 'npm')).not.toBe('clearSuperseded');
  });

  it('all stay if together they free less than a hundredth of the input budget', () => {
    const steps = '1 read a.ts 40\n1 read a.ts 40\n1 run ls 40\n1 run ls 40';
    expect(superseded(steps, 8_000)).toEqual(['step-1', 'step-3']);
    expect(superseded(steps, 8_100)).toEqual([]);
  });

  it('stay if a single one frees too little', () => {
    expect(superseded('1 read a.ts 39\n1 read a.ts 39', 1_000)).toEqual([]);
    expect(superseded('1 read a.ts 40\n1 read a.ts 40', 1_000)).toEqual(['step-1']);
  });

  it('stay among the three newest results, and if they are pinned', () => {
    const newest = '1 anchor task 10\n1 read a.ts 300\n1 read x.ts 5\n1 read a.ts 300';
    expect(done(planned(newest, { inputBudget: 8_000, trigger: 'overflow' }))).not.toContain(
      'clear step-1',
    );
    expect(superseded('1 read a.ts 300 !\n1 read a.ts 300')).toEqual([]);
  });
});
