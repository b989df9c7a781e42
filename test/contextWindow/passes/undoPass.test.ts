import { describe, expect, it } from 'vitest';
import type { Admission, BlockId, ToolUseId } from '../../../src/contextWindow/block';
import type { NewEvent } from '../../../src/contextWindow/event';
import { toRequest } from '../../../src/contextWindow/request/request';
import { whyNotUndone } from '../../../src/contextWindow/passes/undoPass';
import { measure } from '../../../src/contextWindow/account/measure';
import {
  countDots,
  drawnEvents,
  foldNew,
  promptEvent,
  resultEvent,
  stepEvents,
} from '../../support/drawing';
import { passed, type Planned } from '../support/planned';

const SESSION = drawnEvents(`
  1 anchor task 10
  1 read   a.ts 400
  1 read   b.ts 400
  2 prompt next 10
  2 reply  said 400
  2 read   c.ts 10
  2 read   d.ts 10
  2 read   e.ts 10
`);

const CLEAR: Planned = { policy: 'tokenBudget', inputBudget: 1_100 };
const EVICT: Planned = { policy: 'salience', inputBudget: 1_400 };
const COMPACT: Planned = { policy: 'summarise', inputBudget: 1_500, summaries: true };

const undo = (number: number): NewEvent => ({ type: 'passUndone', number });
const states = (events: readonly NewEvent[]) => foldNew(events).blocks.map(({ state }) => state);
const request = (events: readonly NewEvent[]) => JSON.stringify(toRequest(foldNew(events)));

