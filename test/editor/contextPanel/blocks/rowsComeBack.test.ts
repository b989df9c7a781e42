import { describe, expect, it } from 'vitest';
import { WHY_HELD } from '../../../../src/contextWindow/reasons';
import { applyPass } from '../../../../src/contextWindow/passes/applyPass';
import type { BlockId, ToolUseId } from '../../../../src/contextWindow/block';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { measure } from '../../../../src/contextWindow/account/measure';
import { restoreByHand } from '../../../../src/contextWindow/passes/byHand';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import {
  budgetOf,
  countDots,
  dots,
  evicting,
  foldNew,
  passThat,
  promptEvent,
  reply,
  stepEvents,
  usage,
} from '../../../support/drawing';
import { inspectedOf, viewNow } from '../support/inspectedScene';

/** Three reads in one step, then this many steps of one read each. */
const session = (later: number): readonly NewEvent[] => [
  promptEvent(`Fix \`a.ts\` ${dots(10)}`),
  ...stepEvents(['1', '2', '3'].map((id) => ({ id, name: `${id}.ts`, tokens: 100 }))),
  ...Array.from({ length: later }, (_, index) =>
    stepEvents([{ id: `x${index}`, name: `x${index}.ts`, tokens: 100 }]),
  ).flat(),
];

const drawn = (window: ContextWindow, inputBudget = 1_000) =>
  viewNow(inspectedOf(window, budgetOf(inputBudget)), countDots);

/** The first step with some of its results cleared. */
function clearing(window: ContextWindow, ids: readonly string[]): ContextWindow {
  const event = passThat('clear', ['step-1']);
  if (event.type !== 'passApplied') throw new Error('not a pass');
  const toolUseIds = ids as readonly ToolUseId[];
  const decisions = event.pass.decisions.map((decision) => ({ ...decision, toolUseIds }));
  return applyPass(window, { ...event.pass, decisions });
}

describe('the results of a step', () => {
  it('are counted if there are several, now and after a pass', () => {
    const [, first, second] = drawn(clearing(foldNew(session(6)), ['1', '2'])).blocks;
    expect(first).toMatchObject({
      state: 'cleared',
      results: { all: 3, cleared: 2, clearedNext: 3 },
      leavesNext: 'clear',
    });
    expect(second?.results).toBeUndefined();
  });

  it('stay unchanged if no pass affects them', () => {
    const [, first] = drawn(clearing(foldNew(session(0)), ['1']), 100_000).blocks;
    expect(first?.results).toEqual({ all: 3, cleared: 1, clearedNext: 1 });
  });
});

describe('the content offered for a restore', () => {
  it('is what the host can restore, without results truncated at admission', () => {
    const [reply, result] = stepEvents([{ id: 'cut', name: 'cut.ts', tokens: 100 }]);
    const cut: NewEvent = {
      ...(result as Extract<NewEvent, { type: 'toolFinished' }>),
      admission: {
        form: 'truncated',
        headChars: 10,
        tailChars: 10,
        tokensBefore: 100,
        tokensAfter: 20,
        capTokens: 20,
      },
    };
    const window = clearing(foldNew([...session(2), reply!, cut]), ['1']);
    const input = {
      window,
      measured: measure(window, countDots),
      budget: budgetOf(100_000),
      estimate: countDots,
      settings: POLICY_SETTINGS,
    };
    const { blocks } = drawn(window, 100_000);
    for (const { id, canComeBack } of blocks) {
      expect(canComeBack).toBe(restoreByHand(input, id).ok);
    }
    expect(blocks.map(({ id, state, canComeBack }) => [id, state, canComeBack])).toEqual([
      ['prompt-1', 'whole', false],
      ['step-1', 'cleared', true],
      ['step-2', 'whole', false],
      ['step-3', 'whole', false],
      ['step-4', 'truncated', false],
    ]);
  });
});

describe('why a row cannot be removed', () => {
  const heldIn = (events: readonly NewEvent[]) =>
    drawn(foldNew(events), 100_000).blocks.map(({ id, whyHeld }) => [id, whyHeld]);

  it("is the host's reason for its refusal", () => {
    const events = [...session(2), { type: 'blockPinned', blockId: 'step-1' as BlockId } as const];
    expect(heldIn(events)).toEqual([
      ['prompt-1', WHY_HELD['keep:anchor']],
      ['step-1', WHY_HELD['keep:pinned']],
      ['step-2', undefined],
      ['step-3', WHY_HELD['keep:openStep']],
    ]);
    expect(heldIn([...events, promptEvent('And now?')])).toEqual([
      ['prompt-1', WHY_HELD['keep:anchor']],
      ['step-1', WHY_HELD['keep:pinned']],
      ['step-2', undefined],
      ['step-3', undefined],
      ['prompt-2', WHY_HELD['keep:latestPrompt']],
    ]);
  });

  it('is absent for a final reply and for removed blocks', () => {
    expect(heldIn([...session(2), reply('Done.', usage(0))]).at(-1)).toEqual(['step-4', undefined]);
    expect(heldIn([...session(2), evicting('step-3')]).at(-1)).toEqual(['step-3', undefined]);
  });
});

describe('a row', () => {
  it('shows its prompt without Markdown syntax, and the purpose of its first call', () => {
    const [anchor, first] = drawn(foldNew(session(0))).blocks;
    expect(anchor?.label).toMatch(/^Task: Fix a\.ts ·/);
    expect([anchor?.callKinds, first?.callKinds[0]]).toEqual([[], 'read']);
  });

  it('says which of its calls wait, failed or were denied, until all have run', () => {
    const statesOf = (events: readonly NewEvent[]) => drawn(foldNew(events)).blocks[1]?.callStates;
    const events = session(0);
    expect(statesOf(events)).toBeUndefined();
    expect(statesOf(events.slice(0, 2))).toEqual(['waiting', 'waiting', 'waiting']);
    const ended = events.map((event, at) => {
      if (event.type !== 'toolFinished') return event;
      if (at === 2) return { ...event, isError: true };
      return at === 3 ? { ...event, isError: true, origin: 'denied' as const } : event;
    });
    expect(statesOf(ended)).toEqual(['failed', 'denied', 'done']);
  });
});

describe('the account', () => {
  it('has the same total by tier and by category, and a pass by hand aims below the low watermark', () => {
    const { balance, tiers, handTarget } = drawn(foldNew(session(3)), 10_000);
    const { used, lowTokens, categories } = balance;
    expect(tiers.system + tiers.archive + tiers.working).toBe(used.tokens);
    expect(tiers.archive).toBe(categories.archive + categories.summary);
    expect([used.tokens, lowTokens, handTarget]).toEqual([610, 5_000, 366]);
    expect(drawn(foldNew(session(3)), 400).handTarget).toBe(200);
  });
});
