import { describe, expect, it } from 'vitest';
import { pausesTogether, type SessionPauses } from '../../src/contextWindow/account/promptCache';
import { pausesIn } from '../../src/replay/recording';
import type { Transcript } from '../../src/sessions/transcript';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { filler, prompt, read, recorded, said } from './support/recording';
import { replayedTranscript, settingsOf } from './support/replayed';

const MINUTE = 60_000;

const reads = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    read(`f${first + index}.ts`, filler(`f${first + index}`, 300)),
  );

/** Ten reads, a pause, and two more; the window is between the watermarks at the pause. */
function recording(pauseMinutes: number): Transcript {
  const transcript = transcriptOf(
    recorded(prompt('Look.'), ...reads(1, 10), said('Done.'), prompt('Go on.'), ...reads(11, 2)),
  );
  const second = transcript.entries.findLastIndex(({ type }) => type === 'prompt');
  const entries = transcript.entries.map((entry, index) => ({
    ...entry,
    at: MINUTE + index * 1_000 + (index < second ? 0 : pauseMinutes * MINUTE),
  }));
  return { ...transcript, entries };
}

async function results(pauseMinutes: number, ignorePauses = false, earlierPauses?: SessionPauses) {
  const settings = { ...settingsOf('ladder', 5_000), ignorePauses, earlierPauses };
  const { passes, totals, window } = await replayedTranscript(recording(pauseMinutes), settings);
  return { triggers: passes.map(({ trigger }) => trigger), totals, life: window.cacheLife };
}

describe('a replay of a session with a pause', () => {
  it('runs a pass before the request that the cache no longer serves', async () => {
    const { triggers, totals, life } = await results(10);
    expect(triggers).toEqual(['coldCache']);
    expect(totals.cacheRewrites).toMatchObject({
      first: { requests: 1 },
      expired: { requests: 1 },
    });
    expect(life).toBe('mixed');
  });

  it('keeps the cache for an hour from the first request on if the recordings before it had pauses', async () => {
    const before = pausesIn(recording(10));
    expect(before).toEqual({
      from: expect.any(Number) as number,
      until: before!.from + 10 * MINUTE + 13_000,
      requests: 13,
      pauses: 1,
      longPauses: 0,
    });
    const pausesBefore = pausesTogether([before!, before!]);
    const { life } = await results(1, false, pausesBefore);
    expect(life).toBe('mixed');
    expect((await results(1)).life).toBeUndefined();
  });

  it('keeps the cache for as long as the settings say', async () => {
    const transcript = recording(10);
    const lifeWith = async (cacheLife: '5m' | '1h') => {
      const settings = { ...settingsOf('ladder', 5_000), cacheLife };
      return (await replayedTranscript(transcript, settings)).window.cacheLife;
    };
    expect(await lifeWith('1h')).toBe('1h');
    expect(await lifeWith('5m')).toBeUndefined();
  });

  it('writes the whole window again if pauses are ignored', async () => {
    const { triggers, totals, life } = await results(10, true);
    expect(triggers).toEqual([]);
    expect(life).toBeUndefined();
    const { totals: wise } = await results(10);
    const rewritten = (of: typeof totals) => of.cacheRewrites.expired!.tokens;
    expect(rewritten(totals)).toBeGreaterThan(rewritten(wise));
  });

  it('rewrites nothing after a short pause', async () => {
    const { triggers, totals } = await results(4);
    expect(triggers).toEqual([]);
    expect(totals.cacheRewrites.expired).toBeUndefined();
  });
});
