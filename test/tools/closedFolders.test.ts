import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { tempFolder } from './support/tempFolder';

/** Guards a folder, runs a command in it, and prints what was moved aside. */
const RUNNER = `
import { execFileSync } from 'node:child_process';
import { guardFiles } from './guardedFiles';
const [root = '', command = ''] = process.argv.slice(2);
const guard = await guardFiles([root], { hasPlaceholders: true });
execFileSync('/bin/sh', ['-c', command], { cwd: root });
console.log((await guard.release(true)).join());
`;

const isRoot = process.getuid?.() === 0;
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
    ])('cannot hide %s by closing its folder: %s', (path, command) => {
      const folder = tempFolder();
      const [root, aside] = [join(folder, 'project'), join(folder, 'tmp')];
      const runner = join(folder, 'runner.mjs');
      for (const made of [root, aside]) mkdirSync(made);
      execFileSync('git', ['init', '-q', root]);
      const [bundle] = buildSync({
        stdin: { contents: RUNNER, resolveDir: join(__dirname, '../../src/tools/processes') },
        bundle: true,
        platform: 'node',
        format: 'esm',
        write: false,
      }).outputFiles;
      writeFileSync(runner, bundle?.text ?? '');
      chmodSync(folder, 0o755);
      const words = [process.execPath, runner, root, command];
      if (isRoot) execFileSync('chown', ['-R', '65534:65534', root, aside]);
      const [program = '', ...rest] = isRoot ? ['setpriv', ...USER, ...words] : words;
      const env = { ...process.env, HOME: folder, TMPDIR: aside };
      const output = execFileSync(program, rest, { env, encoding: 'utf8' });
      expect(output).toMatch(new RegExp(`Moved to [^:]*: ${path.replaceAll('.', '\\.')}\\.`));
      expect(existsSync(join(root, path))).toBe(false);
      expect(existsSync(join(root, '.husky'))).toBe(false);
    });
  },
);
