import { describe, expect, it } from 'vitest';
import { measure } from '../../src/contextWindow/account/measure';
import type { BlockId } from '../../src/contextWindow/block';
import type { NewEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import {
  dated,
  drawnEvents,
  evicting,
  foldNew,
  noteEvent,
  scratchpadEvent,
  promptEvent,
  stepEvents,
  countDots,
} from '../support/drawing';
import { passed, rules, planned } from './support/planned';

const anchorAt = (id: string): NewEvent => ({ type: 'anchorMoved', blockId: id as BlockId });

const said = (events: readonly NewEvent[]) =>
  toRequest(foldNew(events)).messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );

describe('moving the anchor', () => {
  const prompts = [
    ...drawnEvents(''),
    promptEvent('do X'),
    promptEvent('do Y'),
    promptEvent('now'),
  ];

  it('B9: labels only the new one; the old one becomes an ordinary prompt', () => {
    const texts = said([...prompts, anchorAt('prompt-2')]);
    expect(texts[0]).toBe('do X');
    expect(texts[1]).toMatch(/^<task_anchor .*\ndo Y\n<\/task_anchor>$/s);
    expect(texts[2]).toBe('now');
    const { blocks } = foldNew([...prompts, anchorAt('prompt-2')]);
    expect(blocks.map(({ kind, pinned }) => [kind, pinned])).toEqual([
      ['prompt', false],
      ['anchor', true],
      ['prompt', false],
    ]);
  });

  it('restores an evicted prompt and drops the decision that evicted it', () => {
    const left = [...prompts, evicting('prompt-2')];
    expect(said(left)).not.toContain('do Y');
    const window = foldNew([...left, anchorAt('prompt-2')]);
    expect(window.blocks.at(1)).toMatchObject({ kind: 'anchor', state: 'whole', pinned: true });
    expect(window.decisions.size).toBe(0);
  });

  it('changes nothing for anything but another prompt', () => {
    const window = foldNew(prompts);
    for (const id of ['prompt-1', 'step-1', 'prompt-9']) {
      expect(foldNew([...prompts, anchorAt(id)]).blocks).toEqual(window.blocks);
    }
  });

  it('lets the next pass evict the old one', () => {
    const many = [...prompts.slice(0, -1), anchorAt('prompt-2'), promptEvent('now')];
    expect(rules(planned(foldNew(many), { inputBudget: 1_000 }))).toMatchObject({
      'prompt-2': 'keep:anchor',
      'prompt-3': 'keep:latestPrompt',
    });
  });

  it('makes the count an estimate and removes all thinking, since the labels precede it', () => {
    const events = drawnEvents(
      '1 prompt one 1\n1 read a.ts 1 thinks5\n2 prompt two 1\n2 read b.ts 1 thinks5',
    );
    const counted: NewEvent = { type: 'windowCounted', tokens: 9, source: 'countTokens' };
    const window = foldNew([...events, counted, anchorAt('prompt-2')]);
    expect(measure(window, countDots).used.exact).toBe(false);
    expect(JSON.stringify(toRequest(window))).not.toContain('"thinking"');
  });
});

describe('the scratchpad', () => {
  it('changed by the user is shown in a note, until a pass shows it', () => {
    const events = [
      ...drawnEvents('1 anchor task 10\n1 read a.ts 900\n1 read b.ts 10'),
      scratchpadEvent('use v2·····', true),
      ...stepEvents([{ id: 'tuC', name: 'c.ts', tokens: 10 }]),
    ];
    expect(said(events).at(-1)).toBe(
      '[The user changed your scratchpad. It now says:]\nObjective: use v2·····',
    );
    const after = passed(events, { policy: 'ladder', inputBudget: 1_000 });
    expect(said(after).slice(1)).toEqual(['[Scratchpad at the last pass]\nObjective: use v2·····']);
    expect(foldNew(after).decisions.get('note-1' as BlockId)?.reason.rule).toBe('evictShownNotes');
  });

  it('written by the agent is in its own step, without a note', () => {
    const events = [...drawnEvents('1 anchor task 10'), scratchpadEvent('use v2')];
    expect(foldNew(events).blocks).toHaveLength(1);
    expect(foldNew(events).scratchpad.objective).toBe('use v2');
  });

  it('next to project memory leaves the memory in every request', () => {
    const events = drawnEvents(
      '1 anchor task 10\n1 note src/AGENTS.md 200\n1 read a.ts 300\n1 read b.ts 300',
    );
    for (const policy of ['ladder', 'slidingWindow', 'lastTurns'] as const) {
      const plan = planned(foldNew(events), { policy, inputBudget: 600, maxMessages: 1 });
      expect(rules(plan)['note-1']).toBe('keep:memory');
    }
  });

  it('keeps the numbers of its notes when an earlier one is lost from the log', () => {
    const events = dated([
      ...drawnEvents('1 anchor task 10'),
      noteEvent('a/AGENTS.md', 'a'),
      scratchpadEvent('one', true),
      noteEvent('b/AGENTS.md', 'b'),
      { type: 'blockPinned', blockId: 'note-3' as BlockId },
    ]);
    const names = (lost: number) =>
      fold(events.filter((_, index) => index !== lost))
        .blocks.filter(({ kind }) => kind === 'note')
        .map(({ id, pinned }) => `${id}${pinned ? ' pinned' : ''}`);
    expect(names(-1)).toEqual(['note-1', 'note-2', 'note-3 pinned']);
    expect(names(2)).toEqual(['note-2', 'note-3 pinned']);
    expect(names(3)).toEqual(['note-1', 'note-3 pinned']);
  });
});

describe('the free-form state', () => {
  it('has the newest value of each key; null removes one', () => {
    const state = (...pairs: readonly (readonly [string, string | number | null])[]) =>
      foldNew(pairs.map(([key, value]): NewEvent => ({ type: 'stateSet', key, value }))).state;
    expect(state(['a', 1], ['b', 'x'], ['a', 2])).toEqual({ a: 2, b: 'x' });
    expect(state(['a', 1], ['b', 'x'], ['a', null])).toEqual({ b: 'x' });
    expect(state(['a', null])).toEqual({});
  });

  it('changes neither the request nor its official count', () => {
    const events: NewEvent[] = [
      ...drawnEvents('1 anchor task 10'),
      { type: 'windowCounted', tokens: 9, source: 'countTokens' },
    ];
    const window = foldNew([...events, { type: 'stateSet', key: 'a', value: [1] }]);
    expect(window.baseline).toEqual(foldNew(events).baseline);
    expect(toRequest(window)).toEqual(toRequest(foldNew(events)));
  });
});
