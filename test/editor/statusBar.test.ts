import { describe, expect, it, vi } from 'vitest';
import { accountOf } from '../../src/editor/session/derive';
import { estimatesOf } from '../../src/editor/contextPanel/bar/derive';
import { gaugeOf } from '../../src/editor/statusBar';
import { scriptedAgent, says, steps } from '../support/scriptedAgent';
import { estimate } from '../support/player';
import { smallBudget } from '../support/smallBudget';
import type { Balance } from '../../src/contextWindow/account/balance';
import type { Estimates } from '../../src/editor/contextPanel/state';

vi.mock('vscode', () => ({}));

/** A window of 12,000 tokens: an input budget of 10,000, watermarks at 0.5 and 0.8. */
const BALANCE: Balance = {
  contextWindowTokens: 12_000,
  inputBudget: 10_000,
  highTokens: 8_000,
  lowTokens: 5_000,
  used: { tokens: 6_400, exact: true },
  source: 'usage',
  categories: {
    tools: 1_900,
    system: 700,
    unrecorded: 0,
    scratchpad: 0,
    anchor: 300,
    rules: 0,
    summary: 500,
    gapLines: 0,
    excerpts: 0,
    archive: 1_000,
    working: 2_000,
  },
  headroom: 3_600,
  reserved: { reply: 1_000, safety: 500, toolResults: 500, steppedDown: 0 },
};

const ESTIMATES: Estimates = {
  tools: Number.POSITIVE_INFINITY,
  system: Number.POSITIVE_INFINITY,
  unrecorded: Number.POSITIVE_INFINITY,
  scratchpad: Number.POSITIVE_INFINITY,
  anchor: 0,
  rules: Number.POSITIVE_INFINITY,
  summary: 500,
  gapLines: Number.POSITIVE_INFINITY,
  excerpts: 0,
  archive: 0,
  working: 750,
};

/** The gauge of a window with this many tokens, counted by the server or not. */
function gauge(
  tokens = 6_400,
  exact = true,
  doing: Parameters<typeof gaugeOf>[0]['doing'] = 'nothing',
  elsewhere = { waiting: 0, working: 0 },
) {
  const balance = { ...BALANCE, used: { tokens, exact }, headroom: 10_000 - tokens };
  return gaugeOf({
    balance,
    estimates: ESTIMATES,
    windowSource: 'from a setting',
    doing,
    elsewhere,
  });
}

describe('the gauge in the status bar', () => {
  it('shows how much of the input budget is used, and marks an estimate', () => {
    expect(gauge().text).toBe('$(dashboard) 6,400 / 10,000');
    expect(gauge(6_400, false).text).toBe('$(dashboard) ≈ 6,400 / 10,000');
  });

  it.each([
    [8_000, undefined],
    [8_001, 'statusBarItem.warningBackground'],
    [10_000, 'statusBarItem.warningBackground'],
    [10_001, 'statusBarItem.errorBackground'],
  ])('of %i tokens has the background %s', (tokens, background) => {
    expect(gauge(tokens).background).toBe(background);
    expect(gauge(tokens, false).background).toBe(background);
  });

  it('says in words what the colour means', () => {
    expect(gauge(8_001).tooltip).toContain('(counted by the server): above the high watermark\n');
    expect(gauge(10_001).tooltip).toContain('(counted by the server): over the input budget\n');
    expect(gauge(8_001).spoken).toBe(
      'Plimsoll: context window, 8,001 / 10,000 tokens used, 80 %, above the high watermark',
    );
    expect(gauge(10_001).spoken).toContain(', over the input budget');
  });

  it('lists every part in its tooltip, with estimates marked', () => {
    expect(gauge().tooltip.split('\n')).toEqual([
      'Plimsoll: context window',
      '6,400 of 10,000 tokens of the input budget, 64 % (counted by the server)',
      'High watermark 8,000, low 5,000',
      '',
      'Tools ≈ 1,900',
      'System prompt ≈ 700',
      'Task 300',
      'Summary ≈ 500',
      'Older 1,000',
      'Recent 2,000, ≈ 750 of it estimated',
      'Headroom 3,600',
      'Reserved for the reply 1,000',
      'Reserved for safety 500',
      'Reserved for tool results 500',
      'Context window 12,000 (from a setting)',
      '',
      'Click to see every block',
    ]);
    const lines = gauge(6_400, false).tooltip.split('\n');
    expect(lines).toContain('≈ 6,400 of 10,000 tokens of the input budget, ≈ 64 % (estimated)');
    expect(lines).toContain('Headroom ≈ 3,600');
  });

  it('says which other sessions wait or work', () => {
    const one = gauge(6_400, true, 'nothing', { waiting: 1, working: 2 });
    expect(one.text).toBe('$(bell-dot) 6,400 / 10,000 · 1 session waits');
    const words = 'Another session waits for your answer · 2 other sessions are at work';
    expect(one.tooltip).toContain(`\n\n${words}\n\nClick`);
    expect(one.spoken).toContain(words);
    const working = gauge(6_400, true, 'working', { waiting: 0, working: 1 });
    expect(working.text).toBe('$(sync~spin) 6,400 / 10,000');
    expect(working.tooltip).toContain('Another session is at work');
    expect(gauge(6_400, true, 'nothing', { waiting: 2, working: 0 }).text).toContain(
      ' · 2 sessions wait',
    );
  });

  it('says what the agent is doing', () => {
    expect(gauge(6_400, true, 'working')).toMatchObject({
      text: '$(sync~spin) 6,400 / 10,000',
      spoken: 'Plimsoll: context window, 6,400 / 10,000 tokens used, 64 %, the agent is working',
    });
    expect(gauge(6_400, true, 'awaitingReview')).toMatchObject({
      text: '$(bell-dot) 6,400 / 10,000 · review a pass',
      spoken: expect.stringMatching(/, a pass is waiting for your review$/) as string,
    });
  });
});

describe('the estimated parts of a session', () => {
  it('are all parts that were not counted separately', async () => {
    const agent = scriptedAgent({ script: [...steps(6, 1_400).slice(0, -1), says('Done.')] });
    await agent.run('look');
    const { window } = agent.session;
    const account = accountOf(window, smallBudget(), estimate);
    const estimates = estimatesOf(window, account);
    const guessed = account.measured.parts
      .filter(({ part, exact }) => !exact && !['tools', 'system', 'scratchpad'].includes(part))
      .reduce((sum, { tokens }) => sum + tokens, 0);
    const { anchor, summary, archive, working } = estimates;
    expect(anchor + summary + archive + working).toBe(guessed);
    expect(guessed).toBeGreaterThan(0);
  });
});
