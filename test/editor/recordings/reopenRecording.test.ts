import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GOING, recorded, desk } from './support/recordingDesk';

describe('a recording of an earlier window', () => {
  it('is opened again as it was looked at, under its name, or says that the file is gone', async () => {
    const first = desk(recorded(3));
    await first.recordings.open(first.file, GOING);
    await first.recordings.open(first.file, GOING);
    const { settings } = first.inspection.view();
    await first.recordings.apply({ ...settings, policy: 'salience', windowTokens: 60_000 }, GOING);
    first.recordings.follow(true);
    const kept = first.recordings.kept!;
    const later = desk(recorded(3));
    expect(await later.recordings.reopen(kept, GOING)).toBeUndefined();
    expect(later.inspection.view()).toMatchObject({
      session: first.inspection.view().session,
      policy: 'salience',
      windowSource: 'chosen here',
      source: { following: true },
    });
    expect(later.recordings.kept).toEqual(kept);
    later.recordings.close();
    expect(later.recordings.kept).toBeUndefined();
    rmSync(first.file);
    expect(await later.recordings.reopen(kept, GOING)).toEqual({
      ok: false,
      message: expect.stringContaining('cannot be read (ENOENT)'),
      cause: 'lost',
    });
    expect(later.recordings.inspected).toBeUndefined();
  });

  it('tells apart why it is not opened again', async () => {
    const { recordings, file } = desk(recorded(2));
    const kept = { file, number: 1, following: false };
    const cause = async (from: typeof kept, signal = GOING) =>
      (await recordings.reopen(from, signal))?.cause;
    expect(await cause(kept, AbortSignal.abort())).toBe('stopped');
    // It is there, and cannot be read.
    expect(await cause({ ...kept, file: dirname(file) })).toBe('other');
    writeFileSync(file, 'no recording at all');
    expect(await cause(kept)).toBe('lost');
    rmSync(file);
    expect(await cause(kept)).toBe('lost');
  });
});
