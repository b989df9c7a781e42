import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextWindow } from '../../src/contextWindow/contextWindow';
import { toRequest } from '../../src/contextWindow/request/request';
import { accountOf, percentText } from '../../src/views/account';
import { conversationView } from '../../src/views/conversationView';
import { IDLE } from '../../src/views/liveTurn';
import { TurnViews } from '../../src/views/turnViews';
import { DEFAULT_SETTINGS } from '../../src/settings/settings';
import type { NewEvent } from '../../src/contextWindow/event';
import { EMPTY_SCRATCHPAD } from '../../src/contextWindow/scratchpad';
import {
  budgetOf,
  countDots,
  draw,
  drawnEvents,
  evicting,
  foldNew,
  stepEvents,
} from '../support/drawing';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { actions, play } from '../support/randomSession';
import { inspectedOf, viewNow } from './support/inspectedScene';
import type { Budget } from '../../src/contextWindow/budget';

function viewOf(
  window: ContextWindow,
  budget: Budget,
  estimate = countDots,
  settings = DEFAULT_SETTINGS,
) {
  const account = accountOf(window, budget, estimate);
  return { account, view: viewNow(inspectedOf(window, budget, { settings }), estimate) };
}

/** A part of every line that says where whole turns left. */
const LINE = 'left the context window here. Call recall';

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

