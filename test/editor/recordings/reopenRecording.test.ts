import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GOING, recorded, recordingScene } from './support/recordingScene';

describe('a recording from an earlier window', () => {
  it('is reopened as it was, with its name, or the user is told that the file was deleted', async () => {
    const first = recordingScene(recorded(3));
    await first.recordings.open(first.file, GOING);
    await first.recordings.open(first.file, GOING);
    const { settings } = first.inspection.view();
    await first.recordings.apply({ ...settings, policy: 'salience', windowTokens: 60_000 }, GOING);
    first.recordings.follow(true);
    const kept = first.recordings.kept!;
    const later = recordingScene(recorded(3));
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

  it('is not reopened for a stated reason', async () => {
    const { recordings, file } = recordingScene(recorded(2));
    const kept = { file, number: 1, following: false };
    const cause = async (from: typeof kept, signal = GOING) =>
      (await recordings.reopen(from, signal))?.cause;
    expect(await cause(kept, AbortSignal.abort())).toBe('stopped');
    // The file exists, but cannot be read.
    expect(await cause({ ...kept, file: dirname(file) })).toBe('other');
    writeFileSync(file, 'no recording at all');
    expect(await cause(kept)).toBe('lost');
    rmSync(file);
    expect(await cause(kept)).toBe('lost');
  });
});
