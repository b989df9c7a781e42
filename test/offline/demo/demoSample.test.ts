import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DECK_PLAN_EDIT, LOAD_LINE_EDIT } from '../../../src/offline/demo/demoTask';
import { copySample, filesIn, removeCopy, SAMPLE, toolsIn } from './demoWorkspace';

let dir: string;
beforeAll(() => {
  dir = copySample();
});
afterAll(() => removeCopy(dir));

/** Runs the sample's tests. */
function runTests(...args: readonly string[]) {
  const done = spawnSync(process.execPath, ['test/run.js', ...args], {
    cwd: dir,
    encoding: 'utf8',
  });
  return { output: done.stdout, exitCode: done.status };
}

describe('the bundled sample', () => {
  it('runs its tests with npm test without an installation', () => {
    const manifest = JSON.parse(readFileSync(join(SAMPLE, 'package.json'), 'utf8'));
    expect(manifest.scripts.test).toBe('node test/run.js');
    expect(manifest.dependencies ?? manifest.devDependencies).toBeUndefined();
  });

  it('prints several hundred lines, the same each time', () => {
    const first = runTests();
    expect(first.exitCode).toBe(1);
    expect(first.output.split('\n').length).toBeGreaterThan(500);
    expect(runTests().output).toBe(first.output);
  });

  it('has a test runner whose output never looks like a denial', () => {
    expect(runTests().output).not.toMatch(/denied|stopped|approved/i);
  });

  it('has large files, at most 300 kB together', () => {
    const size = (path: string) => statSync(join(SAMPLE, path)).size;
    expect(
      readFileSync(join(SAMPLE, 'legacy/portbook.js'), 'utf8').split('\n').length,
    ).toBeGreaterThan(1400);
    expect(size('fixtures/ledger-2025.json')).toBeGreaterThan(120_000);
    expect(filesIn(SAMPLE).reduce((sum, path) => sum + size(path), 0)).toBeLessThan(300_000);
  });

  it('sets a small window with room for excerpts, and nothing that decides which server gets a key', () => {
    expect(JSON.parse(readFileSync(join(SAMPLE, '.vscode/settings.json'), 'utf8'))).toEqual({
      'plimsoll.context.windowTokens': 26700,
      'plimsoll.context.maxReplyTokens': 2048,
      'plimsoll.advanced': {
        safetyHeadroomTokens: 1024,
        toolResultHeadroomTokens: 2048,
        toolResultCapTokens: 4000,
        excerptShare: 0.85,
      },
    });
  });

  it('turns green with two exact edits, in two files', () => {
    const run = toolsIn(dir);
    const edit = (input: typeof LOAD_LINE_EDIT) =>
      run({ type: 'tool_use', id: input.path, name: 'edit_file', input }).isError;
    expect(runTests('--quiet').output).toContain('36 passed, 24 failed');
    expect(edit(DECK_PLAN_EDIT)).toBe(false);
    expect(runTests('--quiet').output).toMatch(/[1-9]\d* failed\s*$/);
    expect(edit(LOAD_LINE_EDIT)).toBe(false);
    expect(runTests('--quiet')).toMatchObject({ exitCode: 0 });
    expect(runTests('--quiet').output).toContain('60 passed, 0 failed');
  });
});
