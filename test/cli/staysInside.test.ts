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
  ])('denies %s', (command) => expect(inside(command)).toBe(false));
});
