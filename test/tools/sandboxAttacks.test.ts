import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runs } from '../support/runs';
import { guardFiles } from '../../src/tools/processes/guardedFiles';

/** Runs a command as Plimsoll does, in a process of its own: this one may not become another user. */
const RUNNER = `
import { existsSync } from 'node:fs';
import { runProcess } from './startedProcess';
import { sandboxFor } from './sandbox';
const [root = '', home = '', command = ''] = process.argv.slice(2);
const { output } = await runProcess(command, {
  cwd: root,
  timeoutMs: 30_000,
  signal: new AbortController().signal,
  onOutput: () => undefined,
  sandbox: sandboxFor('linux', { roots: [root], home, path: '/usr/bin:/bin', network: false }, existsSync),
});
process.stdout.write(output);
`;

const isRoot = process.getuid?.() === 0;
const USERS = isRoot && existsSync('/usr/bin/setpriv') ? ['root', 'nobody'] : ['the user'];
/** The number of `keyctl`, which no usual program calls. */
const KEYRING_CALL = new Map([
  ['x64', 250],
  ['arm64', 219],
]).get(process.arch);
const BANNER =
  "import { createRequire as make } from 'node:module'; const require = make(import.meta.url);";

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-attacks-')));
afterAll(() => rmSync(folder, { recursive: true }));
const [runner, secrets, home, root] = ['runner.mjs', 'secrets', 'home', 'home/work'].map((name) =>
  join(folder, name),
) as [string, string, string, string];

beforeAll(() => {
  const [bundle] = buildSync({
    stdin: { contents: RUNNER, resolveDir: join(__dirname, '../../src/tools/processes') },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    banner: { js: BANNER },
  }).outputFiles;
  for (const path of [secrets, root]) mkdirSync(path, { recursive: true });
  writeFileSync(runner, bundle?.text ?? '');
  writeFileSync(join(secrets, 'key'), 'a-secret');
});

/** The words that run others as a user, to whom the folder then belongs. */
function as(user: string): readonly string[] {
  const id = user === 'nobody' ? '65534' : `${process.getuid?.()}`;
  if (isRoot) execFileSync('chown', ['-R', `${id}:${id}`, folder]);
  chmodSync(folder, 0o755);
  return user === 'nobody' ? ['setpriv', '--reuid', id, '--regid', id, '--clear-groups'] : ['env'];
}

function run(user: string, command: string, before = ''): string {
  const [program = '', ...words] = as(user);
  const bash = ['/bin/bash', '-c', `${before} exec "$@"`, 'bash'];
  const node = [process.execPath, runner, root, home, command];
  const ran = spawnSync(program, [...words, ...bash, ...node], {
    env: { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: folder },
    encoding: 'utf8',
  });
  return ran.stdout + ran.stderr;
}

/** Exchanges a folder and a link in turn, as a command in the background may do. */
const EXCHANGE = `
import { renameSync } from 'node:fs';
for (;;) {
  renameSync('made', 'kept'); renameSync('link', 'made');
  renameSync('made', 'link'); renameSync('kept', 'made');
}`;

it('takes nothing from elsewhere while a command exchanges a folder for a link', async () => {
  const work = join(folder, 'exchanged');
  const outside = join(folder, 'outside');
  for (const path of [join(work, 'made'), outside]) mkdirSync(path, { recursive: true });
  symlinkSync(outside, join(work, 'link'));
  const rounds = runs(10, 100);
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (let round = 0; round < rounds; round += 1) {
    const guard = await guardFiles([work], { hasPlaceholders: false });
    writeFileSync(join(work, 'made/.npmrc'), 'made');
    writeFileSync(join(outside, '.npmrc'), 'kept');
    const exchange = spawn(process.execPath, ['--input-type=module', '-e', EXCHANGE], {
      cwd: work,
    });
    const ended = new Promise((resolve) => exchange.once('exit', resolve));
    await delay(100);
    const lines = await guard.release(true);
    exchange.kill('SIGKILL');
    await ended;
    for (const [, path = ''] of lines.join('').matchAll(/Moved to (\S+):/g))
      rmSync(path, { recursive: true });
    expect(readFileSync(join(outside, '.npmrc'), 'utf8'), `round ${round}`).toBe('kept');
    // The process may have ended between two steps.
    rmSync(work, { recursive: true });
    mkdirSync(join(work, 'made'), { recursive: true });
    symlinkSync(outside, join(work, 'link'));
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('plimsoll-'))).toEqual([]);
}, 60_000);

describe.skipIf(!existsSync('/usr/bin/bwrap')).each(USERS)(
  'a command of %s in the sandbox',
  (user) => {
    it('gets no file or folder that was open when Plimsoll was started', () => {
      const open = `exec 200<'${secrets}' 30<'${secrets}/key';`;
      const command = 'cat <&30; cat /proc/self/fd/*/key; ls -l /proc/self/fd; echo done';
      const output = run(user, command, open);
      expect(output).toContain('done');
      expect(output).not.toMatch(/secret/);
    });

    it('reaches no process outside', () => {
      const [program = '', ...words] = as(user);
      const victim = spawn(program, [...words, '/bin/sleep', '1000'], {
        env: { PATH: '/usr/bin:/bin', A_MARK: 'a-secret' },
      });
      onTestFinished(() => void victim.kill('SIGKILL'));
      const output = run(
        user,
        [
          `kill -9 ${victim.pid} && echo did kill`,
          `cat /proc/${victim.pid}/environ /proc/${victim.pid}/maps`,
          `grep -alz a-secret /proc/[0-9]*/environ && echo did read`,
          `cat /proc/*/root${secrets}/key /proc/*/cwd${secrets}/key /proc/*/fd/*/key`,
          'for one in /proc/[0-9]*; do [ "$(tr "\\0" " " < $one/cmdline)" = "/bin/sleep 1000 " ] && echo did list; done',
          'kill -9 -1',
        ].join('\n'),
      );
      expect(output).not.toMatch(/a-secret|^did/m);
      expect(victim.exitCode ?? victim.signalCode).toBeNull();
    });

    it.skipIf(!existsSync('/usr/bin/perl') || KEYRING_CALL === undefined)(
      "reaches none of its user's keyrings",
      () => {
        // `keyctl(KEYCTL_GET_KEYRING_ID)` of the session's keyring and of the user's.
        const call = (ring: number) =>
          `perl -e '$! = 0; print syscall(${KEYRING_CALL}, 0, ${ring}, 0) . " " . ($! + 0) . "\n"'`;
        const output = run(user, `${call(-3)}; ${call(-5)}; cat /proc/keys; echo done`);
        expect(output.replace(/^cat: .*\n/m, '')).toBe('-1 38\n-1 38\ndone\n');
      },
    );

    it('shares no memory with processes outside', () => {
      const words = as(user);
      const [program = '', ...rest] = [...words, 'ipcmk', '-M', '64', '-p', '0666'];
      const id = /\d+/.exec(execFileSync(program, rest, { encoding: 'utf8' }))?.[0] ?? '';
      onTestFinished(() => void execFileSync('ipcrm', ['-m', id]));
      const name = `plimsoll-test-${process.pid}`;
      const output = run(user, `ipcs -m; echo x > /dev/shm/${name}; ls /dev/shm`);
      expect(output).toContain(name);
      expect(output).not.toMatch(/^0x\w+\s+\d/m);
      expect(existsSync(join('/dev/shm', name))).toBe(false);
    });
  },
);
