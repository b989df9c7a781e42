import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { foldersAt, type WorkspaceFolders } from '../../src/agent/workspaceFolders';
import { makeChangesSince } from '../../src/tools/checkpoints/changesSince';
import { makeCheckpoints } from '../../src/tools/checkpoints/checkpoints';
import { ContentStore } from '../../src/tools/checkpoints/contentStore';
import { findAgents } from '../../src/tools/files/agentFiles';
import { calledCommand, customCommandsIn } from '../../src/tools/files/commandFiles';
import { createFile } from '../../src/tools/files/createFile';
import { deleteFile } from '../../src/tools/files/deleteFile';
import { editFile } from '../../src/tools/files/editFile';
import { insideWorkspace } from '../../src/tools/files/insideWorkspace';
import { moveFile } from '../../src/tools/files/moveFile';
import { makeProfile } from '../../src/tools/files/nodeProfile';
import { makeProjectMemory } from '../../src/tools/files/nodeProjectMemory';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { readFile } from '../../src/tools/files/readFile';
import { guardFiles } from '../../src/tools/processes/guardedFiles';
import { runCommand, runCommandInFolder } from '../../src/tools/processes/runCommand';
import { rememberTool } from '../../src/tools/remember';
import { listFiles } from '../../src/tools/search/listFiles';
import { searchText } from '../../src/tools/search/searchText';
import { call, errorOf, prepare } from './support/callTool';
import { installedRipgrep } from './support/installedRipgrep';
import { tempFolder, withOwnTemporaryFolder } from './support/tempFolder';

const signal = new AbortController().signal;

const FILES = {
  'client/src/a.ts': 'const mast = 1;\n',
  'client/.gitignore': 'out\n',
  'client/out/a.js': 'mast\n',
  'client/packages/ui/b.ts': 'mast of ui\n',
  'server/src/a.ts': 'const mast = 2;\n',
  'outside/secret.txt': 'mast\n',
};

/** A workspace of client, server and ui, a folder inside client. */
function scene(files: Readonly<Record<string, string>> = {}, rgPath = installedRipgrep()) {
  const top = tempFolder({ ...FILES, ...files });
  const roots = ['client', 'server', 'client/packages/ui'].map((name) => join(top, name));
  const folders = foldersAt(roots as [string, ...string[]]);
  return { top, folders, workspace: makeNodeWorkspace({ folders, rgPath }) };
}

const text = (top: string, path: string) => readFileSync(join(top, path), 'utf8');

withOwnTemporaryFolder();

describe.each([['with', installedRipgrep()] as const, ['without', '/none'] as const])(
  'in several folders, a search %s ripgrep',
  (_how, rgPath) => {
    it('finds the files of each folder once, by the name of their folder', async () => {
      const { workspace } = scene({}, rgPath);
      const found = await call(searchText, { pattern: 'mast' }, workspace);
      expect(found.text.split('\n').filter((line) => /:\d+:/.test(line))).toEqual([
        'client/src/a.ts:1:const mast = 1;',
        'server/src/a.ts:1:const mast = 2;',
        'ui/b.ts:1:mast of ui',
      ]);
      const listed = await call(listFiles, {}, workspace);
      expect(listed.text).toBe(
        '4 files in the workspace:\nclient/.gitignore\nclient/src/a.ts\nserver/src/a.ts\nui/b.ts',
      );
    });

    it('keeps to the folder, the glob and the limit that it gets', async () => {
      const { workspace } = scene({}, rgPath);
      const paths = async (path: string, glob?: string, limit = 10) => {
        const found = await workspace.listFiles({ path, limit, ...(glob && { glob }) }, signal);
        return found.ok ? [...found.paths, ...(found.more ? ['...'] : [])] : found.message;
      };
      expect(await paths('server')).toEqual(['server/src/a.ts']);
      expect(await paths('client/packages')).toEqual(['ui/b.ts']);
      expect(await paths('.', 'src/*.ts')).toEqual(['client/src/a.ts', 'server/src/a.ts']);
      expect(await paths('.', 'server/**')).toEqual(['server/src/a.ts']);
      expect(await paths('.', undefined, 2)).toEqual([
        'client/.gitignore',
        'client/src/a.ts',
        '...',
      ]);
    });
  },
);