describe('the Context panel', () => {
  it('shows categories, headroom and reserve that add up to the window (I8)', () => {
    fc.assert(
      fc.property(actions, fc.boolean(), (script, summaries) => {
        const budget = budgetOf(12_000);
        const { window } = play(script, budget, { ...POLICY_SETTINGS, summaries });
        const { view } = viewOf(window, budget, (text) => Math.ceil(text.length / 4));
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
      { numRuns: 60 },
    );
  });

  it('gives every block that is not whole a reason, and none that is out a category', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const budget = budgetOf(12_000);
        const { window } = play(script, budget, POLICY_SETTINGS);
        const { view } = viewOf(window, budget, (text) => Math.ceil(text.length / 4));
        for (const block of view.blocks) {
          const isOut = ['evicted', 'compacted', 'excluded'].includes(block.state);
          expect(block.reason.trim()).not.toBe('');
          expect(block.category === undefined).toBe(isOut);
          if (isOut) expect(block.tokens.tokens).toBe(0);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('says of a step that lost its thinking behind an edit that it did (I9)', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const budget = budgetOf(12_000);
        const { window } = play(script, budget, POLICY_SETTINGS);
        const { view } = viewOf(window, budget, (text) => Math.ceil(text.length / 4));
        for (const [index, block] of window.blocks.toArray().entries()) {
          if (block.kind !== 'step' || view.blocks[index]!.category === undefined) continue;
          const lost =
            block.thinkingDropped &&
            block.parts.some(({ type }) => type === 'thinking') &&
            block.state !== 'trimmed';
          expect(view.blocks[index]!.reason.includes('thinking is not sent')).toBe(lost);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('says why each block is there', () => {
    const { view } = viewOf(
      draw(`
        1 anchor task 30
        1 step   a.ts 40 !
        1 reply  done 5
        2 prompt next 10
        2 step   b.ts 30
      `),
      budgetOf(1_000),
    );
    expect(
      view.blocks.map(({ label, category, reason }) => [label.slice(0, 14), category, reason]),
    ).toEqual([
      ['Task: task····', 'anchor', 'The task: in every request, labelled as the original task'],
      ['read_file a.ts', 'working', 'Pinned by you'],
      ['Reply: done···', 'working', 'Recent: one of the last 8 steps'],
      ['Prompt: next··', 'working', 'The newest prompt'],
      ['read_file b.ts', 'working', 'The newest step'],
    ]);
  });

  it('says why a note is there, and how much of the project memory is told', () => {
    const { view } = viewOf(
      foldNew([
        ...drawnEvents('1 anchor task 30'),
        {
          type: 'preambleSet',
          system: '',
          tools: [],
          memory: [
            { path: 'AGENTS.md', text: 'head', chars: 9_000 },
            { path: 'CLAUDE.md', text: 'all', chars: 3, origin: { how: 'begin' } },
          ],
        },
        {
          type: 'noteAdded',
          source: { from: 'memory', path: 'lib/AGENTS.md' },
          text: '·····',
          admission: { form: 'whole' },
        },
        {
          type: 'noteAdded',
          source: { from: 'memory', path: 'a/CLAUDE.md', origin: { how: 'allowed', step: 3 } },
          text: '·····',
          admission: { form: 'whole' },
        },
        {
          type: 'scratchpadUpdated',
          scratchpad: { ...EMPTY_SCRATCHPAD, objective: '···' },
          byUser: true,
        },
      ]),
      budgetOf(1_000),
    );
    expect(view.blocks.slice(1).map(({ kind, label, reason }) => [kind, label, reason])).toEqual([
      ['note', 'Project memory: lib/AGENTS.md', 'Project memory: what you want every step to know'],
      [
        'note',
        'Project memory: a/CLAUDE.md',
        'Project memory, allowed by you at step 3: what you want every step to know',
      ],
      [
        'note',
        'Scratchpad changed by you',
        'Tells the model what you changed in its notes, until a pass shows them again',
      ],
    ]);
    expect(view.memory).toEqual([
      { path: 'AGENTS.md', shownChars: 4, chars: 9_000 },
      {
        path: 'CLAUDE.md',
        shownChars: 3,
        chars: 3,
        origin: 'in the workspace when the session began',
      },
    ]);
    expect(view.profile).toBeUndefined();
  });

  it('shows the profile apart from the memory of the project, with its tokens', () => {
    const memory = [
      { path: 'AGENTS.md', text: 'head', chars: 4 },
      { path: '~/me.md', profile: true as const, text: '·'.repeat(7), chars: 9 },
    ];
    const preamble: NewEvent = { type: 'preambleSet', system: '', tools: [], memory };
    const { view } = viewOf(foldNew([preamble]), budgetOf(1_000));
    expect(view.memory.map(({ path }) => path)).toEqual(['AGENTS.md']);
    expect(view.profile).toEqual({ path: '~/me.md', shownChars: 7, chars: 9, tokens: 7 });
  });

  it('says how old the notes are, and what stands in for an objective', () => {
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

  it('says why a reminder is there, before and after the model has read it', () => {
    const reminder: NewEvent = {
      type: 'noteAdded',
      source: { from: 'reminder', because: 'age', steps: 13 },
      text: '·····',
      admission: { form: 'whole' },
    };
    const events = [...drawnEvents('1 anchor task 30\n1 step a.ts 4'), reminder];
    const row = (window: ContextWindow) => {
      const { view } = viewOf(window, budgetOf(1_000));
      const { label, reason } = view.blocks.find(({ kind }) => kind === 'note')!;
      return [label, reason];
    };
    const label = 'Reminder of the notes, 13 steps old';
    expect(row(foldNew(events))).toEqual([
      label,
      'A reminder: it stays until the model has read it',
    ]);
    const read = stepEvents([{ id: 'z', name: 'z.ts', tokens: 4 }]);
    expect(row(foldNew([...events, ...read]))).toEqual([
      label,
      'A reminder that the model has read',
    ]);
  });

  it('marks a pass that was undone, and says why another cannot be', () => {
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

  it('says when a pass is due under each policy', () => {
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
        now: 0,
      },
      new TurnViews('the script'),
    );
    expect(gauge).toEqual({
      usedTokens: view.balance.used.tokens,
      exact: view.balance.used.exact,
      inputBudget: view.balance.inputBudget,
    });
    expect(percentText(account.balance)).toBe('≈64 %');
  });

  it("lists passes newest first, with the API's count where there is one", () => {
    const budget = budgetOf(3_000);
    const script = Array.from({ length: 30 }, () => ({
      type: 'step' as const,
      text: true,
      thinking: false,
      results: [{ chars: 2_000, isError: false }],
    }));
    const { window } = play([{ type: 'prompt', chars: 100 }, ...script], budget, POLICY_SETTINGS);
    const { view } = viewOf(window, budget, (text) => Math.ceil(text.length / 4));
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
      const since = window.step + 1 - pass.beforeStep;
      expect(shown?.requestsSince).toBe(Math.min(since, pass.cache.breakEvenRequests ?? 0));
    }
  });
});
