import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { whatIfSettings } from '../../../src/editor/contextPanel/whatIf/derive';
import { validWith } from '../contextPanel/support/inspecting';
import { MODEL, GOING, recorded, recordingScene } from './support/recordingScene';

describe('a recording', () => {
  it('has its own model, steps and reported usage, and is read-only', async () => {
    const { recordings, inspection, file, seen } = recordingScene(recorded(4));
    expect(recordings.inspected).toBeUndefined();
    expect(await recordings.open(file, GOING)).toBeUndefined();
    expect(seen.changed).toBe(1);
    await inspection.travelTo(2);
    // The replay says which budget it used.
    expect(inspection.view().travel).toEqual({ at: 2, first: 1, last: 4, recordedTokens: 274 });
    expect(inspection.view()).toMatchObject({
      model: MODEL,
      windowSource: validWith().windowSource,
    });
    await inspection.travelTo('now');
    const view = inspection.view();
    expect(view).toMatchObject({
      source: { type: 'recording', file: 'session.jsonl', following: false },
      title: 'session.jsonl',
      model: MODEL,
      step: 4,
      whyReadOnly: 'A recording of another agent is read only.',
    });
    const { points, totals } = inspection.timeline();
    const inputs = [100, 274, 448, 622];
    expect(points.map(({ recordedBill }) => recordedBill?.billed.fresh)).toEqual(inputs);
    // Plimsoll's own requests are as large, but read their common prefix from the cache.
    const own = points.map(({ billed }) => billed!);
    expect(own.map(({ cacheRead, cacheWrite }) => cacheRead + cacheWrite)).toEqual(inputs);
    expect(own.map(({ fresh }) => fresh)).toEqual([0, 0, 0, 0]);
    expect(own[1]!.cacheRead).toBeGreaterThan(0);
    expect(totals).toMatchObject({
      cost: '≈ $0.0028',
      recordedBill: { cost: '$0.0046', cacheReadShare: 0 },
    });
    expect(totals.cacheReadShare).toBeGreaterThan(0);
    expect(view.passes.map(({ measured }) => measured)).toEqual([]);
  });

  it('has its own name, different from the first recording of other files and without its path', async () => {
    const [one, other] = [recordingScene(recorded(2)), recordingScene(recorded(2))];
    await one.recordings.open(one.file, GOING);
    await other.recordings.open(other.file, GOING);
    const first = one.inspection.view().session;
    expect(other.inspection.view().session).not.toBe(first);
    expect(first).toMatch(/^recording-1-[0-9a-f]+$/);
    await one.recordings.open(one.file, GOING);
    expect(one.inspection.view().session).toMatch(/^recording-2-/);
  });

  it('is replayed with the ladder if the settings leave the editing to the API', async () => {
    const { recordings, inspection, file } = recordingScene(
      recorded(3),
      validWith({ policy: 'server' }),
    );
    await recordings.open(file, GOING);
    expect(inspection.view().policy).toBe('ladder');
    expect(inspection.requestAt('next')!.request).not.toHaveProperty('contextEdits');
    expect(await inspection.preview()).toBeDefined();
  });

  it('is replayed again with other settings, and stays unchanged if they do not fit', async () => {
    const { recordings, inspection, file } = recordingScene(recorded(30, 3_000));
    await recordings.open(file, GOING);
    expect(inspection.view().passes).toEqual([]);
    const settings = inspection.view().settings;
    const small = { ...settings, windowTokens: 30_000 };
    expect(await recordings.apply(small, GOING)).toBeUndefined();
    expect(inspection.view().passes.length).toBeGreaterThan(0);
    expect(inspection.view().settings).toEqual(small);
    const shown = recordings.inspected;
    expect(await recordings.apply({ ...small, highWatermark: 2 }, GOING)).toMatch(
      /^plimsoll\.context\.highWatermark must/,
    );
    expect(await recordings.apply({ ...small, policy: 'server' }, GOING)).toBe(
      'The policy server cannot be replayed: the API does its editing. Choose another.',
    );
    expect(recordings.inspected).toEqual(shown);
    expect(await recordings.apply({ ...small, policy: 'recorded' }, GOING)).toBeUndefined();
    expect(inspection.view().policy).toBe('recorded');
  });

  it('is not opened from a file that is none, and the view stays', async () => {
    const { recordings, file } = recordingScene(recorded(2));
    expect(await recordings.open(`${file}.gone`, GOING)).toBe(
      `${file}.gone cannot be read (ENOENT). Choose another file.`,
    );
    await recordings.open(file, GOING);
    const { inspected } = recordings;
    writeFileSync(file, 'no recording at all');
    expect(await recordings.open(file, GOING)).toMatch(/session\.jsonl/);
    expect(recordings.inspected).toEqual(inspected);
  });

  it('is not shown if the user stopped it, or opened another one meanwhile', async () => {
    const { recordings, inspection, file } = recordingScene(recorded(3));
    const stopped = AbortSignal.abort();
    expect(await recordings.open(file, stopped)).toBe(
      'Stopped. The panel shows the previous view.',
    );
    expect(recordings.inspected).toBeUndefined();
    await recordings.open(file, GOING);
    const settings = whatIfSettings(recordings.inspected!.inForce.settings.context, 'ladder');
    const overtaken = recordings.apply({ ...settings, policy: 'salience' }, GOING);
    const last = recordings.apply({ ...settings, policy: 'headTail' }, GOING);
    expect(await Promise.all([overtaken, last])).toEqual([undefined, undefined]);
    expect(inspection.view().policy).toBe('headTail');
    const closing = recordings.apply(settings, GOING);
    recordings.close();
    await closing;
    expect(recordings.inspected).toBeUndefined();
  });

  it('is a different session than an earlier recording of the same name', async () => {
    const { recordings, inspection, file } = recordingScene(recorded(3));
    await recordings.open(file, GOING);
    const first = inspection.view();
    await recordings.open(file, GOING);
    const second = inspection.view();
    expect(second.title).toBe(first.title);
    expect(second.session).not.toBe(first.session);
  });

  it('has its own name also if another one opens at the same time, and is then not followed', async () => {
    const { recordings, inspection, file } = recordingScene(recorded(3));
    const other = recordingScene(recorded(4));
    const first = recordings.open(file, GOING);
    const second = recordings.open(other.file, GOING);
    await first;
    expect(inspection.view().session).toMatch(/^recording-1-/);
    recordings.follow(true);
    await second;
    expect(inspection.view().session).toMatch(/^recording-2-/);
    expect(inspection.view()).toMatchObject({ step: 4, source: { following: false } });
  });
});
