import { oneFolder } from '../../../src/agent/workspaceFolders';
import type { FoundChanges } from '../../../src/agent/checkpointPort';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { NO_FILE, UNKNOWN_CONTENT } from '../../../src/contextWindow/fileChanges';
import { makeCheckpoints } from '../../../src/tools/checkpoints/checkpoints';
import { ContentStore } from '../../../src/tools/checkpoints/contentStore';
import { findGit } from '../../../src/tools/processes/git';
import { tempFolder } from '../support/tempFolder';

const HAS_GIT = findGit(oneFolder('/nowhere')) !== undefined;
const COMMAND = { approval: { kind: 'command', command: 'any', cwd: '/' } } as const;
const signal = new AbortController().signal;

function place() {
  const root = tempFolder();
  const kept = makeCheckpoints(oneFolder(root), new ContentStore(tempFolder(), () => 10_000_000));
  const write = (path: string, text: string | Buffer): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  /** The changes that are found for a command with this effect, as text. */
  const around = async (act: () => void): Promise<readonly string[]> => {
    const found = (await kept.before(COMMAND, signal))!;
    act();
    return words(await found(signal));
  };
  const words = async ({ files, isAll }: FoundChanges): Promise<readonly string[]> => {
    expect(isAll).toBe(true);
    const of = async (name: string): Promise<string> =>
      [NO_FILE, UNKNOWN_CONTENT].includes(name) ? name : JSON.stringify(await kept.text(name));
    const each = files.map(
      async ({ path, before, after }) => `${path}: ${await of(before)} > ${await of(after)}`,
    );
    return Promise.all(each);
  };
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: root,
      stdio: 'pipe',
    });
  return { root, kept, write, around, words, git };
}

describe('the files that a call names', () => {
  it('are saved before the call, and its changes are found', async () => {
    const { root, kept, write, words } = place();
    write('a.txt', 'one\n');
    const edit = { kind: 'edit', path: 'a.txt', before: 'one\n', after: 'two\n' } as const;
    const found = (await kept.before({ approval: edit }, signal))!;
    write('a.txt', 'two\n');
    expect(await words(await found(signal))).toEqual(['a.txt: "one\\n" > "two\\n"']);

    const move = { kind: 'move', path: 'a.txt', to: 'b.txt' } as const;
    const moved = (await kept.before({ approval: move }, signal))!;
    rmSync(join(root, 'a.txt'));
    write('b.txt', 'two\n');
    expect(await words(await moved(signal))).toEqual([
      'a.txt: "two\\n" > none',
      'b.txt: none > "two\\n"',
    ]);
  });

  it("are saved with the user's unsaved changes", async () => {
    const { kept, write, words } = place();
    write('a.txt', 'on disk\n');
    const edit = { kind: 'edit', path: 'a.txt', before: 'typed\n', after: 'edited\n' } as const;
    const found = (await kept.before({ approval: { ...edit, unsaved: true } }, signal))!;
    write('a.txt', 'edited\n');
    expect(await words(await found(signal))).toEqual(['a.txt: "typed\\n" > "edited\\n"']);
  });

  it('are none for a call that changes no file, and for the profile of the user', async () => {
    const { kept } = place();
    expect(await kept.before({}, signal)).toBeUndefined();
    const profile = {
      kind: 'edit',
      path: '~/m.md',
      profile: '/m.md',
      before: '',
      after: 'x',
    } as const;
    expect(await kept.before({ approval: profile }, signal)).toBeUndefined();
  });

  it('do not count as changed if the call did not change them', async () => {
    const { kept, write } = place();
    write('a.txt', 'one\n');
    const edit = { kind: 'edit', path: 'a.txt', before: 'one\n', after: 'two\n' } as const;
    const found = (await kept.before({ approval: edit }, signal))!;
    expect(await found(signal)).toEqual({ files: [], isAll: true });
  });
});

