import { modeOf } from '../../../src/contextWindow/mode';
import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../../src/contextWindow/block';
import type { NewEvent } from '../../../src/contextWindow/event';
import { fold } from '../../../src/contextWindow/fold';
import { accountOf } from '../../../src/editor/session/derive';
import { conversationView } from '../../../src/editor/conversation/derive';
import { IDLE, type LiveTurn } from '../../../src/editor/session/agentWork';
import { TurnViews } from '../../../src/editor/conversation/turns';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings';
import {
  budgetOf,
  countDots,
  dated,
  drawnEvents,
  promptEvent,
  resultEvent,
  stepEvents,
} from '../../support/drawing';

const NOW = 1_000;

function viewOf(
  events: readonly NewEvent[],
  live: LiveTurn = IDLE,
  settings: Settings = DEFAULT_SETTINGS,
) {
  const log = dated(events);
  const window = fold(log);
  return conversationView(
    {
      events: log,
      window,
      live,
      queued: [],
      settings,
      account: accountOf(window, budgetOf(1_000), countDots),
      problem: undefined,
      demoPrompts: [],
      isThere: () => true,
      mode: modeOf(window),
      now: NOW,
    },
    new TurnViews('the script'),
  );
}

const ended = (
  outcome: Extract<NewEvent, { readonly type: 'turnEnded' }>['outcome'],
): NewEvent => ({ type: 'turnEnded', outcome });

function reply(model: string, usage: readonly [number, number, number, number]): NewEvent {
  const [inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens] = usage;
  return {
    type: 'replyReceived',
    model,
    parts: [{ type: 'text', text: 'Done.' }],
    stopReason: 'end_turn',
    usage: { inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens },
    durationMs: 5,
  };
}

