import { describe, expect, it } from 'vitest';
import { sampleComparison } from '../comparison/comparisons';
import { sampleContext, sampleLosses, samplePass, sampleRecording } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const recording = (changes: Parameters<typeof sampleContext>[0] = {}) =>
  drawPanel(sampleContext({ source: sampleRecording(), losses: sampleLosses(), ...changes }));

describe('what a compaction of a recorded agent lost', () => {
  it('is a link above the window, which leads to its card', () => {
    const { one, click } = recording();
    const link = one('show-losses');
    expect(link.textContent).toBe('What its compaction lost');
    const words = 'The recorded agent compacted once; 2 things were needed again.';
    expect(link.title).toBe(words);
    click(one('recording-details'));
    expect(one('recording-losses').textContent).toBe(words);
    click(one('tab-block'));
    click(one('show-losses'));
    expect(one('loss-card').dataset['loss']).toBe('1');
    const two = { ...sampleLosses(), cards: [...sampleLosses().cards, ...sampleLosses().cards] };
    expect(recording({ losses: two }).one('show-losses').textContent).toBe(
      'What its 2 compactions lost',
    );
  });

  it('is a card with its counts, its summary, and every later need', () => {
    const { one, all, click, wishes } = recording();
    const words = one('loss-card').textContent;
    for (const sentence of [
      'Compaction 1before step 101',
      '154,505 → 34,866 tokens',
      'repeats 13 of 20 prompts verbatim and names 7 of 21 files.',
      'wrote 27,461 tokens to the prompt cache: $0.171.',
    ]) {
      expect(words).toContain(sentence);
    }
    expect(one('losses').textContent).toContain('Only what the file shows counts.');
    click(all('loss-need')[1]!);
    expect(wishes).toEqual([{ type: 'travelTo', at: 116 }]);
  });

  it('lists the removed blocks on demand, with what the summary kept of each', () => {
    const { one, all, unfold, click, answer, wishes } = recording();
    expect(one('lost-blocks').textContent).toBe('What left: 119 blocks');
    unfold(one('lost-blocks'));
    expect(wishes).toEqual([{ type: 'fetchLostBlocks', number: 1 }]);
    const tokens = { tokens: 9_557, exact: false };
    answer({
      type: 'answered',
      data: [{ blockId: 'step-7', label: 'Read a.go', tokens, kept: 'named in the summary' }],
    });
    expect(all('lost-block').map(({ textContent }) => textContent)).toEqual([
      'Read a.go≈\u00a09,557named in the summary',
    ]);
    click(all('lost-block')[0]!.querySelector('button')!);
    expect(wishes.at(-1)).toEqual({ type: 'openBlock', blockId: 'step-7' });
  });

  it('stands in place of the passes of a replay that repeats it', () => {
    const passes = [{ ...samplePass(), trigger: 'recorded' as const }];
    expect(recording({ passes }).all('pass-card')).toEqual([]);
  });

  it('is not shown for a session without a compaction', () => {
    const { all } = recording({ losses: undefined });
    expect([...all('show-losses'), ...all('losses')]).toEqual([]);
  });
});

describe('what Plimsoll would have kept', () => {
  const numbers = (visible: number, kept: number, cost: number) => ({
    passes: 2,
    edits: { visible, total: 616 },
    keptOfLosses: { visible: kept, total: 2 },
    neededAgain: 3,
    cost,
    peakTokens: 9,
    overBudget: 0,
  });

  it('stands next to the recorded agent in the same window, once asked for', () => {
    const { one, all, click, answer, wishes } = recording();
    click(one('ask-instead'));
    expect(wishes.at(-1)).toMatchObject({ type: 'comparePolicies' });
    expect(one('ask-instead').textContent).toBe('Stop the replays');
    const rows = [
      { ok: true, policy: 'recorded', ...numbers(580, 0, 11.88) },
      { ok: true, policy: 'ladder', ...numbers(601, 1, 9.55) },
    ] as const;
    const upToStep = sampleContext().travel.last;
    answer({ type: 'answered', data: sampleComparison({ rows, upToStep }) });
    expect(all('ask-instead')).toEqual([]);
    expect([...one('instead').querySelectorAll('tr')].map((row) => row.innerText)).toEqual([
      expect.stringMatching(/In the same window\s*Its agent\s*Plimsoll, ladder/),
      expect.stringMatching(/Edits whose text was in the window\s*580 of 616\s*601 of 616/),
      expect.stringMatching(/Of what its agent needed again, still there\s*0 of 2\s*1 of 2/),
      expect.stringMatching(/Read again after removal\s*3\s*3/),
      expect.stringMatching(/Cost, simulated\s*≈.\$11.88\s*≈.\$9.55/),
    ]);
  });
});

describe('the tab Session', () => {
  it('says in one line how much of the cache writes were rewrites, and unfolds them by cause', () => {
    const { one, all, click, answer, automatic } = recording();
    click(one('tab-session'));
    expect(all('cache-rewrites')).toEqual([]);
    const text = '13 of 288 requests made 85 % of all cache writes';
    const causes = ['cache expired after 6 min to 2 h: 10 requests, 913,259 tokens, $3.42'];
    answer({ type: 'answered', data: { text, causes } }, automatic.at(-1));
    const words = one('cache-rewrites').textContent;
    expect(words).toContain(text);
    expect(words).toContain(causes[0]);
  });
});
