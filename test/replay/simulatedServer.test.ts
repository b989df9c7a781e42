import { describe, expect, it } from 'vitest';
import { isInWindow } from '../../src/contextWindow/block';
import { reportOf } from '../../src/replay/replayReport';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { edit, filler, prompt, read, recorded, said, type Move } from './support/recording';
import { replayed, replayedTranscript, settingsOf } from './support/replayed';
import type { WindowRequest } from '../../src/contextWindow/request/blockMessages';

const BUDGET = 4_000;

const reads = (count: number, tokens: number): readonly Move[] =>
  Array.from({ length: count }, (_, index) =>
    read(`src/file${index}.ts`, filler(`word${index}`, tokens)),
  );

/** The files whose results a request still shows. */
function shownIn({ messages }: WindowRequest): readonly string[] {
  return [...new Set(JSON.stringify(messages).match(/word\d/g))];
}

describe('the policy server in a replay', () => {
  const MOVES: readonly Move[] = [
    prompt('Look at every file.'),
    ...reads(6, 600),
    edit('src/file0.ts', 'word0', 'first'),
    edit('src/file5.ts', 'word5', 'last'),
    said('Done.'),
  ];

  it('clears as the API would: all results but the newest, above its trigger', async () => {
    const { requests, passes, window, contextEdits, totals } = await replayed(
      MOVES,
      'server',
      BUDGET,
    );
    expect(requests.slice(0, 6).map((request) => shownIn(request).length)).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
    expect(shownIn(requests[6]!)).toEqual(['word3', 'word4', 'word5']);
    // The API edits its input; nothing was removed from Plimsoll's own window.
    expect(passes).toEqual([]);
    expect(window.blocks.every(isInWindow)).toBe(true);
    expect(contextEdits?.requests).toBe(3);
    expect(contextEdits?.clearedTokens).toBeGreaterThan(3 * 1_200);
    expect([totals.overBudget, totals.invalid, totals.anchorMissing]).toEqual([0, 0, 0]);
    expect(totals.groundedEdits).toEqual({ visible: 1, total: 2 });
    expect(totals.maxTokens).toBeLessThan(BUDGET * 0.8 + 600);
  });

  it('clears one more result with each call, as the newest three move on', async () => {
    const long = [
      ...MOVES.slice(0, 7),
      read('a.ts', 'a'),
      read('b.ts', 'b'),
      read('c.ts', 'c'),
      said('Done.'),
    ];
    const { requests } = await replayed(long, 'server', BUDGET);
    expect(requests.slice(-3).map((request) => shownIn(request).length)).toEqual([2, 1, 0]);
  });

  it("evicts the oldest blocks if the rest after the API's clearing is still too much", async () => {
    const { passes, totals } = await replayed(
      [prompt('Look.'), ...reads(5, 1_500), said('Done.')],
      'server',
      BUDGET,
    );
    expect(passes.map(({ trigger }) => trigger)).toContain('highWatermark');
    expect(totals.overBudget).toBe(0);
  });

  it('spares the excluded tools, and everything below the trigger', async () => {
    const settings = settingsOf('server', BUDGET);
    const contextEditing = { ...settings.contextEditing, excludeTools: ['Read'] };
    const moves = [prompt('Look.'), ...reads(6, 600), said('Done.')];
    const spared = await replayedTranscript(transcriptOf(recorded(...moves)), {
      ...settings,
      contextEditing,
    });
    expect(spared.contextEdits).toEqual({ requests: 0, clearedTokens: 0 });
    const { contextEdits: none } = await replayed(moves, 'server', 20_000);
    expect(none).toEqual({ requests: 0, clearedTokens: 0 });
  });

  it('is reported as simulated, with the tokens it cleared', async () => {
    const transcript = transcriptOf(recorded(...MOVES));
    const done = await replayed(MOVES, 'server', BUDGET);
    const baseline = await replayed(MOVES, 'none', BUDGET);
    const { notes } = reportOf({
      file: 'a.json',
      transcript,
      policy: 'server',
      inputBudget: BUDGET,
      fileOnly: true,
      replayed: done,
      baseline,
    });
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^server: the API's clearing of tool results is simulated; it took [\d,]+ tokens in all from 3 of 9 requests\.$/,
      ),
    );
  });
});