describe('undoing a pass', () => {
  it.each([
    ['cleared', CLEAR],
    ['evicted', EVICT],
    ['summarised', COMPACT],
  ] as const)('restores what it %s: the request is the same again', (state, options) => {
    const after = passed(SESSION, options);
    expect(states(after)).toContain(state);
    const undone = [...after, undo(1)];
    expect(request(undone)).toBe(request(SESSION));
    const { decisions, ledger, blocks } = foldNew(undone);
    expect(ledger.toArray()).toMatchObject([{ undone: true }]);
    expect(blocks.filter((b) => b.state !== 'whole').map(({ kind }) => kind)).toEqual(
      state === 'summarised' ? ['summary'] : [],
    );
    expect([...decisions.keys()]).toEqual(state === 'summarised' ? ['summary-1'] : []);
  });

  it('removes its own cuts and keeps the cut at admission', () => {
    const long = 'word '.repeat(3_000);
    const after = passed([...drawnEvents(''), promptEvent(long)], {
      inputBudget: 1_000,
      estimate: (text) => Math.ceil(text.length / 3),
    });
    expect(states(after)).toEqual(['truncated']);
    expect(states([...after, undo(1)])).toEqual(['whole']);
  });

  it('says of its summary that the pass was undone', () => {
    const window = foldNew([...passed(SESSION, COMPACT), undo(1)]);
    expect(window.decisions.get('summary-1' as BlockId)).toMatchObject({
      reason: { rule: 'undone', pass: { trigger: 'highWatermark', ordinal: 1 } },
    });
  });

  it('is refused for an unknown pass, an undone pass, and one that a later pass built on', () => {
    const once = passed(SESSION, CLEAR);
    expect(whyNotUndone(foldNew(once), 2)).toBe('There is no pass 2.');
    expect(whyNotUndone(foldNew(once), 1)).toBeUndefined();
    expect(whyNotUndone(foldNew([...once, undo(1)]), 1)).toBe('Pass 1 is already undone.');
    const twice = passed(once, { policy: 'slidingWindow', inputBudget: 900, maxMessages: 2 });
    expect(whyNotUndone(foldNew(twice), 1)).toContain(
      'Pass 2 changed blocks that pass 1 had changed',
    );
    expect(request([...twice, undo(1)])).toBe(request(twice));
    expect(request([...twice, undo(2), undo(1)])).toBe(request(SESSION));
  });

  it('is refused while a later pass has summarised its summary', () => {
    const once = passed(SESSION, COMPACT);
    const more = [
      ...once,
      promptEvent('go on'),
      ...stepEvents([], '·'.repeat(900)),
      ...stepEvents([], '·'.repeat(9)),
    ];
    const twice = passed([...more, ...stepEvents([], '·')], { ...COMPACT, inputBudget: 1_700 });
    const { ledger } = foldNew(twice);
    expect(ledger.at(-1)!.pass.summaries[0]?.covers).toContain('summary-1');
    expect(whyNotUndone(foldNew(twice), 1)).toContain('Undo that one first');
  });

  it('keeps a pin set since', () => {
    const pinned: NewEvent = { type: 'blockPinned', blockId: 'step-4' as BlockId };
    const window = foldNew([...passed(SESSION, EVICT), pinned, undo(1)]);
    expect(window.blocks.find(({ id }) => id === 'step-4')!.pinned).toBe(true);
  });

  it('never restores thinking, neither of restored blocks nor of later ones', () => {
    const thinking = drawnEvents(`
      1 anchor task 10
      1 read a.ts 800 thinks10
      1 read b.ts 10 thinks10
      1 read c.ts 10 thinks10
      1 read d.ts 10 thinks10
    `);
    const evicted = passed(thinking, { policy: 'salience', inputBudget: 900 });
    const undone = foldNew([...evicted, undo(1)]);
    expect(undone.blocks.map(({ state }) => state)).toEqual([
      'whole',
      'whole',
      'trimmed',
      'trimmed',
      'trimmed',
    ]);
    expect(undone.decisions.get('step-2' as BlockId)?.reason.rule).toBe('trimThinking');
    expect(JSON.stringify(toRequest(undone))).not.toContain('"thinking"');
  });

  it('keeps the anchor that was chosen since', () => {
    const moved: NewEvent = { type: 'anchorMoved', blockId: 'prompt-2' as BlockId };
    const options: Planned = { policy: 'slidingWindow', inputBudget: 9_000, trigger: 'cap' };
    const more = [...SESSION, promptEvent('third')];
    const window = foldNew([...passed(more, { ...options, maxMessages: 3 }), moved, undo(1)]);
    expect(window.blocks.filter(({ kind }) => kind === 'anchor').map(({ id }) => id)).toEqual([
      'prompt-2',
    ]);
    expect(window.blocks.filter(({ pinned }) => pinned)).toHaveLength(1);
  });

  it('keeps a result that came in after the pass', () => {
    const long = 'word '.repeat(3_000);
    const [asked, first, second] = stepEvents([
      { id: 'tuA', name: 'a.ts', tokens: 1 },
      { id: 'tuB', name: 'b.ts', tokens: 1 },
    ]);
    const cut = passed(
      [...drawnEvents('1 anchor task 1'), asked!, { ...first!, text: long } as NewEvent],
      { inputBudget: 1_000, estimate: (text) => Math.ceil(text.length / 3) },
    );
    expect(states(cut)).toContain('truncated');
    const { messages } = toRequest(foldNew([...cut, second!, undo(1)]));
    const results = messages.flatMap(({ content }) =>
      content.filter((p) => p.type === 'tool_result'),
    );
    expect(results).toMatchObject([{ content: long }, { content: '·' }]);
  });

  it('keeps its official count if it was counted before, and gets no count that follows', () => {
    const counted: NewEvent = { type: 'windowCounted', tokens: 70, source: 'countTokens' };
    const certified = foldNew([...passed(SESSION, CLEAR), counted, undo(1)]);
    expect(measure(certified, countDots)).toMatchObject({ changed: true, used: { exact: false } });
    expect(certified.ledger.at(0)!.certifiedTokens).toBe(70);
    const later = foldNew([...passed(SESSION, CLEAR), undo(1), counted]);
    expect(later.ledger.at(0)!.certifiedTokens).toBeUndefined();
  });

  it('of a pass that removed only thinking changes no byte, and keeps later thinking', () => {
    const usage = {
      inputTokens: 0,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
      outputTokens: 2_500,
    };
    const thought = (number: number, admission: Admission): readonly NewEvent[] => [
      {
        type: 'replyReceived',
        model: 'm',
        parts: [
          { type: 'thinking', thinking: `t${number}`, signature: 's' },
          {
            type: 'toolUse',
            use: {
              id: `t${number}` as ToolUseId,
              name: 'read_file',
              input: { path: `${number}.ts` },
            },
          },
        ],
        stopReason: 'tool_use',
        usage,
        durationMs: 1,
      },
      { ...resultEvent(`t${number}`, 'y'.repeat(400)), admission } as NewEvent,
    ];
    const cut: Admission = {
      form: 'truncated',
      headChars: 100,
      tailChars: 100,
      tokensBefore: 130,
      tokensAfter: 70,
      capTokens: 80,
    };
    const events = passed(
      [
        ...drawnEvents('1 anchor task 1'),
        ...thought(1, cut),
        ...thought(2, { form: 'whole' }),
        ...thought(3, { form: 'whole' }),
      ],
      { inputBudget: 8_000, estimate: (text) => Math.ceil(text.length / 3) },
    );
    const before = foldNew(events);
    expect(before.ledger.at(0)!.pass.decisions.map(({ action }) => action)).toEqual([
      'keep',
      'trim',
      'trim',
      'keep',
    ]);
    expect(toRequest(foldNew([...events, undo(1)]))).toEqual(toRequest(before));
  });
});