describe('the files around a command', () => {
  it('are compared without git: created, changed and deleted ones, without ignored ones', async () => {
    const { root, write, around } = place();
    write('.gitignore', 'out/\n');
    write('a.txt', 'a');
    write('src/b.txt', 'b');
    write('out/c.txt', 'c');
    const did = await around(() => {
      write('src/b.txt', 'other');
      write('d.txt', 'd');
      write('out/c.txt', 'other');
      rmSync(join(root, 'a.txt'));
    });
    expect(did).toEqual(['a.txt: "a" > none', 'd.txt: none > "d"', 'src/b.txt: "b" > "other"']);
    expect(await around(() => undefined)).toEqual([]);
  });

  it('are found changed even if size and time are the same', async () => {
    const { root, write, around } = place();
    write('a.txt', 'one');
    const { atime, mtime } = statSync(join(root, 'a.txt'));
    const did = await around(() => {
      write('a.txt', 'two');
      utimesSync(join(root, 'a.txt'), atime, mtime);
    });
    expect(did).toEqual(['a.txt: "one" > "two"']);
  });

  it.skipIf(!HAS_GIT)(
    'have their content from git, whether committed, staged or neither, and git is left unchanged',
    async () => {
      const { root, kept, write, around, git } = place();
      git('init', '-q');
      for (const name of ['clean', 'staged', 'dirty']) write(`${name}.txt`, `${name} 1\n`);
      git('add', '.');
      git('commit', '-qm', 'one');
      write('staged.txt', 'staged 2\n');
      git('add', '.');
      write('dirty.txt', 'dirty 2, longer\n');
      write('new.txt', 'new\n');
      const index = readFileSync(join(root, '.git/index'));
      const objects = () => execFileSync('git', ['count-objects'], { cwd: root }).toString();
      const before = objects();
      const did = await around(() => {
        for (const name of ['clean', 'staged', 'dirty', 'new']) write(`${name}.txt`, 'x');
      });
      expect(did).toEqual([
        'clean.txt: "clean 1\\n" > "x"',
        'dirty.txt: "dirty 2, longer\\n" > "x"',
        'new.txt: "new\\n" > "x"',
        'staged.txt: "staged 2\\n" > "x"',
      ]);
      expect(readFileSync(join(root, '.git/index')).equals(index)).toBe(true);
      expect(objects()).toBe(before);
      expect(await kept.now('clean.txt')).toMatch(/^[0-9a-f]{64}$/);
    },
  );

  it.skipIf(!HAS_GIT)('keep the Windows line ends that they had in the folder', async () => {
    const { root, write, around, git } = place();
    git('init', '-q');
    git('config', 'core.autocrlf', 'true');
    write('a.txt', 'one\r\ntwo\r\n');
    git('add', '.');
    git('commit', '-qm', 'one');
    rmSync(join(root, 'a.txt'));
    git('checkout', '-q', '--', 'a.txt');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
    expect(await around(() => write('a.txt', 'x'))).toEqual(['a.txt: "one\\r\\ntwo\\r\\n" > "x"']);
  });

  it('have unknown former content if they are too large to save', async () => {
    const { write, around } = place();
    write('big.bin', Buffer.alloc(6_000_000));
    expect(await around(() => write('big.bin', 'small'))).toEqual(['big.bin: unknown > "small"']);
  });
});

describe('the lines between two contents', () => {
  it('are counted, except if one side is not text or was not saved', async () => {
    const { kept, write } = place();
    const one = await kept.keepText('a\nb\nc\n', 'none');
    const other = await kept.keepText('a\nc\nd\ne\n', 'none');
    expect(await kept.count(one, other)).toEqual({ added: 2, removed: 1 });
    expect(await kept.count(NO_FILE, other)).toEqual({ added: 4, removed: 0 });
    expect(await kept.count(UNKNOWN_CONTENT, other)).toBeUndefined();
    write('bin', Buffer.from([0, 1, 2]));
    expect(await kept.count(await kept.keep('bin'), other)).toBeUndefined();
  });
});
