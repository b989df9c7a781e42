import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import type { ScriptedPart } from '../../src/offline/messagesApi';
import { startStrictServer } from '../../src/offline/strictServer';
import { isRunning, pidsIn } from '../tools/support/processes';
import { tempFolder } from '../tools/support/tempFolder';
import { plimsoll } from './support/plimsoll';

/** A server that reports its start, then prints its process id, and runs forever. */
const SERVER = `console.log('up');
require('node:fs').writeFileSync('pid', process.pid + '\\n');
setInterval(() => {}, 1000);
`;

it('a run may start a background command, which gets no input under --yes and ends with the run', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-cli-'));
  const workspace = tempFolder();
  writeFileSync(join(workspace, 'serve.js'), SERVER);
  const pid = join(workspace, 'pid');
  const calls: readonly (readonly [string, object])[] = [
    ['run_command', { command: 'node serve.js', background: true }],
    ['read_output', { handle: 'cmd1' }],
    ['send_input', { handle: 'cmd1', text: 'x' }],
  ];
  let step = 0;
  const server = await startStrictServer({
    respond: () => {
      const [name, input] = calls[step] ?? [];
      // If the first look ended before the server was up, the second shows it.
      if (name === 'read_output') while (!existsSync(pid));
      step += 1;
      const content: readonly ScriptedPart[] =
        name === undefined
          ? [{ type: 'text', text: 'It is up.' }]
          : [{ type: 'tool_use', id: `toolu_${step}`, name, input: { ...input } }];
      return { content };
    },
  });
  const log = join(scratch, 'log.jsonl');
  try {
    const args = ['--task', 'Start it', '--cwd', workspace, '--base-url', server.url];
    const ran = await plimsoll(['run', ...args, '--yes', '--log', log], scratch);
    expect(ran).toMatchObject({ code: 0, stdout: 'It is up.\n' });
    expect(pidsIn(pid).filter(isRunning)).toEqual([]);
    const events = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SessionEvent);
    const results = events.flatMap((event) => (event.type === 'toolFinished' ? [event.text] : []));
    expect(results[0]).toMatch(/^(up|\(no output\))\nstarted in the background; it runs as cmd1/);
    expect(`${results[0]}${results[1]}`.match(/^up\n/gm)).toHaveLength(1);
    expect(results[2]).toContain('--yes types nothing into commands.');
    expect(events.at(-1)).toMatchObject({ type: 'commandEnded', because: 'sessionEnded' });
  } finally {
    await server.close();
    rmSync(scratch, { recursive: true, force: true });
  }
});
