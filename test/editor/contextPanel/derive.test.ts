import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRequest } from '../../../src/contextWindow/request/request';
import { fullnessText } from '../../../src/editor/session/derive';
import { conversationView } from '../../../src/editor/conversation/derive';
import { IDLE } from '../../../src/editor/session/agentWork';
import { TurnViews } from '../../../src/editor/conversation/turns';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';
import type { NewEvent } from '../../../src/contextWindow/event';
import { EMPTY_SCRATCHPAD } from '../../../src/contextWindow/scratchpad';
import { budgetOf, countDots, draw, drawnEvents, evicting, foldNew } from '../../support/drawing';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { actions } from '../../support/randomSession';
import { playedView, viewOf } from './support/panelView';
import { runs } from '../../support/runs';

/** The start of every gap line. */
const LINE = 'left the context window here. Call recall';

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

describe('the Context panel', () => {
  it('shows categories, headroom and reserve that add up to the window (I8)', () => {
    fc.assert(
      fc.property(actions, fc.boolean(), (script, summaries) => {
        const settings = { ...POLICY_SETTINGS, summaries };
        const { window, view } = playedView(script, 12_000, settings);
        const { categories, headroom, reserved, contextWindowTokens, used } = view.balance;
        const filled = sum(Object.values(categories));
        expect(filled + headroom + sum(Object.values(reserved))).toBe(contextWindowTokens);
        expect(filled).toBe(used.tokens);
        const { tools, system, scratchpad, gapLines, ...ofBlocks } = categories;
        expect(sum(view.blocks.map(({ tokens }) => tokens.tokens))).toBe(
          sum(Object.values(ofBlocks)),
        );
        expect(tools + system + scratchpad).toBeGreaterThan(0);
        expect(gapLines > 0).toBe(JSON.stringify(toRequest(window)).includes(LINE));
      }),
      { numRuns: runs(25, 500) },
    );
  });

  it("shows the profile separately from the project's memory, with its tokens", () => {
    const memory = [
      { path: 'AGENTS.md', text: 'head', chars: 4 },
      { path: '~/me.md', profile: true as const, text: '·'.repeat(7), chars: 9 },
    ];
    const preamble: NewEvent = { type: 'preambleSet', system: '', tools: [], memory };
    const { view } = viewOf(foldNew([preamble]), budgetOf(1_000));
    expect(view.memory.map(({ path }) => path)).toEqual(['AGENTS.md']);
    expect(view.profile).toEqual({ path: '~/me.md', shownChars: 7, chars: 9, tokens: 7 });
  });

  it('says how old the notes are, and what replaces a missing objective', () => {
    const noted = (objective: string): NewEvent => ({
      type: 'scratchpadUpdated',
      scratchpad: { ...EMPTY_SCRATCHPAD, objective },
    });
    const steps = drawnEvents('1 anchor task 30\n1 step a.ts 4\n1 step b.ts 4\n1 step c.ts 4');
    const shown = (...events: readonly NewEvent[]) => {
      const { view } = viewOf(foldNew(events), budgetOf(1_000));
      return [view.scratchpadSteps, view.taskAsObjective?.slice(0, 5)];
    };
    expect(shown(...steps)).toEqual([3, 'task·']);
    const [task, ...others] = steps;
    expect(shown(task!, noted(''), ...others)).toEqual([3, 'task·']);
    expect(shown(...steps.slice(0, 3), noted('Green'), ...steps.slice(3))).toEqual([2, undefined]);
    expect(shown(...steps, noted('Green'))).toEqual([0, undefined]);
  });

  it('marks an undone pass, and says why another cannot be undone', () => {
    const events = [
      ...drawnEvents('1 anchor task 30\n1 step a.ts 40\n2 prompt x 9'),
      evicting('step-1'),
    ];
    const passes = (more: readonly NewEvent[]) =>
      viewOf(foldNew([...events, ...more]), budgetOf(1_000)).view.passes.map(
        ({ number, undone, whyNotUndone }) => [number, undone, whyNotUndone],
      );
    expect(passes([])).toEqual([[1, false, undefined]]);
    expect(passes([{ type: 'passUndone', number: 1 }])).toEqual([[1, true, undefined]]);
  });

  it('says when a pass is due with each policy', () => {
    const dueUnder = (policy: 'ladder' | 'server') => {
      const context = { ...DEFAULT_SETTINGS.context, policy };
      const settings = { ...DEFAULT_SETTINGS, context };
      const { view } = viewOf(draw('1 anchor task 30'), budgetOf(1_000), countDots, settings);
      return [view.policy, view.passAbove];
    };
    expect([dueUnder('ladder'), dueUnder('server')]).toEqual([
      ['ladder', 800],
      ['server', 1_000],
    ]);
  });

  it('has no turns, no blocks and the whole budget as headroom before the first prompt', () => {
    const { view } = viewOf(draw(''), budgetOf(1_000));
    expect(view).toMatchObject({ title: 'New session', blocks: [], passes: [], turn: 0, step: 0 });
    expect(view.balance.headroom).toBe(1_000);
  });

  it('agrees with the gauge of the Agent view and the status bar', () => {
    const window = draw('1 anchor task 320\n1 step a.ts 320');
    const { account, view } = viewOf(window, budgetOf(1_000));
    const { gauge } = conversationView(
      {
        events: [],
        window,
        live: IDLE,
        queued: [],
        settings: DEFAULT_SETTINGS,
        account,
        problem: undefined,
        demoPrompts: [],
        isThere: () => true,
        mode: 'ask',
        now: 0,
      },
      new TurnViews('the script'),
    );
    expect(gauge).toEqual({
      usedTokens: view.balance.used.tokens,
      exact: view.balance.used.exact,
      inputBudget: view.balance.inputBudget,
    });
    expect(fullnessText(account.balance)).toBe('≈ 64 %');
  });

  it("lists passes newest first, with the API's count if there is one", () => {
    const script = Array.from({ length: 30 }, () => ({
      type: 'step' as const,
      text: true,
      thinking: false,
      results: [{ chars: 2_000, isError: false }],
    }));
    const { window, view } = playedView([{ type: 'prompt', chars: 100 }, ...script], 3_000);
    expect(view.passes.length).toBeGreaterThan(1);
    expect(view.passes.map(({ number }) => number)).toEqual(
      view.passes.map((_, index) => view.passes.length - index),
    );
    for (const [index, { pass, certifiedTokens }] of window.ledger
      .toArray()
      .toReversed()
      .entries()) {
      const shown = view.passes[index];
      expect(shown?.after).toEqual(
        certifiedTokens === undefined ? pass.after : { tokens: certifiedTokens, exact: true },
      );
      expect(shown!.changed + shown!.kept).toBe(pass.decisions.length);
    }
  });
});
