import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { runOnce } from './harness/demo/runOnce.mjs';
import { packageExtension } from './harness/package/packageExtension.mjs';

it(
  'installs into a bare editor and performs the sample task there',
  { timeout: 480_000 },
  async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-installed-'));
    try {
      const vsix = join(folder, 'plimsoll.vsix');
      await packageExtension(vsix);
      const outFolder = join(folder, 'out');
      await runOnce({ say: () => undefined, turns: 1, vsix, outFolder, isWatched: false });
      const report = JSON.parse(readFileSync(join(outFolder, 'report.json'), 'utf8')) as object;
      expect(report).toMatchObject({ turns: 1, outcomes: ['finished'] });
      expect(existsSync(join(outFolder, 'context-panel-files.png'))).toBe(true);
    } finally {
      vi.restoreAllMocks();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
