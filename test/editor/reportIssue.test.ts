import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Report } from '../../src/editor/report';
import { PACKAGE_DEFAULTS, PACKAGE_SETTINGS } from '../support/packageSettings';
import { endWord } from '../../src/editor/session/turnNotices';

const PRIVATE = 'Zq-harbour-secret';
const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));

/** Opens the report in an editor whose settings, folder and environment hold a text of the user. */
async function opened(settings: (name: string) => unknown): Promise<string> {
  const documents: { readonly language: string; readonly content: string }[] = [];
  vi.stubEnv('PRIVATE_NAME', PRIVATE);
  vi.resetModules();
  vi.doMock('vscode', () => ({
    version: '1.100.0',
    UIKind: { Desktop: 1, Web: 2 },
    env: { uiKind: 1, remoteName: PRIVATE, appName: PRIVATE, machineId: PRIVATE },
    extensions: { getExtension: () => ({ packageJSON: manifest, extensionPath: PRIVATE }) },
    workspace: {
      name: PRIVATE,
      workspaceFolders: [{ name: PRIVATE, uri: { fsPath: `/home/${PRIVATE}` } }],
      getConfiguration: () => ({ get: settings }),
      openTextDocument: async (document: (typeof documents)[number]) => documents.push(document),
    },
    window: { showTextDocument: async () => undefined },
  }));
  const { openIssueReport } = await import('../../src/editor/issueReport');
  await openIssueReport({ errorKinds: ['RangeError'] } as unknown as Report);
  expect(documents.map(({ language }) => language)).toEqual(['markdown']);
  return documents[0]!.content;
}

afterEach(() => {
  vi.doUnmock('vscode');
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe('an issue report in the editor', () => {
  it('has versions and changed settings, and no text of settings, folder, editor or environment', async () => {
    const text = await opened(() => PRIVATE);
    expect(text).not.toContain(PRIVATE);
    expect(text).toContain(`\n- Plimsoll: ${manifest.version}\n- VS Code: 1.100.0\n`);
    expect(text).toContain('\n- editor: desktop, remote\n');
    expect(text).toContain(`\n- Node: ${process.versions.node}\n`);
    expect(text).toContain('\n- RangeError\n');
    for (const name of Object.keys(PACKAGE_SETTINGS))
      expect(text).toContain(`\n- \`${name}\`: set; its value is not shown\n`);
  });

  it('lists no settings with default values', async () => {
    const text = await opened((name) => PACKAGE_DEFAULTS[name]);
    expect(text).toContain('## Settings that differ from their defaults\n\nNone.\n');
  });
});

describe('the end of a turn', () => {
  it('is reported in our words only', () => {
    const failed = (failure: string) => endWord({ type: 'failed', failure, message: PRIVATE });
    expect(failed('overloaded')).toBe('failed (overloaded)');
    expect(failed(PRIVATE)).toBe('failed');
    expect(endWord({ type: 'stopped' })).toBe('stopped');
  });
});
