import { describe, expect, it } from 'vitest';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import { sampleContext, sampleRecording, sampleTimeline } from '../contextViews';
import { commit } from '../commit';
import { ALL, drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const opened = (changes: Partial<ContextView> = {}) => {
  const panel = drawPanel(sampleContext(changes), ALL);
  panel.click(panel.one('tab-session'));
  const facts = () =>
    Object.fromEntries(
      [...panel.one('session-facts').querySelectorAll('.fact')].map((fact) => [
        fact.querySelector('dt')?.textContent,
        fact.querySelector('dd')?.textContent,
      ]),
    );
  return { ...panel, facts };
};

const NO_SESSION = { turn: 0, title: '', travel: { at: 'now', first: 0, last: 0 } } as const;

describe('the tab of the session', () => {
  it('lists its facts, and the totals once the host has sent them', () => {
    const { facts, tell } = opened({ offline: false });
    expect(facts()).toEqual({
      Title: 'fix the harbour tests',
      Model: 'plimsoll-offline-demo',
      'Context window': '32,768 tokens, from a setting',
      Policy: 'ladder',
      Turns: '2',
      Steps: '17',
      Passes: '2 passes',
      'Needed again after removal': '3 (1 recalled, 2 read again)',
    });
    tell({ type: 'timelineChanged', timeline: sampleTimeline(17) });
    expect(facts()).toMatchObject({
      'Read from the cache': '91\u00a0% of the input tokens',
      Cost: '$1.84',
    });
  });

  it('relates speed, failed and repeated calls to how full the window was, if there is something to compare', () => {
    const level = (upTo: number, firstTokenMs: number | null) => ({
      upTo,
      steps: 3,
      firstTokenMs,
      replyMs: 12_340,
      calls: 5,
      failedCalls: 1,
      repeatedCalls: 2,
      neededAgain: 2,
    });
    const { tell, root } = opened({ offline: false });
    const find = (id: string) => root.querySelector(`[data-testid="${id}"]`);
    const timeline = sampleTimeline(17);
    tell({ type: 'timelineChanged', timeline: { ...timeline, pace: [level(25, 400)] } });
    expect(find('pace')).toBeNull();
    const pace = [level(25, 400), level(75, null)];
    tell({ type: 'timelineChanged', timeline: { ...timeline, pace } });
    const rows = [...find('pace')!.querySelectorAll('tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
    expect(rows).toEqual([
      ['Full', 'First token', 'Reply', 'Failed', 'Repeated', 'Needed again'],
      ['0–25\u00a0% 3 steps', '400\u00a0ms', '12\u00a0s', '20\u00a0%', '40\u00a0%', '2'],
      ['50–75\u00a0% 3 steps', 'unknown', '12\u00a0s', '20\u00a0%', '40\u00a0%', '2'],
    ]);
  });

  it('says for how long the prompt cache is kept, why, and what the hour has saved', () => {
    const cacheLife = {
      life: 'mixed',
      choice: 'auto',
      since: 12,
      requests: 60,
      pauses: 3,
      savedTokens: 12_340,
    } as const;
    expect(opened({ cacheLife }).facts()['Prompt cache']).toBe(
      'From step 12 on tools, system prompt, task and what the last pass left are kept for 1 hour: ' +
        '3 of 60 requests came after a pause of 5 to 60 minutes. ' +
        'So far the hour saved ≈\u00a012,340 tokens at the price of input.',
    );
    const earlier = { sessions: 4, requests: 1_806, pauses: 24 };
    const first = { ...cacheLife, since: 1, requests: 1, pauses: 0, earlier };
    expect(opened({ cacheLife: first }).facts()['Prompt cache']).toContain(
      '0 of 1 request came after a pause of 5 to 60 minutes, and 24 of 1,806 in 4 earlier sessions. ',
    );
    const set = { ...cacheLife, life: '1h', choice: '1h', savedTokens: -900 } as const;
    expect(opened({ cacheLife: set }).facts()['Prompt cache']).toBe(
      'From step 12 on kept for 1 hour: as set in plimsoll.context.cacheLife. ' +
        'So far the hour cost ≈\u00a0900 tokens at the price of input.',
    );
  });

  it('exports the view as a page, and the log, and saves a report', () => {
    const { one, click, wishes } = opened();
    for (const form of ['html', 'jsonl']) click(one(`session-export-${form}`));
    click(one('session-save-report'));
    expect(wishes).toEqual([
      { type: 'exportView', form: 'html' },
      { type: 'exportView', form: 'jsonl' },
      { type: 'saveReport' },
    ]);
  });

  it('exports the displayed blocks in their order, with a description of the filter', () => {
    const { one, click, wishes, store } = opened();
    store.look.value = { ...store.look.value, query: ' read_file ', chip: 'in', sort: 'age' };
    click(one('session-export-html'));
    click(one('session-export-jsonl'));
    const [html, log] = wishes;
    const shown = html?.type === 'exportView' ? html.shown : undefined;
    const ids = sampleContext()
      .blocks.filter(({ label, category }) => label.includes('read_file') && category !== undefined)
      .map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(2);
    expect(shown).toEqual({
      ids: ids.toReversed(),
      words: '“In the window”, filter “read_file”, order “Newest first”',
    });
    expect(log).toEqual({ type: 'exportView', form: 'jsonl' });
  });

  it('also exports the blocks of folded turns', () => {
    const { one, click, wishes, store } = opened();
    store.look.value = { ...store.look.value, byTurn: true, collapsedTurns: [1], sort: 'tokens' };
    click(one('session-export-html'));
    const [wish] = wishes;
    const shown = wish?.type === 'exportView' ? wish.shown : undefined;
    expect(shown?.ids.length).toBe(sampleContext().blocks.length);
    expect(shown?.words).toBe('order “Largest first”, by turn');
  });

  it('forks from the displayed step, or from the typed one', () => {
    const { one, click, type, wishes } = opened({
      travel: { at: 4, first: 1, last: 17 },
      whyReadOnly: 'Step 4 is past.',
    });
    click(one('session-fork'));
    type('9', one('session-fork-step'));
    commit(one('session-fork-step'));
    click(one('session-fork'));
    expect(wishes).toEqual([
      { type: 'forkAt', step: 4 },
      { type: 'forkAt', step: 9 },
    ]);
  });

  it('says what to do while there is no session', () => {
    const { one, click, wishes, all } = opened(NO_SESSION);
    click(one('open-agent'));
    click(one('session-open-recording'));
    expect(wishes).toEqual([{ type: 'openAgentView' }, { type: 'openRecording' }]);
    expect(one('session-export-html').title).toBe('There is no step yet');
    expect(all('session-fork')).toEqual([]);
  });

  it('closes a recording, and cannot continue it', () => {
    const { one, click, wishes, facts } = opened({ source: sampleRecording() });
    expect(facts()).toMatchObject({ File: 'session.jsonl (Claude Code)' });
    click(one('session-close-recording'));
    expect(wishes).toEqual([{ type: 'closeRecording' }]);
    expect(one('session-fork').title).toBe("Another agent's recording cannot be continued here");
    const own = opened({ source: sampleRecording({ format: 'plimsoll', asItWas: true }) });
    expect(own.one('session-fork').title).toBe(
      'A session opened from a file cannot be continued here',
    );
  });
});

describe('the links of a session', () => {
  const LINKS = {
    from: { session: 's-1', title: 'Before', isGone: true },
    to: [{ session: 's-3', title: 'After', isGone: false }],
  };

  it('name the sessions that it continues and that continue it', () => {
    const { one, click, wishes } = opened({ links: LINKS });
    expect(one('link-from').textContent).toBe('Before (deleted)');
    click(one('link-to'));
    expect(wishes).toEqual([{ type: 'openLinked', session: 's-3' }]);
  });

  it('include buttons to hand over and close, which a recording lacks', () => {
    const { one, click, wishes } = opened();
    click(one('session-hand-over'));
    click(one('session-close'));
    expect(wishes).toEqual([{ type: 'handOver' }, { type: 'closeSession' }]);
    const recording = opened({ source: sampleRecording() });
    for (const name of ['session-hand-over', 'session-close']) {
      recording.click(recording.one(name));
      expect(recording.wishes).toEqual([]);
    }
  });
});
