import { appendFileSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GOING, desk, oneMoreRead, recorded } from './support/recordingDesk';

describe('a recording that is followed', () => {
  it('grows with its file while it is followed, at the step that is looked at', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
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

  it('leaves out a line that was written half while it is followed, and says so', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
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

  it('lets the user choose another policy while it grows, and shows what it grew by', async () => {
    const { recordings, inspection, file } = desk(recorded(40));
    await recordings.open(file, GOING);
    recordings.follow(true);
    appendFileSync(file, oneMoreRead(40));
    const { settings } = inspection.view();
    // Whatever is replayed of the growth by then gives way.
    expect(await recordings.apply({ ...settings, policy: 'salience' }, GOING)).toBeUndefined();
    expect(inspection.view().policy).toBe('salience');
    await expect.poll(() => inspection.view().travel.last).toBe(41);
    expect(inspection.view().policy).toBe('salience');
  });

  it('is not replayed while nobody sees it, and catches up when somebody does', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
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

  it('is not replayed again for being followed', async () => {
    const { recordings, file } = desk(recorded(3));
    await recordings.open(file, GOING);
    const { window } = recordings.inspected!;
    recordings.follow(true);
    await setTimeout(600);
    expect(recordings.inspected!.window).toBe(window);
  });

  it('forgets what was wrong with its file when it is not followed any more', async () => {
    const { recordings, inspection, file, seen } = desk(recorded(3));
    await recordings.open(file, GOING);
    recordings.follow(true);
    rmSync(file);
    await expect.poll(() => seen.problems.length).toBeGreaterThan(0);
    expect(inspection.view().problem).toContain('cannot be read any more');
    recordings.follow(false);
    expect(inspection.view().problem).toBeUndefined();
  });

  it('lets a wish of the user go before growth that waits for its turn', async () => {
    const { recordings, inspection, file, gate, shown } = desk(recorded(3));
    await recordings.open(file, GOING);
    const { settings } = inspection.view();
    recordings.follow(true);
    gate.close();
    const first = recordings.apply({ ...settings, policy: 'salience' }, GOING);
    appendFileSync(file, oneMoreRead(3));
    // The follower reads meanwhile, and what it read waits for the replay that runs.
    await setTimeout(1_200);
    const second = recordings.apply({ ...settings, policy: 'headTail' }, GOING);
    shown.length = 0;
    gate.open();
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    await expect.poll(() => inspection.view().travel.last).toBe(4);
    expect(shown).toEqual(['salience 3', 'headTail 3', 'headTail 4']);
  });
});