describe('the conversation', () => {
  it('has a turn for every prompt, with steps counted through the session', () => {
    const { title, turns } = viewOf(
      drawnEvents(`
        1 anchor task 1
        1 step   a.ts 1
        1 reply  done 1
        2 prompt next 1
        2 step   b.ts 1
      `),
    );
    expect(title).toBe('task·');
    expect(turns.map(({ turn, prompt, items }) => [turn, prompt, items.length])).toEqual([
      [1, 'task·', 2],
      [2, 'next·', 1],
    ]);
    expect(
      turns.flatMap(({ items }) => items.map((i) => (i.type === 'step' ? i.step : 0))),
    ).toEqual([1, 2, 3]);
  });

  it('shows the result of every tool call', () => {
    const origins = ['ran', 'denied', 'stopped', 'interrupted', 'cutReply'] as const;
    const calls = origins.map((name) => ({ id: `toolu_${name}`, name, tokens: 0 }));
    const [started] = stepEvents([...calls, { id: 'toolu_failed', name: 'failed', tokens: 0 }]);
    const results = origins.map((origin): NewEvent => ({
      ...(resultEvent(`toolu_${origin}`, 'text') as Extract<NewEvent, { type: 'toolFinished' }>),
      origin,
      isError: origin !== 'ran',
    }));
    const failed = { ...resultEvent('toolu_failed', 'no'), isError: true } as NewEvent;
    const { turns } = viewOf([promptEvent('task'), started!, ...results, failed]);
    const [step] = turns[0]!.items;
    expect(step?.type === 'step' && step.tools.map(({ state }) => state)).toEqual([
      'done',
      'denied',
      'stopped',
      'stopped',
      'failed',
      'failed',
    ]);
  });

  it('shows which call runs and which wait', () => {
    const [started] = stepEvents([
      { id: 'toolu_1', name: 'a.ts', tokens: 0 },
      { id: 'toolu_2', name: 'b.ts', tokens: 0 },
    ]);
    const live: LiveTurn = { activity: { state: 'runningTool', toolUseId: 'toolu_1', since: 0 } };
    const { turns } = viewOf([promptEvent('task'), started!], live);
    const [step] = turns[0]!.items;
    expect(step?.type === 'step' && step.tools.map(({ state }) => state)).toEqual([
      'running',
      'waiting',
    ]);
    expect(turns[0]?.outcome).toBeUndefined();
  });

  it('cuts long arguments and names their length, and never sends the result', () => {
    const use = {
      id: 'toolu_1' as ToolUseId,
      name: 'create_file',
      input: { path: 'a.ts', content: 'x'.repeat(10_000) },
    };
    const { turns } = viewOf([
      promptEvent('task'),
      {
        ...(reply('m', [0, 0, 0, 0]) as Extract<NewEvent, { type: 'replyReceived' }>),
        parts: [{ type: 'toolUse', use }],
      },
      resultEvent('toolu_1', 'y'.repeat(50_000)),
    ]);
    const [step] = turns[0]!.items;
    const tool = step?.type === 'step' ? step.tools[0] : undefined;
    expect(tool?.argumentsText.length).toBeLessThan(4_100);
    expect(tool?.argumentsText).toMatch(/10\d+ characters in all/);
    expect(tool?.resultChars).toBe(50_000);
    expect(JSON.stringify(tool)).not.toContain('yyy');
  });

  it('says how each turn ended', () => {
    const outcomes = [
      ended({ type: 'finished' }),
      ended({ type: 'stopped' }),
      ended({ type: 'failed', failure: 'network', message: 'No network.' }),
      undefined,
    ];
    const { turns } = viewOf(
      outcomes.flatMap((end) => [promptEvent('go'), ...(end === undefined ? [] : [end])]),
    );
    expect(turns.map(({ outcome }) => outcome)).toEqual([
      { type: 'finished' },
      { type: 'stopped', message: 'Stopped by you.' },
      { type: 'failed', message: 'No network.' },
      {
        type: 'interrupted',
        message: 'Interrupted by a restart: Plimsoll ended in the middle of this turn.',
        actions: [{ label: 'Continue', wish: { type: 'continueTurn' } }],
      },
    ]);
  });

  it('says where a fork starts, until its turn is continued', () => {
    const forked: NewEvent[] = [
      {
        type: 'sessionStarted',
        version: 3,
        sessionId: 'fork',
        pinTaskAnchor: true,
        forkedFrom: { sessionId: 'first', step: 1 },
      },
      promptEvent('go'),
      reply('a', [1, 0, 0, 1]),
    ];
    const said = (events: readonly NewEvent[]) => viewOf(events).turns.at(-1)?.outcome?.message;
    expect(said(forked)).toBe('Forked after step 1.');
    expect(said([...forked, { type: 'turnContinued' }])).toMatch(/^Interrupted by a restart/);
    expect(said([...forked, promptEvent('more')])).toMatch(/^Interrupted by a restart/);
  });

  it('adds up prompts including cached tokens, and the price of every response', () => {
    const events = [
      promptEvent('task'),
      reply('claude-sonnet-5-5', [4, 2_000, 150_000, 900]),
      reply('claude-sonnet-5-5', [1_000_000, 0, 0, 0]),
      ended({ type: 'finished' }),
    ];
    const { usage } = viewOf(events).turns[0]!;
    expect(usage).toEqual({
      inputTokens: 1_152_004,
      cacheReadTokens: 150_000,
      outputTokens: 900,
      cost: '$2.03',
      elapsedMs: 3,
    });
  });

  it('adds requests other than steps, and the API’s own compaction', () => {
    const used = (inputTokens: number) => ({
      inputTokens,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
      outputTokens: 0,
    });
    const answer = reply('claude-sonnet-5-5', [1_000_000, 0, 0, 0]);
    const model = 'claude-sonnet-5-5';
    const events: readonly NewEvent[] = [
      promptEvent('task'),
      { ...answer, compactionUsage: used(1_000_000) } as NewEvent,
      { type: 'modelAsked', purpose: 'salience', model, usage: used(500_000) },
      ended({ type: 'finished' }),
      // Written early, and finished after the end of the turn.
      { type: 'modelAsked', purpose: 'summary', model, usage: used(500_000) },
    ];
    const alone = viewOf([promptEvent('task'), answer]).turns[0]!.usage;
    const { usage } = viewOf(events).turns[0]!;
    expect(usage.inputTokens).toBe(3_000_000);
    const dollars = (cost: string) => Number(cost.slice(1));
    expect(dollars(alone.cost)).toBeGreaterThan(0);
    expect(dollars(usage.cost)).toBeCloseTo(3 * dollars(alone.cost), 3);
  });

  it('never guesses a price', () => {
    const costOf = (model: string, settings = DEFAULT_SETTINGS) =>
      viewOf([promptEvent('task'), reply(model, [1, 0, 0, 1])], IDLE, settings).turns[0]?.usage
        .cost;
    expect(costOf('some-local-model')).toBe('price unknown');
    expect(costOf('the script')).toBe('no charge (offline)');
    expect(costOf('some-local-model', { ...DEFAULT_SETTINGS, provider: 'offline' })).toBe(
      'price unknown',
    );
  });

  it('knows which turns were scripted, whichever model answers now', () => {
    const { turns } = viewOf([
      promptEvent('one'),
      reply('the script', [1, 0, 0, 1]),
      promptEvent('two'),
      reply('claude-sonnet-5-5', [1, 0, 0, 1]),
      promptEvent('three'),
      reply('claude-sonnet-5-5', [0, 0, 0, 0]),
    ]);
    expect(turns.map(({ offline }) => offline)).toEqual([true, false, undefined]);
  });

  it('counts the time of a running turn, and of no other', () => {
    const live: LiveTurn = { activity: { state: 'asking', since: 0 } };
    const { turns } = viewOf([promptEvent('one'), promptEvent('two')], live);
    expect(turns.map(({ usage }) => usage.elapsedMs)).toEqual([0, NOW - 1]);
  });

  it('does not show the last turn as running while the next one is prepared', () => {
    const live: LiveTurn = { activity: { state: 'asking', since: 0 } };
    const { turns } = viewOf([promptEvent('one'), ended({ type: 'finished' })], live);
    expect(turns[0]?.outcome).toEqual({ type: 'finished' });
  });

  it('does not count events after the end of a turn as part of it', () => {
    const pin = { type: 'blockUnpinned', blockId: 'prompt-1' } as NewEvent;
    const { turns } = viewOf([promptEvent('one'), ended({ type: 'finished' }), pin, pin, pin]);
    expect(turns[0]?.usage.elapsedMs).toBe(1);
  });
});
