import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../../src/contextWindow/block';
import type { NewEvent } from '../../../src/contextWindow/event';
import { drawnEvents, evicting, foldNew, passThat } from '../../support/drawing';
import { passed } from '../support/planned';

const SESSION = drawnEvents(`
  1 anchor task 10
  1 read   a.ts:1-50 400
  1 read   b.ts 40
  1 read   c.ts 40
  1 read   d.ts 40
`);

const EVICTED = [...SESSION, evicting('step-1')];
const CLEARED = passed(SESSION, { policy: 'tokenBudget', inputBudget: 660 });

const then = (...lines: readonly string[]): readonly NewEvent[] =>
  drawnEvents(lines.join('\n')).slice(1);

function refaults(before: readonly NewEvent[], ...lines: readonly string[]) {
  // Ids of calls follow their place, so those of a second drawing get names of their own.
  const later = JSON.parse(JSON.stringify(then(...lines)).replaceAll('"tool_', '"later_'));
  return foldNew([...before, ...(later as readonly NewEvent[])]).refaults.toArray();
}

const recalling = (input: Readonly<Record<string, unknown>>): NewEvent => ({
  ...(then('1 recall - 1')[0] as Extract<NewEvent, { type: 'replyReceived' }>),
  parts: [{ type: 'toolUse', use: { id: 'r' as ToolUseId, name: 'recall', input } }],
});

