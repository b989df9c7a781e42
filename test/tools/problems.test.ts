import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { FileProblem } from '../../src/agent/fileProblems';
import type { Workspace } from '../../src/agent/workspace';
import { createFile } from '../../src/tools/files/createFile';
import { diagnostics } from '../../src/tools/diagnostics';
import { editFile } from '../../src/tools/files/editFile';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { call, errorOf } from './support/callTool';
import { tempFolder } from './support/tempFolder';

function problem(line: number, facts: Partial<FileProblem> = {}): FileProblem {
  return { path: 'a.ts', line, severity: 'warning', message: `Problem ${line}.`, ...facts };
}

/** A workspace with one answer of the language servers after every edit, and another one now. */
function checked(
  after: readonly FileProblem[],
  now: readonly FileProblem[] = [],
  settled = () => Promise.resolve(),
  areNew = true,
): Workspace {
  return {
    ...makeNodeWorkspace({ folders: oneFolder(tempFolder({ 'a.ts': 'let a;\n' })) }),
    problems: {
      in: (path) => (path === '.' ? now : now.filter((one) => one.path.startsWith(path))),
      settled,
      watch: async () => async () => ({ problems: after, areNew }),
      watchAll: () => async () => [],
    },
  };
}

const EDIT = { path: 'a.ts', old_text: 'a', new_text: 'b' };

describe('new problems', () => {
  it('follow an edit’s result, errors first', async () => {
    const found = [problem(3), problem(1, { severity: 'error', source: 'ts 2304' })];
    expect((await call(editFile, EDIT, checked(found))).text).toBe(
      'Edited a.ts: 1 replacement, on line 1.\n\nNew problems in the file, as reported by language servers:\n' +
        'a.ts:1: error: Problem 1. (ts 2304)\na.ts:3: warning: Problem 3.',
    );
    const made = await call(createFile, { path: 'n.ts', content: 'x' }, checked(found));
    expect(made.text).toMatch(/^Created n\.ts \(1 line\)\.\n\nNew problems/);
  });

  it('are not mentioned if there are none, or no editor', async () => {
    expect((await call(editFile, EDIT, checked([]))).text).not.toContain('problems');
    const root = tempFolder({ 'a.ts': 'let a;\n' });
    expect((await call(editFile, EDIT, root)).text).not.toContain('problems');
  });

  it('are not called new if the file was not checked before the edit', async () => {
    const workspace = checked([problem(3)], [], undefined, false);
    expect((await call(editFile, EDIT, workspace)).text).toContain(
      'Problems in the file, as reported by language servers; some may be older than this edit:\na.ts:3',
    );
  });

  it('are limited in number, and each is one line', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      problem(index + 1, { message: `Long\n${'x'.repeat(1_000)}` }),
    );
    const { text } = await call(editFile, EDIT, checked(many));
    expect(text.length).toBeLessThan(8_000);
    expect(text.split('\n').filter((line) => line.startsWith('a.ts:'))).toHaveLength(20);
    expect(text).toMatch(/\(10 more\)$/);
  });
});

describe('diagnostics', () => {
  it('returns the problems of a file, a folder or the workspace', async () => {
    const now = [problem(1), problem(2, { path: 'src/b.ts', severity: 'error' })];
    expect((await call(diagnostics, {}, checked([], now))).text).toBe(
      '2 problems in the workspace:\nsrc/b.ts:2: error: Problem 2.\na.ts:1: warning: Problem 1.',
    );
    expect((await call(diagnostics, { path: 'src' }, checked([], now))).text).toContain(
      '1 problem',
    );
    expect((await call(diagnostics, {}, checked([]))).text).toBe(
      'No errors or warnings in the workspace.',
    );
  });

  it("waits for the servers' answer to the last edit", async () => {
    const now: FileProblem[] = [];
    const settled = () => Promise.resolve().then(() => void now.push(problem(1)));
    expect((await call(diagnostics, {}, checked([], now, settled))).text).toContain('1 problem');
  });

  it('is refused without an editor', async () => {
    expect(await errorOf(diagnostics, {}, tempFolder())).toContain('no editor');
  });
});
