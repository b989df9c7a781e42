import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../../src/contextWindow/block';
import type { EventOf, NewEvent } from '../../../src/contextWindow/event';
import { estimateAll } from '../../../src/contextWindow/account/guesses';
import { measure, weightOf } from '../../../src/contextWindow/account/measure';
import type { ContextEdit } from '../../../src/contextWindow/contextEditing';
import {
  countDots,
  dots,
  drawnEvents,
  foldNew,
  passThat,
  promptEvent,
  resultEvent,
  stepEvents,
  evicting,
  usage,
  reply,
} from '../../support/drawing';

describe('the baseline of a measurement', () => {
  it('B8: includes tokens read from and written to the cache', () => {
    const window = foldNew([
      promptEvent('start'),
      reply('answer', {
        inputTokens: 4,
        cacheReadTokens: 150_000,
        cacheCreationTokens: 2_000,
        outputTokens: 900,
      }),
    ]);
    expect(window.baseline).toMatchObject({ tokens: 152_004, source: 'usage', blocks: 1 });
  });

  it('B8: ignores a usage from before a pass', () => {
    const events = [
      promptEvent('start'),
      ...stepEvents([{ id: 'tuA', name: 'a.ts', tokens: 1 }]),
      reply('answer', usage(5_000)),
      evicting('step-1'),
    ];
    expect(measure(foldNew(events), countDots)).toMatchObject({
      source: 'usage',
      changed: true,
      used: { exact: false },
    });
    const call = { id: 'tuB', name: 'b.ts', tokens: 1 };
    const grown = foldNew([...events, ...stepEvents([call]), reply('done', usage(3_000))]);
    expect(grown.blocks.every(({ exactTokens }) => exactTokens === undefined)).toBe(true);
  });

  it('B8: ignores a usage of 0 tokens', () => {
    expect(foldNew([promptEvent('start'), reply('answer', usage(0))]).baseline).toBeUndefined();
  });

  it('gives the exact size of a block that was the only one added between two official counts', () => {
    const window = foldNew([
      promptEvent('start'),
      {
        ...reply('look', usage(1_000)),
        parts: [{ type: 'toolUse', use: { id: 'tuA' as ToolUseId, name: 'read_file', input: {} } }],
      } as NewEvent,
      resultEvent('tuA', dots(50)),
      reply('done', usage(1_234)),
    ]);
    expect(window.blocks.map((block) => block.exactTokens)).toEqual([undefined, 234, undefined]);
    expect(weightOf(measure(window, countDots), window.blocks.at(1)!.id)).toEqual({
      tokens: 234,
      exact: true,
    });
  });

  describe('after the API edited a request itself', () => {
    const edits: readonly ContextEdit[] = [
      { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } },
    ];
    const cleared = [{ type: 'clear_tool_uses_20250919', clearedInputTokens: 700 }];
    const compaction = [{ type: 'compaction', content: 'So far.' }];

    /** The exact size of a step between two official counts, one of which may cover less. */
    function exactBetween(first: object, second: object) {
      const call = { id: 'tuA' as ToolUseId, name: 'read_file', input: {} };
      const asked = { ...reply('look', usage(1_000)), ...first } as EventOf<'replyReceived'>;
      const window = foldNew([
        promptEvent('start'),
        { ...asked, parts: [...asked.parts, { type: 'toolUse', use: call }] },
        resultEvent('tuA', dots(50)),
        { ...reply('done', usage(1_234)), ...second } as NewEvent,
      ]);
      return { exact: window.blocks.at(1)!.exactTokens, baseline: window.baseline };
    }

    it.each<[string, object]>([
      ['said it cleared something', { serverEdits: edits, appliedEdits: cleared }],
      ['was asked to and said nothing', { serverEdits: edits }],
      ['summarised', { parts: compaction }],
      ['was paid for a compaction', { compactionUsage: usage(9_000) }],
    ])('learns no exact size if it %s, before the block or after it', (_, edited) => {
      expect(exactBetween(edited, {}).exact).toBeUndefined();
      expect(exactBetween({}, edited).exact).toBeUndefined();
      // The number is still the best one for the window.
      expect(exactBetween({}, edited).baseline).toMatchObject({
        tokens: 1_234,
        source: 'usage',
        blocks: 2,
        edited: true,
      });
    });

    it('gives the exact size if the API reports that it edited nothing', () => {
      const none = { serverEdits: edits, appliedEdits: [] };
      expect(exactBetween(none, none).exact).toBe(234);
    });

    it.each([{ edited: true }, {}] as const)(
      'covers everything or not, depending on the report: %o',
      (told) => {
        const window = foldNew([
          promptEvent('start'),
          { type: 'windowCounted', tokens: 900, source: 'countTokens', ...told },
          ...stepEvents([{ id: 'tuA', name: 'a.ts', tokens: 50 }]),
          { type: 'windowCounted', tokens: 1_000, source: 'countTokens' },
        ]);
        expect(window.blocks.at(1)!.exactTokens).toBe('edited' in told ? undefined : 100);
      },
    );
  });

  it('B8: ignores official counts by another model’s tokenizer', () => {
    const window = foldNew([
      { type: 'modelSet', model: 'old' },
      promptEvent('start'),
      { type: 'windowCounted', tokens: 900, source: 'countTokens' },
      ...stepEvents([{ id: 'tuA', name: 'a.ts', tokens: 50 }]),
      reply('done', usage(1_000)),
      promptEvent('next'),
      {
        type: 'budgetSteppedDown',
        attempt: 1,
        contextWindowTokens: 10,
        inputBudget: 5,
        message: 'too long',
      },
      { type: 'modelSet', model: 'new' },
      { type: 'windowCounted', tokens: 1_500, source: 'countTokens' },
    ]);
    expect(window.blocks.map(({ exactTokens }) => exactTokens)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(window.stepDown).toBeUndefined();
    expect(window.baseline).toMatchObject({ tokens: 1_500 });
  });

  it('certifies a pass only until something is added', () => {
    const passed = [
      ...drawnEvents('1 anchor task 1\n1 step a.ts 1\n2 prompt next 1'),
      passThat('evict', ['prompt-1', 'step-1', 'prompt-2']),
    ];
    const counted: NewEvent = { type: 'windowCounted', tokens: 70, source: 'countTokens' };
    expect(foldNew([...passed, counted]).ledger.at(0)!.certifiedTokens).toBe(70);
    const later = [...passed, ...stepEvents([{ id: 'tuB', name: 'b.ts', tokens: 1 }]), counted];
    expect(foldNew(later).ledger.at(0)!.certifiedTokens).toBeUndefined();
  });

  it('weighs thinking without text by the reply’s reported tokens', () => {
    const thought: NewEvent = {
      ...reply('done', usage(1_000, { outputTokens: 700 })),
      parts: [
        { type: 'thinking', thinking: '', signature: 'sig' },
        { type: 'toolUse', use: { id: 'tuA' as ToolUseId, name: 'read_file', input: {} } },
      ],
    } as NewEvent;
    const window = foldNew([promptEvent('start'), thought, resultEvent('tuA', dots(50))]);
    expect(measure(window, countDots).used).toEqual({ tokens: 1_750, exact: false });
    expect(estimateAll(window, countDots)).toBe(750);
  });
});
