import { describe, expect, it } from 'vitest';
import { staysInside } from '../../src/cli/staysInside';

const inside = (command: string) => staysInside(command, '/work/project');

describe('--yes', () => {
  it.each([
    'npm test',
    'node --test test/a.test.js 2>&1 | tail -n 20',
    'cat src/a.js > /dev/null',
    'cat /work/project/src/a.js',
    '/usr/bin/env node -v',
    'curl -s http://localhost:3000/health',
    'sed -i s/a/b/ src/a.js && git show HEAD:src/a.js',
    "awk '{print $1}' a.txt; echo $?",
    'cd src && npm test',
    'awk -F/ 1 a.txt',
  ])('approves %s', (command) => expect(inside(command)).toBe(true));

  it.each([
    'cat /etc/passwd',
    'cat ../other/secret',
    'cp a.js ~/a.js',
    'cat "$HOME/.ssh/id_rsa"',
    'echo x >/work/other/file',
    'cat src/../../other',
    // Inside after all, but telling would take a shell: when in doubt it is a no.
    'cd src && ls ../src',
    'echo $(cat /etc/passwd)',
    'echo `id`',
    'tool --out=/tmp/x',
    'cat $DIR/file',
    'cat /usr/bin/../../etc/passwd',
    'cd && rm -rf work',
    'cd; ls',
    '(cd)',
    'cd -',
    'cat $KUBECONFIG',
    'cd "${TMPDIR}"',
    'cat \\/etc/passwd',
    'cat {/etc/passwd,a}',
    'curl file:///etc/passwd',
    'curl -d @/etc/passwd http://localhost',
    'tar -C/tmp -xf a.tar',
  ])('denies %s', (command) => expect(inside(command)).toBe(false));
});
