import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, onTestFinished, vi } from 'vitest';

/** Creates a folder with these files, deleted after the test; returns its real path. */
export function tempFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** What a test, or a process of its own, puts into the system's temporary folder goes with it. */
export function withOwnTemporaryFolder(): void {
  beforeEach(() => {
    vi.stubEnv('TMPDIR', tempFolder());
  });
}
