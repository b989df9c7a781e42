import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../../../src/contextWindow/block';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { dots, drawnEvents, foldNew, resultEvent, stepEvents } from '../../../support/drawing';
import { planned, reason, rules } from '../../support/planned';

const LINES = 'src/a.ts:12:\tconst limit = 1;\nsrc\\b.ts:7:\tconst limit = 2;\n';

function search(text: string): readonly NewEvent[] {
  const [asked] = stepEvents([{ id: 'search', name: 'a.ts', tokens: 0 }]);
  if (asked?.type !== 'replyReceived') throw new Error('A step begins with a reply.');
  const use = { id: 'search' as ToolUseId, name: 'grep', input: { pattern: 'limit' } };
  return [{ ...asked, parts: [{ type: 'toolUse', use }] }, resultEvent('search', text)];
}

const OLD = [1, 2, 3, 4].map((n) => `1 run ls${n} 100`).join('\n');

/** A turn with four commands, a search as its step 5, and more reads, the last of them not read yet. */
function plan(
  found: string,
  after: number,
  { last = 20, ...options }: { low?: number; last?: number } = {},
) {
  const more = Array.from({ length: after }, (_, n) =>
    stepEvents([{ id: `more-${n}`, name: `more${n}.ts`, tokens: n === after - 1 ? last : 20 }]),
  );
  const events = [...drawnEvents(`1 anchor task 10\n${OLD}`), ...search(found), ...more.flat()];
  const set = { policy: 'ladder', inputBudget: 600, keepRecentTurns: 2, ...options } as const;
  return planned(foldNew(events), set);
}

describe('the newest search', () => {
  it('stays for six steps if it shows lines of files, since an agent edits what it searched for', () => {
    const made = plan(LINES + dots(80), 5);
    expect(rules(made)['step-5']).toBe('keep:newestSearch');
    expect(reason(made, 'step-5')).toBe(
      'A recent search that shows lines of files: the agent is likely to edit them',
    );
    expect(made.estimatedAfter).toBeLessThanOrEqual(made.target);
    expect(rules(plan(LINES + dots(80), 6))['step-5']).not.toBe('keep:newestSearch');
  });

  it('may be removed if it shows no lines', () => {
    expect(rules(plan(`src/a.ts\nsrc/b.ts\n${dots(80)}`, 3))['step-5']).not.toBe(
      'keep:newestSearch',
    );
  });

  it('may be removed if it takes more than 0.3 of the low watermark', () => {
    expect(rules(plan(LINES + dots(90), 3))['step-5']).toBe('keep:newestSearch');
    expect(rules(plan(LINES + dots(91), 3))['step-5']).not.toBe('keep:newestSearch');
  });

  it('is removed if the window would stay above the low watermark with it', () => {
    const made = plan(LINES + dots(30), 5, { low: 0.17, last: 80 });
    expect(made.estimatedAfter).toBeLessThanOrEqual(made.target);
    expect(rules(made)['step-5']).not.toBe('keep:newestSearch');
  });
});
