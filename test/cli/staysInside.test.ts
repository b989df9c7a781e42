import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstPlace, oneFolder } from '../../src/agent/workspaceFolders';
import { loadShellGrammar, readShellCommand } from '../../src/agent/approvals/shellCommand';
import { whyNotInside } from '../../src/cli/terminal';
import { GRAMMAR } from '../support/grammar';

let whyNot: (command: string, root?: string) => string | undefined;
beforeAll(async () => {
  const parser = await loadShellGrammar(GRAMMAR);
  whyNot = (command, root = '/work/project') =>
    whyNotInside(readShellCommand(parser, command), firstPlace(oneFolder(root)));
});

describe('--yes', () => {
  it.each([
    'npm test',
    'npm run build && npm test',
    'node --test test/a.test.js 2>&1 | tail -n 20',
    'cat src/a.js > /dev/null',
    'cat /work/project/src/a.js',
    '/usr/bin/env node -v',
    'env NODE_ENV=test npm test',
    'NODE_ENV=test CI= npm test',
    'curl -s http://localhost:3000/health',
    'curl -s "https://example.org/a/../b?x=/etc"',
    'sed -i s/a/b/ src/a.js && git show HEAD:src/a.js',
    "awk '{print $1}' a.txt",
    'cd src && npm test',
    '(cd src; ls)',
    'awk -F/ 1 a.txt',
    'cut -d/ -f1 a.txt',
    'git commit -m "Fix: the first/second case"',
    'git diff HEAD~1 -- src/a.js',
    'mkdir -p out/a && cp src/a.js out/a/',
    'ls src/*.js ./*',
    'tsc --outDir=dist --noEmit false',
    'tsc --outDir ./dist',
    'gcc -I./include -std=c17 -o app main.c',
    'make -j4 -C sub',
    'find . -name "*.js"',
    'grep -rn "a \\| b" src',
    'bash scripts/build.sh',
    'python3 -m pytest tests',
    'docker ps -a',
    'timeout 10 npm test',
    'sh -c ls',
    'sh -c "npm test && cat src/a.js"',
    "sed -n '1,20p' src/a.js",
    "sed 's/a$/b/g; 3d' a.txt",
    'find . -name "*.tmp" -exec rm {} +',
    "grep 'x$' a.txt",
    'cat AGENTS.md',
    'node scripts/check.js',
  ])('approves %s', (command) => expect(whyNot(command)).toBeUndefined());

  it.each([
    // Paths, plain and in hidden forms.
    'cat /etc/passwd',
    'cat ../other/secret',
    'cp a.js ~/a.js',
    "cat '~/a.js'",
    'echo x > /work/other/file',
    'echo x >/work/other/file',
    'cat < /etc/passwd',
    'cat src/../../other',
    'cat /usr/bin/../../etc/passwd',
    "cat '..'/x",
    'cat .""./x',
    "cat ..'/'x",
    'cat "/et"c/passwd',
    'cat \\/etc/passwd',
    'cat .\\./x',
    "cat $'/etc/passwd'",
    "cat $'\\x2e\\x2e/x'",
    'cat $"/etc/passwd"',
    'cat {/etc/passwd,a}',
    'cat {..,.}/x',
    'cat "a\n../x"',
    // Options with the path attached.
    'tool --out=/tmp/x',
    'git --git-dir=../x/.git log',
    'git -C.. status',
    'git -C ../x status',
    'tar -C/tmp -xf a.tar',
    'tar -xzf../a.tgz',
    'make -C/ all',
    'gcc -I../include a.c',
    'gcc -o/tmp/x a.c',
    'curl -o ../x http://localhost',
    'curl -d @/etc/passwd http://localhost',
    'curl file:///etc/passwd',
    'rsync a host:/etc',
    'env -C .. ls',
    // Commands that change the folder first.
    'cd && rm -rf work',
    'cd; ls',
    '(cd)',
    'cd -',
    'cd -P',
    'cd -- -',
    'cd ""',
    'cd ..',
    'c""d ..',
    'cd a b',
    'pushd src',
    'popd',
    // Inside after all, but only a shell could tell: in doubt, deny.
    'cd src && ls ../src',
    'cd src || cat ../x',
    // Words that are only known when the command runs.
    'cat "$HOME/.ssh/id_rsa"',
    'cat $DIR/file',
    'cat ${DIR}/file',
    'cd "${TMPDIR}"',
    'echo $(cat /etc/passwd)',
    'echo `id`',
    'cat <(id)',
    'echo $?',
    'for f in a b; do cat $f; done',
    'if true; then ls; fi',
    'f() { ls; }; f',
    'cat <<EOF\nx\nEOF',
    'x=.. ; cat x',
    'export CDPATH=src',
    // Variables that decide where files are found.
    'CDPATH=src cd a',
    'PATH=bin npm test',
    'GIT_DIR=x git log',
    'LD_PRELOAD=./x.so ls',
    'NODE_OPTIONS=--require=./x.js npm test',
    'OUT=../x npm test',
    // Programs that run a text, or run as another user.
    'bash -c "cd .. && ls"',
    'sh',
    'curl -s http://localhost/x.sh | sh',
    'eval "cd .. && ls"',
    'source x',
    '. ./x',
    'alias ls=rm',
    'sudo ls',
    'ssh host ls',
    // Programs by their path.
    'rm -rf /opt/app',
    'rm /usr/local/bin/node',
    'npm test && cat /usr/bin/env',
    '../tool',
    '/tmp/tool',
    '/usr/bin/../../tmp/tool',
    // Commands that cannot be parsed with certainty.
    'cat "x',
    "cat 'x",
    'ls &&',
    'ls \\\n-l',
    'ls\r',
    'rm *',
  ])('denies %s', (command) => expect(whyNot(command)).toMatch(/^[A-Z].*\.$/s));

  it('gives the reason', () => {
    expect(whyNot('cat ../x')).toBe('It names ../x, which is outside the workspace.');
    expect(whyNot('cat $X')).toBe('Its words cannot be judged: it contains a variable.');
    expect(whyNot('PATH=bin ls')).toBe('It sets PATH, which decides where files are found.');
    expect(whyNot("sh -c 'ls $X'")).toBe(
      'It gives sh a text that cannot be judged: it contains a variable.',
    );
    expect(whyNot('sudo ls')).toBe('It runs a program through sudo, with other rights.');
    expect(whyNot('python3 -c "import os"')).toBe('It gives python3 code that cannot be judged.');
  });

  describe('with links in the folder', () => {
    let folder: string;
    const inLinked = (command: string) => whyNot(command, join(folder, 'project'));
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'plimsoll-links-'));
      mkdirSync(join(folder, 'project', 'src'), { recursive: true });
      mkdirSync(join(folder, 'outside'));
      writeFileSync(join(folder, 'outside', 'secret.txt'), 'secret');
      symlinkSync(join(folder, 'outside'), join(folder, 'project', 'link'));
      symlinkSync(join(folder, 'outside'), join(folder, 'project', 'src', 'deep'));
      symlinkSync(join(folder, 'project', 'src'), join(folder, 'project', 'here'));
      symlinkSync(join(folder, 'nowhere'), join(folder, 'project', 'loose'));
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(['ls src', 'cat here/a.js', 'cd here && npm test'])('approves %s', (command) =>
      expect(inLinked(command)).toBeUndefined(),
    );

    it.each([
      'cat link/secret.txt',
      'cd link && rm x',
      'echo x > link/new.txt',
      'ls link',
      'echo x > loose',
      'cd src && cat deep/secret.txt',
    ])('denies %s', (command) => expect(inLinked(command)).toContain('outside'));
  });
});
