import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { textOfQuestion } from './support/textOfQuestion';
import { startStrictServer } from '../../src/offline/strictServer';
import { hostileText } from '../support/hostileText';
import { runs } from '../support/runs';
import { builtBundles } from '../support/builtBundles';

/** Gives a program a terminal; part of every Linux. */
const SCRIPT = '/usr/bin/script';

const built = builtBundles();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-pty-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux' || !existsSync(SCRIPT))('on a terminal', () => {
  it('a question about a command shows it exactly, without control characters', async () => {
    const commands = fc
      .sample(hostileText, { numRuns: runs(40, 1_000), seed: 7 })
      .filter((command) => command.trim() !== '');
    let next = 0;
    const server = await startStrictServer({
      respond: () => {
        const command = commands[next++];
        return command === undefined
          ? { content: [{ type: 'text', text: 'Done \u001b[2K.' }] }
          : { content: [{ type: 'tool_use', name: 'run_command', input: { command } }] };
      },
    });
    onTestFinished(() => server.close());
    const program = [process.execPath, built('cli.js'), 'run', '--task', 'Do it'];
    const work = ['--cwd', mkdtempSync(join(folder, 'work-')), '--base-url', server.url];
    const steps = ['--max-steps', String(commands.length + 1)];
    const shown = await onTerminal([...program, ...work, ...steps]);
    expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    const asked = shown.split(/Run this command \(\d+ lines?\)\? \[y\/N\] n\n/).slice(0, -1);
    const drawn = asked.map((text) => {
      const lines = text.split('\n').slice(0, -1);
      const begin = lines.findLastIndex((line) => !line.startsWith('  | '));
      return textOfQuestion(lines.slice(begin + 1));
    });
    expect(drawn).toEqual(commands);
    expect(shown).toContain('Done ⟨ESC⟩[2K.');
  });
});

/** Runs a program on a terminal, answers no to each question, and returns the terminal's output. */
function onTerminal(words: readonly string[]): Promise<string> {
  const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = spawn(SCRIPT, ['-qec', `stty cols 20000; exec ${line}`, '/dev/null'], {
    env: { ...process.env, HOME: folder, ANTHROPIC_API_KEY: 'test-key', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const asked = shown.split('[y/N] ').length - 1;
    for (; answered < asked; answered++) child.stdin.write('n\n');
  });
  return new Promise((resolve) =>
    child.once('close', () => resolve(shown.replaceAll('\r\n', '\n'))),
  );
}