describe('files of several folders', () => {
  it('are read, edited, created, moved and deleted in their folder', async () => {
    const { top, workspace } = scene();
    expect((await call(readFile, { path: 'server/src/a.ts' }, workspace)).text).toContain(
      'mast = 2',
    );
    const edit = { path: 'server/src/a.ts', edits: [{ old_text: '2', new_text: '3' }] };
    expect((await prepare(editFile, edit, workspace)).approval).toMatchObject({
      path: 'server/src/a.ts',
    });
    expect(await call(editFile, edit, workspace)).toMatchObject({ isError: false });
    expect(text(top, 'server/src/a.ts')).toBe('const mast = 3;\n');
    expect(text(top, 'client/src/a.ts')).toBe('const mast = 1;\n');
    await call(createFile, { path: 'ui/new.ts', content: 'x\n' }, workspace);
    await call(moveFile, { path: 'ui/new.ts', to: 'server/moved.ts' }, workspace);
    expect(text(top, 'server/moved.ts')).toBe('x\n');
    await call(deleteFile, { path: 'server/moved.ts' }, workspace);
    expect(existsSync(join(top, 'server/moved.ts'))).toBe(false);
  });

  it('have one name, whichever folder they are named from', async () => {
    const { top, folders } = scene();
    for (const path of [
      'ui/b.ts',
      'client/packages/ui/b.ts',
      join(top, 'client/packages/ui/b.ts'),
    ]) {
      expect(await insideWorkspace(folders, path)).toMatchObject({ ok: true, path: 'ui/b.ts' });
    }
  });

  it('are refused outside all folders, and through a link that leads out of them', async () => {
    const { top, workspace } = scene();
    symlinkSync(join(top, 'outside'), join(top, 'client/out-link'));
    symlinkSync(join(top, 'server'), join(top, 'client/server-link'));
    const read = (path: string) => call(readFile, { path }, workspace);
    expect((await read('client/../outside/secret.txt')).text).toBe(
      '"client/../outside/secret.txt" is outside the workspace. Give a path inside the workspace, beginning with the name of a folder, such as client/.',
    );
    expect((await read('client/out-link/secret.txt')).text).toContain(
      'leads outside the workspace through a symbolic link',
    );
    expect(await read('client/server-link/src/a.ts')).toMatchObject({ isError: false });
  });

  it('are said to name no folder if they do not, though they may be in one', async () => {
    const { top, folders } = scene();
    const why = async (path: string) => {
      const inside = await insideWorkspace(folders, path);
      return inside.ok ? inside.path : / (is outside|names no folder)/.exec(inside.message)?.[1];
    };
    expect(await why('src/a.ts')).toBe('names no folder');
    expect(await why('./serverless/a.ts')).toBe('names no folder');
    expect(await why('../server/a.ts')).toBe('is outside');
    expect(await why('src/../../a.ts')).toBe('is outside');
    expect(await why(join(top, 'outside'))).toBe('is outside');
  });

  it.skipIf(process.platform === 'win32')(
    'may be in a folder that is named like the home folder or a drive',
    async () => {
      const top = tempFolder({ '~/a.ts': '', 'C:x/b.ts': '' });
      const folders = foldersAt([join(top, '~'), join(top, 'C:x')]);
      for (const path of ['~/a.ts', 'C:x/b.ts']) {
        expect(await insideWorkspace(folders, path)).toMatchObject({ ok: true, path });
      }
      expect(await insideWorkspace(folders, 'D:/b.ts')).toMatchObject({ ok: false });
    },
  );

  it('last in every folder, by each of their names', async () => {
    const { top, workspace } = scene({ 'client/packages/ui/package.json': '{}' });
    const lasting = async (path: string) => {
      const { approval } = await prepare(createFile, { path, content: 'x' }, workspace);
      return approval?.kind === 'edit' ? approval.lasting : undefined;
    };
    expect(await lasting('server/AGENTS.md')).toContain('reads this file as instructions');
    expect(await lasting('server/.github/workflows/ci.yml')).toContain('Build servers');
    expect(await lasting('server/notes.md')).toBeUndefined();
    expect(
      await errorOf(createFile, { path: 'server/.vscode/tasks.json', content: '' }, workspace),
    ).toContain('is protected');
    // A folder of the workspace inside a folder that lasts.
    mkdirSync(join(top, 'client/.github/workflows'), { recursive: true });
    const folders = foldersAt([join(top, 'client'), join(top, 'client/.github/workflows')]);
    const nested = makeNodeWorkspace({ folders });
    const call = { path: 'workflows/ci.yml', content: 'x' };
    expect((await prepare(createFile, call, nested)).approval).toMatchObject({
      lasting: expect.stringContaining('Build servers'),
    });
    // Hooks of one folder in another.
    execFileSync('git', ['init', '-q', join(top, 'client')]);
    execFileSync('git', ['-C', join(top, 'client'), 'config', 'core.hooksPath', '../server/hooks']);
    expect(await lasting('server/hooks/pre-commit')).toContain('run automatically');
  });

  it('give .env files, whose values are secrets, in every folder', async () => {
    const { workspace } = scene({ 'client/.env': 'A=1', 'server/.env.local': 'B=2' });
    expect(await workspace.envFiles?.()).toEqual(['client/.env', 'server/.env.local']);
  });
});

