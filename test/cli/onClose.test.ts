import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { tempFolder } from '../tools/support/tempFolder';
import { plimsoll } from './support/plimsoll';

let server: StrictServer;
/** The model's answers to steps; then it says that it is done. */
let replies: ScriptedPart[];
/** What the summariser answers. */
let summary: string;

const isSummary = (request: MessagesRequest) =>
  JSON.stringify(request.system).includes('Plimsoll summariser');

beforeEach(async () => {
  replies = [];
  summary = 'The mast is mended.';
  server = await startStrictServer({
    respond: (request) => ({
      content: isSummary(request)
        ? [{ type: 'text', text: summary }]
        : [replies.shift() ?? { type: 'text', text: 'Done.' }],
    }),
  });
});

afterEach(() => server.close());

function scene() {
  const folder = tempFolder();
  const work = join(folder, 'work');
  mkdirSync(work);
  const log = join(folder, 'log.jsonl');
  const run = (args: readonly string[], stop?: AbortController, again?: AbortController) =>
    plimsoll(
      ['run', '--task', 'Mend it', '--cwd', work, '--base-url', server.url, '--yes', ...args],
      folder,
      stop,
      undefined,
      again,
    );
  const events = () =>
    readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SessionEvent);
  return { log, run, events, read: (name: string) => readFileSync(join(work, name), 'utf8') };
}

const COMMAND = ['--on-close', 'command', '--on-close-command'];
const TELL = 'echo "$PLIMSOLL_SESSION_TITLE: $PLIMSOLL_SESSION_REASON" > told.txt';

function hangs(): void {
  server.addFault({ path: '/v1/messages', effect: { kind: 'hang', at: 'headers' } });
}

describe('the end of plimsoll run', () => {
  it('writes the summary to the log after printing the answer', async () => {
    const { run, log, events } = scene();
    const ran = await run(['--log', log, '--on-close', 'summary']);
    expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(events().slice(-3)).toMatchObject([
      { type: 'turnEnded' },
      { type: 'modelAsked', purpose: 'summary' },
      { type: 'sessionSummarised', text: 'The mast is mended.', writtenBy: { by: 'model' } },
    ]);
  });

  it('runs the command in the folder, with title, reason and log', async () => {
    const { run, log, read, events } = scene();
    await run(['--log', log, ...COMMAND, 'env > env.txt']);
    const lines = read('env.txt').split('\n');
    expect(lines).toContain('PLIMSOLL_SESSION_TITLE=Mend it');
    expect(lines).toContain('PLIMSOLL_SESSION_REASON=finished');
    expect(lines).toContain(`PLIMSOLL_SESSION_LOG=${log}`);
    expect(events().at(-1)).toMatchObject({ type: 'closeCommandRan', exitCode: 0 });
  });

  it('needs no log for a command', async () => {
    const { run, read } = scene();
    await run([...COMMAND, 'echo "[$PLIMSOLL_SESSION_LOG]" > log.txt']);
    expect(read('log.txt')).toBe('[]\n');
  });

  it('does nothing by default', async () => {
    const { run, log, events } = scene();
    await run(['--log', log]);
    expect(events().at(-1)?.type).toBe('turnEnded');
  });

  it('runs the action after a failure', async () => {
    server.addFault({
      path: '/v1/messages',
      effect: { kind: 'status', status: 400, message: 'no such thing' },
    });
    const { run, read } = scene();
    expect((await run([...COMMAND, TELL])).code).toBe(1);
    expect(read('told.txt')).toBe('Mend it: failed\n');
  });

  it('runs the action at the step limit', async () => {
    replies = [{ type: 'tool_use', name: 'list_files', input: {} }];
    const { run, read } = scene();
    expect((await run(['--max-steps', '1', ...COMMAND, TELL])).code).toBe(3);
    expect(read('told.txt')).toBe('Mend it: capReached\n');
  });

  it('runs the action after a stop', async () => {
    hangs();
    const { run, read } = scene();
    const stop = new AbortController();
    const ran = run([...COMMAND, TELL], stop);
    await expect.poll(() => server.requests.map(({ path }) => path)).toContain('/v1/messages');
    stop.abort();
    expect((await ran).code).toBe(130);
    expect(read('told.txt')).toBe('Mend it: stopped\n');
  });

  it('is cut short by a second stop: the summary is a work note', async () => {
    const again = new AbortController();
    const { run, log, events } = scene();
    replies = [{ type: 'tool_use', name: 'list_files', input: {} }];
    summary = '';
    again.abort();
    expect((await run(['--log', log, '--on-close', 'summary'], undefined, again)).code).toBe(0);
    expect(events().at(-1)).toMatchObject({
      type: 'sessionSummarised',
      text: expect.stringContaining('list_files'),
      writtenBy: { by: 'workNote' },
    });
  });

  it('reports a failure of the command and keeps the exit code of the run', async () => {
    const { run } = scene();
    const ran = await run([...COMMAND, 'echo the mast fell; exit 9']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('failed with exit code 9. Its last output: the mast fell');
  });

  it.each([
    ['a summary without a log', ['--on-close', 'summary'], '--log'],
    ['a command that is not named', ['--on-close', 'command'], 'needs --on-close-command'],
    ['a command without its use', ['--on-close-command', 'true'], 'needs --on-close command'],
    ['another word', ['--on-close', 'mail'], 'one of nothing, summary, command'],
  ])('rejects %s and does nothing', async (_, args, message) => {
    const ran = await scene().run(args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(server.requests).toEqual([]);
  });

  it('runs no action if the session could not begin', async () => {
    const { run, log } = scene();
    const ran = await run(['--log', log, ...COMMAND, TELL, '--max-reply', '900000']);
    expect(ran.code).toBe(2);
  });
});
