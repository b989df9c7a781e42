import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from './support/tempFolder';

/** A window: runs a command in the sandbox, and prints its output. */
const WINDOW = `
import { findSandbox, sandboxPlace } from './sandbox';
import { runProcess } from './startedProcess';
const [root = '', home = '', command = ''] = process.argv.slice(2);
const found = await findSandbox(sandboxPlace({ roots: [root], home, path: '/usr/bin:/bin', network: false }));
if (!found.ok) throw new Error(found.message);
const signal = new AbortController().signal;
const { sandbox } = found;
const ran = await runProcess(command, { cwd: root, timeoutMs: 60_000, signal, onOutput: () => undefined, sandbox });
console.log(ran.output);
`;

/** Kills the window when it has started bubblewrap this many times; the first is its check. */
const killedAt = (start: number) => `
import processes from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
const { spawn } = processes;
let starts = 0;
processes.spawn = (program, ...rest) => {
  const child = spawn(program, ...rest);
  if (/bwrap$/.test(program) && ++starts === ${start}) process.kill(process.pid, 'SIGKILL');
  return child;
};
syncBuiltinESMExports();
`;

const built = mkdtempSync(join(tmpdir(), 'plimsoll-window-'));
const window = join(built, 'window.mjs');
afterAll(() => rmSync(built, { recursive: true }));

beforeAll(async () => {
  await build({
    stdin: { contents: WINDOW, resolveDir: join(__dirname, '../../src/tools/processes') },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: window,
    banner: {
      js: "import { createRequire as make } from 'node:module'; const require = make(import.meta.url);",
    },
  });
});

/** Two windows on one workspace; the first one's command ends when told to, or with its window. */
async function twoWindows() {
  const folder = tempFolder();
  const [home, root] = [join(folder, 'home'), join(folder, 'home/work')];
  mkdirSync(root, { recursive: true });
  const open = (name: string, command: string): { child: ChildProcess; said: () => string } => {
    const waits = `touch ${name}; until [ -e end-${name} ]; do sleep 0.05; done`;
    const child = spawn(process.execPath, [window, root, home, `${waits}; ${command}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: folder },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (text) => (said += String(text)));
    return { child, said: () => said };
  };
  const isThere = (name: string) => () => existsSync(join(root, name));
  const first = open('first', 'true');
  await expect.poll(isThere('first'), { timeout: 20_000 }).toBe(true);
  const second = open('second', 'mkdir .husky; echo x > .husky/pre-commit && echo made');
  await expect.poll(isThere('second'), { timeout: 20_000 }).toBe(true);
  const lists = () => readdirSync(folder).filter((name) => name.startsWith('plimsoll-held-'));
  const end = (name: string) => writeFileSync(join(root, `end-${name}`), '');
  const seen = () => readdirSync(root).filter((name) => name.startsWith('.'));
  return { first, second, lists, end, seen };
}

describe.skipIf(!existsSync('/usr/bin/bwrap'))('a second window on the same workspace', () => {
  it('keeps the placeholders of its command when a command of the first one ends', async () => {
    const { first, second, lists, end, seen } = await twoWindows();
    const before = seen();
    expect(before).toContain('.husky');
    end('first');
    await once(first.child, 'close');
    expect(lists()).toHaveLength(1);
    expect(seen()).toEqual(before);
    end('second');
    await once(second.child, 'close');
    expect(second.said()).toContain('Read-only');
    expect(second.said()).not.toContain('made');
    expect([seen(), lists()]).toEqual([[], []]);
  });

  it('keeps them when the first one is killed', async () => {
    const { first, second, lists, end, seen } = await twoWindows();
    const before = seen();
    first.child.kill('SIGKILL');
    await expect.poll(lists, { timeout: 20_000 }).toHaveLength(1);
    expect(seen()).toEqual(before);
    end('second');
    await once(second.child, 'close');
    expect(second.said()).not.toContain('made');
    expect([seen(), lists()]).toEqual([[], []]);
  });
});

it.skipIf(!existsSync('/usr/bin/bwrap')).each([
  ['the check of the sandbox', 1],
  ['its command', 2],
])(
  'a window that is killed when %s has just started leaves no command and no placeholder',
  async (_, start) => {
    const folder = tempFolder();
    const [home, root] = [join(folder, 'home'), join(folder, 'home/work')];
    mkdirSync(root, { recursive: true });
    const killed = join(folder, 'killed.mjs');
    writeFileSync(killed, `${killedAt(start)}\nawait import(${JSON.stringify(window)});`);
    const words = [killed, root, home, 'sleep 1000'];
    const child = spawn(process.execPath, words, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, TMPDIR: folder },
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    await expect.poll(() => readdirSync(root), { timeout: 20_000 }).toEqual([]);
    const others = () => {
      try {
        return execFileSync('pgrep', ['-f', `^/usr/bin/bwrap .*${root}`], { encoding: 'utf8' });
      } catch {
        return ''; // None is found.
      }
    };
    await expect.poll(others, { timeout: 20_000 }).toBe('');
    expect(readdirSync(folder).filter((name) => name.startsWith('plimsoll-held-'))).toEqual([]);
  },
);