describe('a command in several folders', () => {
  it('runs in the folder that the call names, and in the first one otherwise', async () => {
    const { top, workspace } = scene();
    const run = async (input: Record<string, unknown>) =>
      (await call(runCommandInFolder, { command: 'pwd', ...input }, workspace)).text;
    expect(await run({})).toBe(`${join(top, 'client')}\nexit code 0`);
    expect(await run({ folder: 'server/src' })).toBe(`${join(top, 'server/src')}\nexit code 0`);
    expect(await run({ folder: 'client/src/a.ts' })).toBe(
      'run_command was not run: client/src/a.ts is not a folder.',
    );
    expect(await run({ folder: 'src' })).toBe(
      'run_command was not run: "src" names no folder of this workspace. Give a path inside the workspace, beginning with the name of a folder, such as client/.',
    );
    expect(await run({ folder: '../outside' })).toContain('is outside the workspace');
    const { approval } = await prepare(
      runCommandInFolder,
      { command: 'pwd', folder: 'server' },
      workspace,
    );
    expect(approval).toMatchObject({ kind: 'command', cwd: join(top, 'server') });
    const whole = await prepare(runCommandInFolder, { command: 'pwd', folder: '.' }, workspace);
    expect(whole.approval).toMatchObject({ cwd: join(top, 'client') });
    expect(whole.approval).not.toHaveProperty('folder');
  });

  it('names a folder only where there are several', async () => {
    const properties = (tool: typeof runCommand) =>
      Object.keys((tool.definition.inputSchema as { properties: object }).properties);
    expect(properties(runCommand)).toEqual(['command', 'timeout_seconds', 'background']);
    expect(properties(runCommandInFolder)).toEqual([...properties(runCommand), 'folder']);
    expect(await errorOf(runCommand, { command: 'pwd', folder: 'x' }, tempFolder())).toContain(
      'unknown parameter "folder"',
    );
    const { workspace } = scene();
    expect(await errorOf(runCommandInFolder, { command: 'pwd', place: 'x' }, workspace)).toContain(
      'unknown parameter "place"',
    );
  });

  it('is reported to have changed lasting files of any folder', async () => {
    const { workspace } = scene();
    const command = 'echo x > ../server/AGENTS.md; echo x > packages/ui/Makefile';
    const { lasting } = await call(runCommandInFolder, { command }, workspace);
    expect(lasting).toEqual([
      { path: 'ui/Makefile', how: 'made' },
      { path: 'server/AGENTS.md', how: 'made' },
    ]);
  });
});

