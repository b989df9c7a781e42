import { appendFileSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GOING, recordingScene, oneMoreRead, recorded } from './support/recordingScene';

describe('a followed recording', () => {
  it('grows with its file, and stays at the step in view', async () => {
    const { recordings, inspection, file } = recordingScene(recorded(3));
    expect(recordings.follow(true)).toBe('No recording is open.');
    await recordings.open(file, GOING);
    expect(recordings.follow(true)).toBeUndefined();
    await inspection.travelTo(2);
    appendFileSync(file, oneMoreRead(3));
    await expect
      .poll(() => inspection.view().travel)
      .toMatchObject({
        at: 2,
        last: 4,
      });
    expect(inspection.view().source).toMatchObject({ following: true });
    expect(recordings.follow(false)).toBeUndefined();
    expect(inspection.view().source).toMatchObject({ following: false });
  });

  it('hands on its captures, so that only added ones are read once it has grown', async () => {
    const { recordings, inspection, file, seen } = recordingScene(recorded(3));
    await recordings.open(file, GOING);
    recordings.follow(true);
    appendFileSync(file, oneMoreRead(3));
    await expect.poll(() => inspection.view().travel.last).toBe(4);
    expect(seen.tasks.map(({ capturesRead }) => capturesRead)).toEqual([
      undefined,
      { folders: new Map(), bundles: new Map() },
    ]);
  });

  it('skips a half-written line, and says so', async () => {
    const { recordings, inspection, file } = recordingScene(recorded(3));
    await recordings.open(file, GOING);
    recordings.follow(true);
    appendFileSync(file, `{"type":"assis\n${oneMoreRead(3)}`);
    await expect.poll(() => inspection.view().travel.last).toBe(4);
    expect(inspection.view().source).toMatchObject({
      following: true,
      notes: [expect.stringMatching(/^Line 8 left out; it cannot be read: column \d+: /)],
    });
    expect(inspection.view().problem).toBeUndefined();
  });

  it('lets the user choose another policy while it grows, with all of its growth', async () => {
    const { recordings, inspection, file } = recordingScene(recorded(40));
    await recordings.open(file, GOING);
    recordings.follow(true);
    appendFileSync(file, oneMoreRead(40));
    const { settings } = inspection.view();
    // A running replay of the growth is cancelled.
    expect(await recordings.apply({ ...settings, policy: 'salience' }, GOING)).toBeUndefined();
    expect(inspection.view().policy).toBe('salience');
    await expect.poll(() => inspection.view().travel.last).toBe(41);
    expect(inspection.view().policy).toBe('salience');
  });

  it('is not replayed while it is hidden, and catches up when it is shown', async () => {
    const { recordings, inspection, file } = recordingScene(recorded(3));
    await recordings.open(file, GOING);
    recordings.follow(true);
    recordings.setSeen(false);
    appendFileSync(file, oneMoreRead(3));
    await setTimeout(600);
    expect(inspection.view().travel.last).toBe(3);
    expect(inspection.view().source).toMatchObject({ following: true });
    recordings.setSeen(true);
    await expect.poll(() => inspection.view().travel.last).toBe(4);
  });

  it('is not replayed again when following starts', async () => {
    const { recordings, file } = recordingScene(recorded(3));
    await recordings.open(file, GOING);
    const { window } = recordings.inspected!;
    recordings.follow(true);
    await setTimeout(600);
    expect(recordings.inspected!.window).toBe(window);
  });

  it('clears the problem of its file when following stops', async () => {
    const { recordings, inspection, file, seen } = recordingScene(recorded(3));
    await recordings.open(file, GOING);
    recordings.follow(true);
    rmSync(file);
    await expect.poll(() => seen.problems.length).toBeGreaterThan(0);
    expect(inspection.view().problem).toContain('cannot be read any more');
    recordings.follow(false);
    expect(inspection.view().problem).toBeUndefined();
  });

  it("handles a user's wish before growth that waits", async () => {
    const { recordings, inspection, file, gate, shown } = recordingScene(recorded(3));
    await recordings.open(file, GOING);
    const { settings } = inspection.view();
    recordings.follow(true);
    gate.close();
    const first = recordings.apply({ ...settings, policy: 'salience' }, GOING);
    appendFileSync(file, oneMoreRead(3));
    // The follower reads meanwhile; its lines wait for the running replay.
    await setTimeout(1_200);
    const second = recordings.apply({ ...settings, policy: 'headTail' }, GOING);
    shown.length = 0;
    gate.open();
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    await expect.poll(() => inspection.view().travel.last).toBe(4);
    expect(shown).toEqual(['salience 3', 'headTail 3', 'headTail 4']);
  });
});
