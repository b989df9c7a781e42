import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FindingView } from '../../../../src/editor/contextPanel/findings/state';
import { sampleContext } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const guess = (tokens: number) => ({ tokens, exact: false });

const REREAD: FindingView = {
  kind: 'reread',
  path: 'src/zones.js',
  times: 6,
  tokens: guess(4_220),
  dollars: 0.0158,
  act: { type: 'chooseFile', path: 'src/zones.js', choice: 'always' },
};

const TOOLS: FindingView = {
  kind: 'unusedTools',
  provider: 'MCP server every',
  tools: 2,
  tokens: guess(1_200),
  act: { type: 'turnToolsOff', names: ['mcp_a', 'mcp_b'] },
};

const RESULT: FindingView = {
  kind: 'unusedResult',
  blockId: 'step-9',
  label: 'run_command npm test',
  share: 0.18,
  steps: 12,
  tokens: guess(2_962),
  act: { type: 'clearBlock', blockId: 'step-9' },
};

const NEEDED: FindingView = {
  kind: 'neededInSessions',
  path: 'src/zones.js',
  sessions: [
    { title: 'Fix the zones', times: 2 },
    { title: 'Winter', times: 1 },
  ],
  tokens: guess(4_220),
  dollars: 0.0158,
  act: { type: 'rememberNeeded', path: 'src/zones.js' },
  dismiss: { type: 'dismissNeeded', path: 'src/zones.js' },
};

const EXPIRED: FindingView = {
  kind: 'cacheExpired',
  at: 61_000,
  tokens: guess(12_480),
  act: { type: 'compactNow', instructions: '' },
};

const drawn = (...findings: readonly FindingView[]) => drawPanel(sampleContext({ findings }));

const linesIn = ({ all }: ReturnType<typeof drawn>) =>
  all('finding').map(({ textContent }) => textContent!.replaceAll('\u00a0', ' '));

describe('the findings', () => {
  afterEach(() => vi.useRealTimers());

  it('are no line if there are none', () => {
    expect(drawn().all('findings')).toEqual([]);
  });

  it('show the first, and the others on demand', () => {
    const panel = drawn(RESULT, REREAD, TOOLS);
    const first =
      'run_command npm test fills 18 % and was not used for 12 steps.Clear it (≈ 2,962)';
    expect(linesIn(panel)).toEqual([first]);
    const all = panel.one('all-findings');
    expect([all.textContent, all.getAttribute('aria-expanded')]).toEqual([
      '1 of 3 findings',
      'false',
    ]);
    panel.click(all);
    expect(linesIn(panel)).toEqual([
      first,
      'src/zones.js was read again 6 times: ≈ 4,220 tokens.Always show it',
      '2 tools of MCP server every, never called: ≈ 1,200 tokens in every request.Turn them off',
    ]);
    panel.click(all);
    expect(linesIn(panel)).toEqual([first]);
    expect(drawn(RESULT).all('all-findings')).toEqual([]);
  });

  it.each([RESULT, REREAD, TOOLS, EXPIRED])('have tokens and a button: $kind', (finding) => {
    const { one } = drawn(finding);
    const tokens = finding.tokens.tokens.toLocaleString('en-US');
    expect(one('finding').textContent).toContain(tokens);
    expect(one('finding-act').textContent).not.toBe('');
  });

  it('have their price as a tooltip', () => {
    const hint = (finding: FindingView) =>
      drawn(finding).one('finding').querySelector('span')!.title.replaceAll('\u00a0', ' ');
    expect(hint(REREAD)).toMatch(/tokens\. That is ≈ \$0\.0158 at list price\.$/);
    expect(hint({ ...RESULT, dollars: 0.0009 })).toMatch(
      /That is ≈ \$0\.0009 at list price in each request, from the prompt cache\.$/,
    );
    expect(hint(TOOLS)).toMatch(/every request\.$/);
  });

  it('offer a file that several sessions needed for memory, with its origin, or dismiss it', () => {
    const panel = drawn(NEEDED);
    expect(linesIn(panel)).toEqual([
      'src/zones.js: needed again in 2 sessions, ≈ 4,220 tokens.Remember',
    ]);
    const { title } = panel.one('finding').querySelector('span')!;
    expect(title.replaceAll('\u00a0', ' ')).toMatch(
      /That is ≈ \$0\.0158 at list price\. Read again after a pass in: Fix the zones \(2 times\), Winter \(1 time\)\.$/,
    );
    panel.click(panel.one('finding-act'));
    panel.click(panel.one('finding-dismiss'));
    expect(panel.wishes).toEqual([NEEDED.act, NEEDED.dismiss]);
    expect(panel.one('finding-dismiss').getAttribute('aria-label')).toMatch(/^Dismiss: /);
    expect(drawn(RESULT).all('finding-dismiss')).toEqual([]);
  });

  it.each([RESULT, REREAD, TOOLS])('do what the button of each says: $kind', (finding) => {
    const { one, click, wishes } = drawn(finding);
    click(one('finding-act'));
    expect(wishes).toEqual([finding.act]);
  });

  it('come after the cards and before the timeline, for the keyboard as well', () => {
    const { root } = drawn(RESULT);
    const order = [
      ...root.querySelectorAll('.answer, .bar, .cards, .findings, .timeline, .blocks'),
    ];
    expect(order.map(({ className }) => className.split(' ')[0])).toEqual([
      'answer',
      'bar',
      'cards',
      'findings',
      'timeline',
      'blocks',
    ]);
  });

  it('say that the prompt cache expired once it has', () => {
    vi.useFakeTimers({ now: 1_000 });
    const panel = drawn(EXPIRED);
    expect(panel.all('findings')).toEqual([]);
    void act(() => void vi.advanceTimersByTime(60_010));
    expect(linesIn(panel)).toEqual([
      'The prompt cache expired: the next request writes ≈ 12,480 tokens again.Compact Now',
    ]);
  });
});
