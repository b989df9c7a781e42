import { describe, expect, it } from 'vitest';
import { balance } from '../../src/contextWindow/account/balance';
import type { PartWeight } from '../../src/contextWindow/account/guesses';
import { measure } from '../../src/contextWindow/account/measure';
import { applyEvent, EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { promptTokens } from '../../src/contextWindow/account/spending';
import type { Replayed } from '../../src/replay/replay';
import type { ReplayPolicy, ReplaySettings } from '../../src/replay/replaySettings';
import type { ContextWindow } from '../../src/contextWindow/window';
import type { Transcript, TranscriptEntry } from '../../src/sessions/transcript';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { filler, prompt, read, recorded, said, type Move } from './support/recording';
import { budgetOf, estimate, replayCounted, settingsOf } from './support/replayed';

const OPUS = 'claude-opus-4-5';
const SONNET = 'claude-sonnet-4-5';

/** The API's count for each reply, and the model that answered; 0 if there is no count. */
type Count = number | readonly [number, string];

/** A recording whose replies have these counts, one after another. */
function counted(moves: readonly Move[], counts: readonly Count[]): Transcript {
  const transcript = transcriptOf(recorded(...moves));
  let step = 0;
  const entries = transcript.entries.map((entry): TranscriptEntry => {
    if (entry.type !== 'reply') return entry;
    const count = counts[step++] ?? 0;
    const [inputTokens, model] = typeof count === 'number' ? [count, SONNET] : count;
    const usage = { inputTokens, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 5 };
    return { ...entry, model, usage };
  });
  return { ...transcript, entries };
}

/** A prompt and this many reads of 200 tokens. */
function reads(count: number): readonly Move[] {
  const steps = Array.from({ length: count }, (_, n) => read(`f${n}.ts`, filler(`text${n}`, 200)));
  return [prompt('Mend the parser.'), ...steps, said('Mended.')];
}

async function replayed(
  transcript: Transcript,
  policy: ReplayPolicy = 'none',
  more: Partial<ReplaySettings> = {},
): Promise<Replayed> {
  const done = await replayCounted(
    transcript,
    { ...settingsOf(policy, 100_000), ...more },
    { estimate, warm: () => Promise.resolve(), validate: () => undefined, now: () => 0 },
  );
  if (done === 'stopped') throw new Error('No one stopped it.');
  return done;
}

/** The account of each step's request, and the API's count of it. */
function accountsOf({ events, recordedUsage }: Replayed) {
  const accounts = [];
  let window = EMPTY_WINDOW;
  let former: { window: ContextWindow; parts: readonly PartWeight[] } | undefined;
  for (const event of events) {
    // What the former window already knew changes no number.
    const { parts } = measure(window, estimate);
    expect(measure(window, estimate, { former }).parts).toEqual(parts);
    former = { window, parts };
    if (event.type === 'replyReceived') {
      const measured = measure(window, estimate);
      const { used, categories } = balance(window, measured, budgetOf(100_000));
      const sum = Object.values(categories).reduce((total, tokens) => total + tokens, 0);
      expect(sum).toBe(used.tokens);
      for (const part of measured.parts) {
        expect(part.tokens).toBeGreaterThanOrEqual(part.unrecorded ?? 0);
        expect(part.unrecorded ?? 0).toBeGreaterThanOrEqual(0);
      }
      const usage = recordedUsage.get(event.step);
      const api = usage === undefined ? 0 : promptTokens(usage);
      accounts.push({ used, measured, api, unrecorded: categories.unrecorded });
    }
    window = applyEvent(window, event);
  }
  return accounts;
}

const unrecordedOf = (done: Replayed) => accountsOf(done).map(({ unrecorded }) => unrecorded);
const usedOf = (done: Replayed) => accountsOf(done).map(({ used }) => used.tokens);

/** The weight of each part of the last request, and how much of it the file does not contain. */
function partsAtEnd(done: Replayed) {
  const parts = accountsOf(done).at(-1)!.measured.parts;
  return new Map(
    parts.map(({ part, tokens, unrecorded = 0 }) => [`${part}`, [tokens, unrecorded]]),
  );
}

describe('a window fitted to the counts of a recorded API', () => {
  it('has the counted tokens at every step, and is marked as counted', async () => {
    const counts = [20_000, 20_400, 20_900, 21_200];
    const done = await replayed(counted(reads(3), counts));
    expect(accountsOf(done).map(({ used }) => used)).toEqual(
      counts.map((tokens) => ({ tokens, exact: true })),
    );
  });

  it('gives the first request’s surplus to all, and each later one to its newest step', async () => {
    const done = await replayed(counted(reads(3), [20_000, 20_400, 20_900, 21_200]));
    const [first, ...later] = unrecordedOf(done);
    expect(first).toBeGreaterThan(19_800);
    expect([first, ...later]).toEqual([first, ...later].toSorted((a, b) => a! - b!));
    const parts = partsAtEnd(done);
    expect(parts.get('unrecorded')).toEqual([first, first]);
    // A step weighs the difference of the counts around it.
    expect(parts.get('step-1')![0]).toBe(400);
    expect(parts.get('step-2')![0]).toBe(500);
    expect(parts.get('step-3')![0]).toBe(300);
  });

  it('corrects an estimate that was too high, and leaves nothing negative', async () => {
    const done = await replayed(counted(reads(2), [20_000, 20_150, 20_300]));
    expect(partsAtEnd(done).get('step-1')).toEqual([150, 0]);
    expect(usedOf(done)).toEqual([20_000, 20_150, 20_300]);
  });

  it('removes thinking of earlier steps first if a count falls', async () => {
    const done = await replayed(counted(reads(3), [20_000, 22_000, 21_000, 21_300]));
    const parts = partsAtEnd(done);
    const [first] = unrecordedOf(done);
    expect(parts.get('unrecorded')).toEqual([first, first]);
    expect(parts.get('step-1')![0]).toBeLessThan(2_000 - 1_000);
    expect(usedOf(done)).toEqual([20_000, 22_000, 21_000, 21_300]);
  });

  it('counts the oldest steps as left out if a count falls below that', async () => {
    const counts = [300, 600, 900, 800];
    const done = await replayed(counted(reads(3), counts));
    expect(usedOf(done)).toEqual(counts);
    const parts = partsAtEnd(done);
    expect(parts.get('step-1')).toEqual([expect.any(Number), 0]);
    expect(parts.get('step-1')![0]).toBeLessThan(100);
    expect(parts.get('step-2')![0]).toBeGreaterThan(150);
  });

  it('is estimated from the last count if counts are missing, and fitted again at the next one', async () => {
    const done = await replayed(counted(reads(3), [20_000, 0, 0, 21_500]));
    const accounts = accountsOf(done);
    expect(accounts.map(({ used }) => used.exact)).toEqual([true, false, false, true]);
    expect(accounts[3]!.used.tokens).toBe(21_500);
  });

  it('counts in the tokens of another model from the change on', async () => {
    const counts: readonly Count[] = [[34_000, OPUS], [51_000, OPUS], [12_000, SONNET], 12_400];
    const done = await replayed(counted(reads(3), counts));
    expect(usedOf(done)).toEqual([34_000, 51_000, 12_000, 12_400]);
    const larger = await replayed(counted(reads(2), [[2_000, OPUS], [4_000, SONNET], 4_500]));
    // All of it grew, not the newest step alone.
    const parts = partsAtEnd(larger);
    expect(parts.get('unrecorded')![0]).toBeGreaterThan(2_000);
    expect(parts.get('step-1')![0]).toBeLessThan(1_000);
  });

  it('keeps the weight of the file if counts are missing', async () => {
    const done = await replayed(counted(reads(2), []));
    expect(done.events.map(({ type }) => type)).not.toContain('recordedCounted');
    expect(unrecordedOf(done)).toEqual([0, 0, 0]);
  });

  it('differs after a pass by exactly what the pass removed', async () => {
    const growing = Array.from({ length: 31 }, (_, n) => 20_000 + n * 900);
    const transcript = counted(reads(30), growing);
    const budget = budgetOf(40_000);
    const done = await replayed(transcript, 'ladder', { budget });
    expect(done.passes.length).toBeGreaterThan(0);
    let taken = 0;
    let window = EMPTY_WINDOW;
    for (const event of done.events) {
      const before = measure(window, estimate).used.tokens;
      if (event.type === 'replyReceived') {
        expect(growing[event.step - 1]! - before).toBe(taken);
      }
      window = applyEvent(window, event);
      if (event.type !== 'passApplied') continue;
      const after = measure(window, estimate).used.tokens;
      taken += before - after;
      // The ledger agrees and includes the steps' thinking, which is removed with them.
      expect([event.pass.before.tokens, event.pass.after.tokens]).toEqual([before, after]);
    }
    expect(taken).toBeGreaterThan(0);
  });
});

describe('a recorded agent that compacted', () => {
  const moves = reads(6);
  const counts = [20_000, 20_900, 21_800, 20_500, 21_400, 22_300, 23_200];

  function compacted(): Transcript {
    const transcript = counted(moves, counts);
    const entries: TranscriptEntry[] = [...transcript.entries];
    // Before the fourth reply.
    entries.splice(4, 0, { type: 'compacted', summary: 'Three files were read.' });
    return { ...transcript, entries };
  }

  it('has under `recorded` the counted tokens at every step, also after its summary', async () => {
    expect(usedOf(await replayed(compacted(), 'recorded'))).toEqual(counts);
  });

  it('does not change a window without that compaction, which grows by the same', async () => {
    const used = usedOf(await replayed(compacted()));
    expect(used.slice(0, 3)).toEqual(counts.slice(0, 3));
    expect(used[3]).toBeGreaterThan(counts[2]!);
    const steps = (numbers: readonly number[]) =>
      numbers.slice(1).map((tokens, index) => tokens - numbers[index]!);
    expect(steps(used.slice(4))).toEqual(steps(counts.slice(4)));
  });
});
