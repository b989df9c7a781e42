import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { Workspace } from '../../src/agent/workspace';
import { WITHOUT_RIPGREP } from '../../src/tools/search/fileSearch';
import { listFiles } from '../../src/tools/search/listFiles';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { searchText } from '../../src/tools/search/searchText';
import { call, prepare } from './support/callTool';
import { tempFolder } from './support/tempFolder';

/** A workspace whose searches return what the test says. */
function answering(answers: Partial<Workspace>): Workspace {
  return { ...makeNodeWorkspace({ folders: oneFolder(tempFolder()) }), ...answers };
}

describe('list_files', () => {
  it('says how many files there are, or that there are more', async () => {
    const paths = ['a.ts', 'b.ts'];
    const all = answering({ listFiles: async () => ({ ok: true, paths, more: false }) });
    expect((await call(listFiles, {}, all)).text).toBe('2 files in the workspace:\na.ts\nb.ts');
    const some = answering({ listFiles: async () => ({ ok: true, paths, more: true }) });
    expect((await call(listFiles, { glob: '*.ts' }, some)).text).toBe(
      'The first 2 files that match *.ts in the workspace; there are more, so narrow path or glob:\na.ts\nb.ts',
    );
    const none = answering({ listFiles: async () => ({ ok: true, paths: [], more: false }) });
    expect(await call(listFiles, { glob: '*.rs' }, none)).toEqual({
      text: 'No files that match *.rs in the workspace.',
      isError: false,
    });
  });

  it('runs without approval', async () => {
    const prepared = await prepare(listFiles, {}, tempFolder());
    expect(prepared.approval).toBeUndefined();
    expect(prepared.action).toBe('The listing of the workspace');
  });
});

describe('search_text', () => {
  it('says how many lines match, or that there are more', async () => {
    const lines = ['a.ts:1:x'];
    const all = answering({ searchText: async () => ({ ok: true, lines, more: false }) });
    expect((await call(searchText, { pattern: 'x' }, all)).text).toBe(
      '1 matching line in the workspace:\na.ts:1:x',
    );
    const some = answering({ searchText: async () => ({ ok: true, lines, more: true }) });
    expect((await call(searchText, { pattern: 'x', glob: '*.ts' }, some)).text).toBe(
      'The first 1 matching line in the workspace in files that match *.ts; there are more, so narrow pattern, path or glob:\na.ts:1:x',
    );
  });

  it('says where time ran out, after what it found', async () => {
    const found = { ok: true, lines: ['a.ts:1:x'], more: true, lateAt: 'b.ts' } as const;
    const workspace = answering({ searchText: async () => found });
    expect((await call(searchText, { pattern: 'x' }, workspace)).text).toBe(
      '1 matching line in the workspace. Time ran out at b.ts, so there may be more: use a simpler pattern, or search in one folder.\na.ts:1:x',
    );
  });

  it('says first that ripgrep was not available', async () => {
    const lines = [WITHOUT_RIPGREP, 'a.ts:1:x'];
    const workspace = answering({ searchText: async () => ({ ok: true, lines, more: false }) });
    expect((await call(searchText, { pattern: 'x' }, workspace)).text).toBe(
      '(searched without ripgrep)\n1 matching line in the workspace:\na.ts:1:x',
    );
    const none = answering({
      searchText: async () => ({ ok: true, lines: [WITHOUT_RIPGREP], more: false }),
    });
    expect((await call(searchText, { pattern: 'x' }, none)).text).toBe(
      '(searched without ripgrep)\nNo matches in the workspace.',
    );
  });
});
