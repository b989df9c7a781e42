import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runProcess } from '../../src/tools/processes/startedProcess';
import {
  findSandbox,
  sandboxFor,
  sandboxPlace,
  type Sandbox,
} from '../../src/tools/processes/sandbox';

const PLACE = { root: '/home/me/work', home: '/home/me', path: '/usr/bin:/home/me/.n/bin' };

/** Pretends that these files exist. */
const having =
  (...files: readonly string[]) =>
  (path: string) =>
    files.includes(path);

describe('the sandbox of a system', () => {
  it('is bubblewrap on Linux: an empty home, then the programs in it, then the workspace', () => {
    const exists = having(
      '/usr/bin/bwrap',
      '/run',
      '/home/me/.n/bin',
      '/home/me/.n/lib',
      '/home/me/work/.git/hooks',
    );
    const found = sandboxFor('linux', { ...PLACE, network: false }, exists);
    expect(found).toMatchObject({ name: 'bubblewrap', program: '/usr/bin/bwrap' });
    const line = found?.args.join(' ') ?? '';
    expect(line).toBe(
      '--unshare-all --die-with-parent --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run ' +
        '--tmpfs /home/me --ro-bind /home/me/.n/bin /home/me/.n/bin --ro-bind /home/me/.n/lib /home/me/.n/lib ' +
        '--bind /home/me/work /home/me/work --ro-bind /home/me/work/.git/hooks /home/me/work/.git/hooks ' +
        '--chdir /home/me/work --',
    );
    expect(found?.guards).toContain('have no network');
  });

  it('has the network if requested', () => {
    const found = sandboxFor('linux', { ...PLACE, network: true }, having('/usr/bin/bwrap'));
    expect(found?.args).toContain('--share-net');
    expect(found?.guards).toContain('have network access');
  });

  it('is sandbox-exec on macOS', () => {
    const exists = having('/usr/bin/sandbox-exec', '/home/me/work/.vscode');
    const found = sandboxFor('darwin', { ...PLACE, network: false }, exists);
    expect(found).toMatchObject({ name: 'sandbox-exec', program: '/usr/bin/sandbox-exec' });
    expect(found?.args[1]?.split('\n')).toEqual([
      '(version 1)',
      '(allow default)',
      '(deny network*)',
      '(deny file-write*)',
      '(allow file-write* (subpath "/home/me/work") (subpath "/private/tmp") (subpath "/private/var/folders") (subpath "/dev"))',
      '(deny file-read-data (subpath "/home/me"))',
      '(allow file-read-data (subpath "/home/me/work"))',
      '(deny file-write* (subpath "/home/me/work/.vscode"))',
    ]);
  });

  it('is absent without such a program', () => {
    const there = having('/usr/bin/bwrap', '/usr/bin/sandbox-exec');
    expect(sandboxFor('win32', { ...PLACE, network: false }, there)).toBeUndefined();
    expect(sandboxFor('linux', { ...PLACE, network: false }, having())).toBeUndefined();
    expect(sandboxFor('darwin', { ...PLACE, network: false }, having())).toBeUndefined();
  });
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-sandbox-')));
const [root, home] = [join(folder, 'home', 'work'), join(folder, 'home')];
const place = { root, home, path: process.env['PATH'] ?? '' };
let sandbox: Sandbox | undefined;
mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
const found = await findSandbox(sandboxPlace({ ...place, network: false }));

// Also runs on systems without a sandbox, where the tests are skipped.
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!found.ok)('a command in the sandbox', () => {
  beforeAll(() => {
    sandbox = found.ok ? found.sandbox : undefined;
    writeFileSync(join(home, 'secret.txt'), 'secret');
  });

  async function run(command: string, signal = new AbortController().signal) {
    const options = { cwd: root, timeoutMs: 20_000, signal, onOutput: () => undefined, sandbox };
    return runProcess(command, options);
  }

  it('writes in the workspace, and not next to it', async () => {
    expect(await run('echo x > a.txt && cat a.txt')).toMatchObject({ exitCode: 0, output: 'x\n' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('x\n');
    await run(
      'echo x > ../b.txt; echo x > /usr/plimsoll-was-here; echo x > /tmp/plimsoll-was-here',
    );
    for (const file of [join(home, 'b.txt'), '/usr/plimsoll-was-here', '/tmp/plimsoll-was-here'])
      expect(existsSync(file), file).toBe(false);
  });

  it('cannot see the home folder, and has node', async () => {
    const { output } = await run('cat ../secret.txt; ls -A ..; node -p 6*7');
    expect(output).not.toContain('secret\n');
    expect(output).toMatch(/No such file[^]*\nwork\n42\n$/);
  });

  it('can read hooks, but not change them', async () => {
    const { exitCode } = await run('echo x > .git/hooks/pre-commit');
    expect(exitCode).not.toBe(0);
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('has no network, not even on this computer', async () => {
    const server = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const call = `node -e "fetch('http://127.0.0.1:${port}').then(() => process.exit(0), () => process.exit(9))"`;
    expect(await run(call)).toMatchObject({ exitCode: 9 });
  });

  it('is ended with all its child processes', async () => {
    const stop = new AbortController();
    const ended = run('sleep 1000 & echo $! > pid; setsid sleep 1000 & sleep 1000', stop.signal);
    await expect.poll(() => existsSync(join(root, 'pid'))).toBe(true);
    stop.abort();
    expect(await ended).toMatchObject({ ended: 'stopped' });
    // Only the arguments of the sandbox contain the name of its folder.
    const signal = new AbortController().signal;
    const options = { cwd: root, timeoutMs: 20_000, signal, onOutput: () => undefined };
    const { output } = await runProcess(`ps -eo args | grep -c '[b]ind ${root}'`, options);
    expect(output.trim()).toBe('0');
  });
});