describe('a refault', () => {
  it('no longer counts once its pass was undone', () => {
    const read = ['1 read a.ts:20-60 1'];
    const later = JSON.parse(JSON.stringify(then(...read)).replaceAll('"tool_', '"later_'));
    const needed = [...EVICTED, ...(later as readonly NewEvent[])];
    expect(foldNew(needed).refaults.map(({ pass }) => pass)).toEqual([1]);
    const undone = foldNew([...needed, { type: 'passUndone', number: 1 }]);
    expect(undone.refaults.length).toBe(0);
  });

  it('is a recall by the handle of a removed result or block', () => {
    expect(refaults(EVICTED, '1 recall step-1 1')).toEqual([
      { step: 5, blockId: 'step-1', by: 'recall', what: 'step-1', pass: 1 },
    ]);
    const byResult = foldNew([...CLEARED, recalling({ handle: 'tool_1_1' })]).refaults.toArray();
    expect(byResult).toMatchObject([{ blockId: 'step-1', by: 'recall', what: 'tool_1_1' }]);
  });

  it('is a read of lines that were shown before and no longer are', () => {
    for (const before of [EVICTED, CLEARED]) {
      expect(refaults(before, '1 read a.ts:20-60 1')).toMatchObject([
        { blockId: 'step-1', by: 'read', what: 'a.ts' },
      ]);
    }
  });

  it('is not a read of visible lines, of other lines, or of another file', () => {
    expect(refaults(SESSION, '1 read a.ts:1-50 1')).toEqual([]);
    expect(refaults(EVICTED, '1 read a.ts:51-60 1')).toEqual([]);
    expect(refaults(EVICTED, '1 read e.ts 1')).toEqual([]);
  });

  it('is not a read of a file changed since, unless the change failed', () => {
    const lines = ['1 edit a.ts 1', '1 read a.ts:1-50 1'];
    expect(refaults(EVICTED, ...lines)).toEqual([]);
    expect(refaults(EVICTED, '1 edit a.ts 1 failed', lines[1]!)).toHaveLength(1);
  });

  it('is counted once: the new read shows the lines again', () => {
    expect(refaults(EVICTED, '1 read a.ts:1-50 1', '1 read a.ts:1-50 1')).toHaveLength(1);
  });

  it('is not a recall of visible, truncated or unknown content', () => {
    expect(refaults(SESSION, '1 recall step-1 1', '1 recall nothing 1')).toEqual([]);
    const cut = drawnEvents('1 anchor task 10\n1 read a.ts 40 cut');
    expect(refaults(cut, '1 recall step-1 1', '1 recall tool_1_1 1')).toEqual([]);
    const trimmed = passed(
      drawnEvents('1 anchor task 10\n1 read a.ts 40 thinks900\n1 read b.ts 40'),
      { policy: 'ladder', inputBudget: 1_000 },
    );
    expect(foldNew(trimmed).blocks.at(1)!.state).toBe('trimmed');
    expect(refaults(trimmed, '1 recall tool_1_1 1')).toEqual([]);
  });

  it('of one result of a step is not counted for its neighbour', () => {
    const pair: NewEvent = passThat('clear', ['step-1']);
    expect(refaults([...SESSION, pair], '1 recall tool_1_1 1')).toEqual([]);
  });

  it('by a search is that of the newest block with the words; a list asks for nothing', () => {
    const found = (input: Readonly<Record<string, unknown>>) =>
      foldNew([...EVICTED, recalling(input)]).refaults.toArray();
    expect(found({ pattern: 'a.ts' })).toMatchObject([{ blockId: 'step-1', what: 'a.ts' }]);
    expect(found({ pattern: 'b.ts' })).toEqual([]);
    expect(found({})).toEqual([]);
  });

  describe('of numbered lines', () => {
    const numbered = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, at) => `${first + at}\tline ${first + at}`).join(
        '\n',
      );
    const reading = (id: string, lines: string, text: string, more: object = {}) =>
      drawnEvents(`1 anchor task 10\n1 read a.ts:${lines} 1`)
        .slice(1)
        .map((event): NewEvent =>
          event.type === 'replyReceived'
            ? {
                ...event,
                parts: event.parts.map((part) =>
                  part.type === 'toolUse'
                    ? { ...part, use: { ...part.use, id: id as ToolUseId } }
                    : part,
                ),
              }
            : ({ ...event, toolUseId: id as ToolUseId, text, ...more } as NewEvent),
        );
    const START = drawnEvents('1 anchor task 10').slice(0, 1);
    const found = (...events: readonly (NewEvent | readonly NewEvent[])[]) =>
      foldNew([...START, ...events.flat()]).refaults.toArray();

    it('is of the lines that had been in the window, and of no others', () => {
      const [refault, ...more] = found(
        reading('one', '1-30', numbered(1, 30)),
        evicting('step-1'),
        reading('two', '21-60', numbered(21, 60)),
      );
      expect(more).toEqual([]);
      expect(refault).toMatchObject({ blockId: 'step-1', by: 'read', what: 'a.ts' });
      expect(refault!.text!.split('\n')).toEqual(
        Array.from({ length: 10 }, (_, at) => `line ${21 + at}`),
      );
    });

    it('is of lines that had been in the window before a later result cut them', () => {
      const admission = {
        form: 'truncated',
        headChars: numbered(1, 10).length,
        tailChars: numbered(51, 60).length,
        tokensBefore: 300,
        tokensAfter: 100,
        capTokens: 100,
      } as const;
      const second = reading('two', '1-60', numbered(1, 60), { admission }).map((event) =>
        event.type === 'replyReceived' ? { ...event, step: 2 } : event,
      );
      const refaults = found(
        reading('one', '20-30', numbered(20, 30)),
        evicting('step-1'),
        second,
        evicting('step-2'),
        reading('three', '25-40', numbered(25, 40)),
      );
      expect(refaults).toHaveLength(2);
      expect(refaults[1]).toMatchObject({ blockId: 'step-2', by: 'read' });
      expect(refaults[1]!.text!.split('\n')).toEqual(
        Array.from({ length: 6 }, (_, at) => `line ${25 + at}`),
      );
    });

    it('is none if those lines were cut on arrival', () => {
      const text = numbered(1, 60);
      const head = numbered(1, 10).length;
      const tail = numbered(51, 60).length;
      const admission = {
        form: 'truncated',
        headChars: head,
        tailChars: tail,
        tokensBefore: 300,
        tokensAfter: 100,
        capTokens: 100,
      } as const;
      const cut = [reading('one', '1-60', text, { admission }), evicting('step-1')].flat();
      expect(found(cut, reading('two', '20-40', numbered(20, 40)))).toEqual([]);
      const [refault] = found(cut, reading('two', '5-40', numbered(5, 40)));
      expect(refault?.text?.split('\n')[0]).toBe('line 5');
      expect(refault?.text?.split('\n')).toHaveLength(5);
      const search = (pattern: string) => found(cut, recalling({ pattern }));
      expect(search('line 30')).toEqual([]);
      expect(search('line 55')).toHaveLength(1);
    });
  });

  describe('by a search with a regular expression', () => {
    const answered = (
      recalled: readonly string[],
      input: object = {},
      isError = false,
    ): readonly NewEvent[] => [
      recalling({ pattern: '(a+)+$', is_regex: true, ...input }),
      {
        type: 'toolFinished',
        toolUseId: 'r' as ToolUseId,
        text: 'What was found.',
        isError,
        origin: 'ran',
        durationMs: 1,
        admission: { form: 'whole' },
        recalled,
      },
    ];
    const of = (before: readonly NewEvent[], after: readonly NewEvent[]) =>
      foldNew([...before, ...after]).refaults.toArray();

    it('is counted when it is answered, by the first removed text it found', () => {
      expect(of(EVICTED, [answered([])[0]!])).toEqual([]);
      expect(of(EVICTED, answered(['tool_1_1']))).toEqual([
        { step: 5, blockId: 'step-1', by: 'recall', what: '(a+)+$', pass: 1 },
      ]);
      const two = [...EVICTED, evicting('step-3')];
      const found = of(two, answered(['nothing', 'step-2', 'step-3', 'tool_1_1']));
      expect(found.map(({ blockId }) => blockId)).toEqual(['step-3']);
    });

    it('is not counted if it found nothing, failed, or searched a handle in the window', () => {
      expect(of(EVICTED, answered([]))).toEqual([]);
      expect(of(EVICTED, answered(['step-1'], {}, true))).toEqual([]);
      expect(of(EVICTED, answered(['step-2'], { handle: 'step-2' }))).toEqual([]);
    });

    it('is counted once under a removed handle, and only for the first answer', () => {
      expect(of(EVICTED, answered(['step-1'], { handle: 'step-1' }))).toHaveLength(1);
      const [ask, first] = answered(['step-1']);
      expect(of(EVICTED, [ask!, first!, first!])).toHaveLength(1);
    });

    it('is not counted for content that the user excluded', () => {
      const byUser = evicting('step-1');
      const taken = JSON.parse(
        JSON.stringify([...SESSION, byUser]).replace(
          /"rule":"evict\w*"/,
          '"rule":"excludedByUser"',
        ),
      ) as readonly NewEvent[];
      expect(of(taken, answered(['step-1']))).toEqual([]);
    });
  });
});
