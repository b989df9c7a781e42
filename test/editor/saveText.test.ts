import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { anyKey } from '../support/plantedKeys';
import { runs } from '../support/runs';
import { tempFolder } from '../tools/support/tempFolder';

const KEY = 'sk-ant-of-an-older-log';

let saveText: typeof import('../../src/editor/saveText').saveText;
let target = '';

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    workspace: { workspaceFolders: undefined },
    Uri: { file: (fsPath: string) => ({ fsPath }) },
    window: {
      showSaveDialog: async () => ({ fsPath: target }),
      showInformationMessage: async () => undefined,
    },
  }));
  ({ saveText } = await import('../../src/editor/saveText'));
  const { keepSecret } = await import('../../src/agent/secrets/knownSecrets');
  keepSecret(KEY);
  vi.doUnmock('vscode');
  vi.resetModules();
});

const saved = (bytes: string | Uint8Array) =>
  saveText({ title: 'Export', name: 'session', ending: 'jsonl', bytes });

describe('an export', () => {
  it.each([
    ['a text', (text: string) => text],
    ['a log as it is on disk', (text: string) => new TextEncoder().encode(text)],
  ])('masks the key in %s, and can be read by its owner only', async (_, made) => {
    target = join(tempFolder(), 'export.jsonl');
    writeFileSync(target, 'older and longer than what comes', { mode: 0o644 });
    expect(await saved(made(`{"text":"Schlüssel: ${KEY} ✓"}\n`))).toBeUndefined();
    expect(readFileSync(target, 'utf8')).toBe('{"text":"Schlüssel: [API key] ✓"}\n');
    if (process.platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  it('masks every key of a recording, in a log and on a page', async () => {
    target = join(tempFolder(), 'export.jsonl');
    const keys = fc.array(anyKey, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(keys, async (planted) => {
        const texts = planted.map((key) => `found: ${key.planted}`);
        for (const made of [
          texts.join('\n'),
          JSON.stringify({ texts }),
          `<p>${texts.join('<br>')}`,
        ]) {
          for (const bytes of [made, new TextEncoder().encode(made)]) {
            expect(await saved(bytes)).toBeUndefined();
            const text = readFileSync(target, 'utf8');
            for (const secret of planted.flatMap((key) => key.secrets)) {
              expect(text).not.toContain(secret);
            }
          }
        }
      }),
      { numRuns: runs(15, 500) },
    );
  });

  it('is not written through a link, and says so', async () => {
    const folder = tempFolder({ 'mine.txt': 'mine' });
    target = join(folder, 'link.jsonl');
    symlinkSync(join(folder, 'mine.txt'), target);
    expect(await saved('{}')).toMatch(/could not be written .*Choose another place\./);
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
  });
});