describe('files that a command in the sandbox made and no one approved', () => {
  it('are moved aside by the path that tools take', async () => {
    const { top, folders } = scene();
    const roots = folders.all.map(({ root }) => root);
    const guard = await guardFiles(roots, { hasPlaceholders: false, folders });
    writeFileSync(join(top, 'server/AGENTS.md'), 'x');
    writeFileSync(join(top, 'client/packages/ui/Makefile'), 'x');
    const lines = (await guard.release(true)).map((line) => /Moved to (\S+): (\S+)\./.exec(line));
    onTestFinished(() => lines.forEach((found) => rmSync(found?.[1] ?? '', { recursive: true })));
    expect(lines.map((found) => found?.[2])).toEqual(['ui/Makefile', 'server/AGENTS.md']);
    expect(lines.map((found) => existsSync(join(found![1]!, found![2]!)))).toEqual([true, true]);
  });
});

describe('checkpoints of several folders', () => {
  const kept = (folders: WorkspaceFolders) =>
    makeCheckpoints(folders, new ContentStore(tempFolder(), () => 10_000_000));

  it('find what a command changed in each, once, and keep its earlier version', async () => {
    const { top, folders } = scene();
    const checkpoints = kept(folders);
    const approval = { kind: 'command', command: 'x', cwd: folders.first.root } as const;
    const changes = await checkpoints.before({ approval }, signal);
    writeFileSync(join(top, 'server/src/a.ts'), 'const mast = 22;\n');
    writeFileSync(join(top, 'client/packages/ui/b.ts'), 'new\n');
    rmSync(join(top, 'client/src/a.ts'));
    const { files, isAll } = (await changes?.(signal)) ?? { files: [], isAll: false };
    expect(files.map(({ path }) => path)).toEqual([
      'client/src/a.ts',
      'server/src/a.ts',
      'ui/b.ts',
    ]);
    expect(isAll).toBe(true);
    expect(await checkpoints.text(files[1]!.before)).toBe('const mast = 2;\n');
    expect(await checkpoints.text(await checkpoints.keep('ui/b.ts'))).toBe('new\n');
  });

  it('find a change once in a folder that is open twice, once through a link', async () => {
    const { top } = scene();
    symlinkSync(join(top, 'client'), join(top, 'linked'));
    symlinkSync(join(top, 'server/src'), join(top, 'sources'));
    const names = ['client', 'linked', 'server', 'sources'];
    const folders = foldersAt(names.map((name) => join(top, name)) as [string, ...string[]]);
    const approval = { kind: 'command', command: 'x', cwd: folders.first.root } as const;
    const changes = await kept(folders).before({ approval }, signal);
    writeFileSync(join(top, 'server/src/a.ts'), 'const mast = 22;\n');
    writeFileSync(join(top, 'client/src/a.ts'), 'const mast = 11;\n');
    const { files } = (await changes?.(signal)) ?? { files: [] };
    expect(files.map(({ path }) => path)).toEqual(['client/src/a.ts', 'sources/a.ts']);
  });

  it('tell files changed since a moment by the names of their folders', async () => {
    const { top, folders, workspace } = scene();
    const old = new Date(Date.now() - 86_400_000);
    for (const path of Object.keys(FILES)) utimesSync(join(top, path), old, old);
    writeFileSync(join(top, 'server/src/a.ts'), 'changed\n');
    const look = makeChangesSince({ folders, listFiles: workspace.listFiles.bind(workspace) });
    const found = await look({ since: Date.now() - 3_600_000, known: [] }, signal);
    expect(found).toMatchObject({ ok: true, files: [{ path: 'server/src/a.ts', how: 'written' }] });
  });
});

