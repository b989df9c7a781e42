import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { changeMode } from '../../src/tools/processes/closedFiles';
import { tempFolder } from './support/tempFolder';

/** Guards a folder, runs a command in it, and prints what was moved aside. */
const RUNNER = `
import { execFileSync } from 'node:child_process';
import { guardFiles } from './guardedFiles';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const [root = '', command = '', stuck = ''] = process.argv.slice(2);
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (stuck !== '' && String(from).endsWith(stuck)) throw new Error('It is stuck.');
  renameSync(from, to);
};
syncBuiltinESMExports();
const guard = await guardFiles([root], { hasPlaceholders: true });
execFileSync('/bin/sh', ['-c', command], { cwd: root });
console.log((await guard.release(true)).join());
`;

const isRoot = process.getuid?.() === 0;
const hooksAs = (make: string): string =>
  `echo x > CLAUDE.md; git init -q r; rm -rf r/.git/hooks; ${make} r/.git/hooks`;
const USER = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];

// Root may enter every folder, so that root runs this as another user.
describe.skipIf(process.platform === 'win32' || (isRoot && !existsSync('/usr/bin/setpriv')))(
  'a command of an ordinary user in the sandbox',
  () => {
    it.each([
      ['CLAUDE.md', 'echo x > CLAUDE.md; chmod 311 .'],
      ['CLAUDE.md', 'echo x > CLAUDE.md; chmod 000 .'],
      ['CLAUDE.md', 'echo x > CLAUDE.md; chmod 555 .'],
      ['CLAUDE.md', 'echo x > CLAUDE.md; chmod 000 .git'],
      ['src/CLAUDE.md', 'mkdir src; echo x > src/CLAUDE.md; chmod 311 src'],
      ['.agents', 'mkdir -p .agents/a; echo x > .agents/a/b; chmod 000 .agents/a .agents'],
      ['x/.git', 'git init -q x; echo x > x/.git/hooks/pre-push; chmod 000 x/.git/hooks'],
      ['y/.git', 'git init -q y; git -C y config core.pager x; chmod 000 y/.git/config'],
      ['CLAUDE.md, r/.git', hooksAs('touch')],
      ['CLAUDE.md, r/.git', hooksAs('mkfifo')],
      ['CLAUDE.md, r/.git', hooksAs('ln -s missing')],
      [
        'CLAUDE.md, b/config',
        'echo x > CLAUDE.md; git init -q --bare b; rm -rf b/hooks; touch b/hooks',
      ],
      ['closed/CLAUDE.md', 'chmod 700 closed; echo x > closed/CLAUDE.md; chmod 000 closed'],
    ])('cannot hide %s: %s', (paths, command) => {
      const { output, root } = run(command);
      expect(output).toMatch(new RegExp(`Moved to [^:]*: ${paths.replaceAll('.', '\\.')}\\.`));
      for (const path of paths.split(', ')) expect(existsSync(join(root, path))).toBe(false);
      expect(existsSync(join(root, '.husky'))).toBe(false);
    });

    it('leaves the folders that the user closed before as they are', () => {
      const { output, root } = run('true');
      expect(output).toBe('\n');
      expect(statSync(join(root, 'closed')).mode & 0o777).toBe(0);
      expect(statSync(join(root, 'unlisted')).mode & 0o777).toBe(0o311);
    });

    it('moves away the rest where one file cannot be moved', () => {
      const { output, root } = run('echo x > AGENTS.md; echo x > CLAUDE.md', 'AGENTS.md');
      expect(output).toMatch(
        /Moved to [^:]*: CLAUDE\.md\..*could not be moved away: AGENTS\.md\./s,
      );
      expect(existsSync(join(root, 'CLAUDE.md'))).toBe(false);
    });

    /** Runs a command of an ordinary user in a guarded project, where one file may not be moved. */
    function run(command: string, stuck = ''): { readonly output: string; readonly root: string } {
      const folder = tempFolder();
      const [root, aside] = [join(folder, 'project'), join(folder, 'tmp')];
      const runner = join(folder, 'runner.mjs');
      for (const made of [root, aside]) mkdirSync(made);
      execFileSync('git', ['init', '-q', root]);
      for (const [closed, mode] of [
        ['closed', 0],
        ['unlisted', 0o311],
      ] as const)
        mkdirSync(join(root, closed), { mode });
      const [bundle] = buildSync({
        stdin: { contents: RUNNER, resolveDir: join(__dirname, '../../src/tools/processes') },
        bundle: true,
        platform: 'node',
        format: 'esm',
        write: false,
      }).outputFiles;
      writeFileSync(runner, bundle?.text ?? '');
      chmodSync(folder, 0o755);
      const words = [process.execPath, runner, root, command, stuck];
      if (isRoot) execFileSync('chown', ['-R', '65534:65534', root, aside]);
      const [program = '', ...rest] = isRoot ? ['setpriv', ...USER, ...words] : words;
      const env = { ...process.env, HOME: folder, TMPDIR: aside };
      const output = execFileSync(program, rest, { env, encoding: 'utf8' });
      return { output, root };
    }
  },
);

describe.skipIf(process.platform !== 'linux')('the rights of a folder', () => {
  it('are changed in the folder itself, not where a link in its place leads', () => {
    const folder = realpathSync(tempFolder({ 'outside/in/a': '', 'work/own/in/a': '' }));
    const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
    symlinkSync('../outside', join(folder, 'work/link'));
    for (const path of ['outside', 'outside/in', 'work/own']) chmodSync(join(folder, path), 0o750);
    const widened = (path: string) => changeMode(join(folder, path), (mode) => mode | 0o007);
    expect(widened('work/link')).toBe(false);
    expect(widened('work/link/in')).toBe(false);
    expect(widened('work/own/in/a')).toBe(false);
    expect(widened('work/missing')).toBe(false);
    expect([modeOf('outside'), modeOf('outside/in')]).toEqual([0o750, 0o750]);
    expect(widened('work/own')).toBe(true);
    expect(modeOf('work/own')).toBe(0o757);
  });
});