describe('instructions of several folders', () => {
  const MEMORY = {
    'client/AGENTS.md': 'Client rules.\n',
    'server/AGENTS.md': 'Server rules.\n',
    'server/CLAUDE.md': 'See @docs/style.md and @../outside/secret.txt\n',
    'server/docs/style.md': 'Server style.\n',
    'server/src/AGENTS.md': 'Server sources.\n',
    'server/.claude/rules/ts.md': '---\npaths: src/*.ts\n---\nTypeScript of the server.\n',
    'server/.claude/skills/deploy/SKILL.md':
      '---\nname: deploy\ndescription: Deploys.\n---\nDo it.\n',
    'client/.plimsoll/memory.md': '- Remembered.\n',
  };
  const told = (found: readonly { readonly path: string }[]) =>
    found.map((file) => ('problem' in file ? `${String(file.problem)}` : file.path));

  it('apply to all from the first folder, and to its own files from another', async () => {
    const memory = makeProjectMemory(scene(MEMORY).workspace);
    expect(told(await memory.root())).toEqual([
      'client/AGENTS.md',
      'server/.claude/skills/deploy/SKILL.md',
      'client/.plimsoll/memory.md',
    ]);
    expect(told(await memory.of('server/src/a.ts'))).toEqual([
      'server/AGENTS.md',
      'server/CLAUDE.md',
      'server/docs/style.md',
      'server/CLAUDE.md imports ../outside/secret.txt, which is outside the workspace.',
      'server/src/AGENTS.md',
      'server/.claude/rules/ts.md',
    ]);
    expect(told(await memory.of('client/src/a.ts'))).toEqual([]);
    expect(told(await memory.everywhere()).toSorted()).toEqual(
      expect.arrayContaining(Object.keys(MEMORY)),
    );
  });

  it('get remembered lines in the first folder', async () => {
    const { top, workspace } = scene(MEMORY);
    const remember = rememberTool(false, true);
    expect(remember.definition.description).toContain(
      'to .plimsoll/memory.md in the first folder, which every later session reads',
    );
    expect(rememberTool(false).definition.description).toContain('to .plimsoll/memory.md, which');
    expect(await call(remember, { text: 'Use tabs.' }, workspace)).toMatchObject({
      text: 'Remembered in client/.plimsoll/memory.md.',
      remembered: { path: 'client/.plimsoll/memory.md' },
    });
    expect(text(top, 'client/.plimsoll/memory.md')).toBe('- Remembered.\n- Use tabs.\n');
    const edit = { path: 'client/.plimsoll/memory.md', edits: [{ old_text: 'U', new_text: 'u' }] };
    expect(await errorOf(editFile, edit, workspace)).toContain('add a line to it with remember');
  });

  it('have commands and sub-agents of every folder', async () => {
    const { workspace } = scene({
      'client/.claude/commands/review.md': 'Review.',
      'server/.claude/commands/review.md': 'Review the server.',
      'server/.claude/commands/deploy.md': 'Deploy as in @docs/steps.md: @$ARGUMENTS',
      'server/docs/steps.md': 'Steps.',
      'server/.claude/agents/tester.md': '---\nname: tester\ndescription: Tests.\n---\nTest.',
    });
    const commands = await customCommandsIn(workspace, new Set());
    expect(commands.map(({ name, path }) => `${name} ${path}`)).toEqual([
      'review client/.claude/commands/review.md',
      'deploy server/.claude/commands/deploy.md',
      'server:review server/.claude/commands/review.md',
    ]);
    const called = await calledCommand(workspace, new Set(), '/deploy server/src/a.ts');
    expect(called.ok && called.attached?.map(({ name }) => name)).toEqual([
      'server/.claude/commands/deploy.md',
      'server/docs/steps.md',
      'server/src/a.ts',
    ]);
    const { agents } = await findAgents(workspace, []);
    expect(agents.map(({ name }) => name)).toEqual(['tester']);
  });

  it('are not the profile where the home folder is another one, for a true reason', async () => {
    const { top, folders } = scene({ 'server/.plimsoll/memory.md': '- Mine.\n' });
    const profile = makeProfile({
      place: '~/.plimsoll/memory.md',
      home: join(top, 'server'),
      folders,
    });
    const message =
      '~/.plimsoll/memory.md is also the memory of a folder of this workspace, for the files there alone. ' +
      'Ask the user to choose another place for it with plimsoll.memory.profile.';
    expect(await profile?.read()).toMatchObject({ ok: false, message });
    expect(await profile?.write('x', '- Mine.\n')).toMatchObject({ ok: false, message });
  });

  it('are not a profile in another folder', async () => {
    const { top, folders } = scene();
    const place = join(top, 'server/profile.md');
    writeFileSync(place, 'x');
    const profile = makeProfile({ place, home: '/home/me', folders });
    expect(await profile?.read()).toMatchObject({
      ok: false,
      message: expect.stringContaining('is in the workspace'),
    });
  });
});
