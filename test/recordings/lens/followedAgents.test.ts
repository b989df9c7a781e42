import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { followFile } from '../../../src/recordings/followFile';
import { importTranscript } from '../../../src/recordings/importTranscript';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import type { Transcript } from '../../../src/sessions/transcript';
import { tempFolder } from '../../tools/support/tempFolder';
import { drawn } from '../support/drawnTranscript';
import { line } from './support/agentHomes';
import { chat, copilot, gemini } from './support/fileAgents';

let home: string;
let folder: string;
let finder: SessionFinder;

beforeEach(() => {
  home = realpathSync(tempFolder());
  folder = join(home, 'work');
  finder = new SessionFinder({ home, environment: {}, now: () => Date.now() });
});

/** Follows a file that begins with a text: what was read of it last, and what was in the way. */
function followed(file: string, beginning: string) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, beginning);
  const problems: string[] = [];
  let newest: Transcript | undefined;
  let shown: readonly string[] = [];
  const follower = {
    changed: (text: string) => {
      if (file.endsWith('.jsonl') && !text.endsWith('\n')) problems.push('Half a line was read.');
      const read = importTranscript(text, 'auto', 'session', () => 0, { growing: true });
      if (!read.ok) {
        problems.push(read.message);
        return;
      }
      newest = read.transcript;
      shown = drawn(text);
    },
    problem: (message: string) => problems.push(message),
  };
  const following = followFile(file, follower, { quietMs: 5, pollMs: 30 });
  onTestFinished(() => following.dispose());
  return {
    append: (text: string) => appendFileSync(file, text),
    /** Waits until the file was read again, whether that shows anything new or not. */
    looked: () => new Promise((resolve) => setTimeout(resolve, 120)),
    shows: (expected: readonly string[]) =>
      expect.poll(() => shown, { timeout: 5_000 }).toEqual(expected),
    usages: () =>
      (newest?.entries ?? []).flatMap((one) =>
        one.type === 'reply' ? [one.usage?.inputTokens] : [],
      ),
    problems,
  };
}

const inList = async () => {
  const [session] = (await finder.find(folder)).sessions;
  return session && { tokens: session.tokens, isRunning: session.isRunning };
};

describe('a followed session of Copilot CLI', () => {
  const call = { toolCallId: 't1', name: 'bash', arguments: '{"command":"ls"}' };

  it('grows by its events, a half-written one excepted', async () => {
    const { append, looked, shows, problems } = followed(
      join(copilot.state(home, 'l'), 'events.jsonl'),
      copilot.start('l', folder) + copilot.prompt('Paint the hull.') + copilot.reply('m'),
    );
    await shows(['prompt Paint the hull.', 'reply Looked.']);
    append(copilot.prompt('Más.') + copilot.reply('m', { content: '', toolRequests: [call] }));
    await shows(['prompt Paint the hull.', 'reply Looked.', 'prompt Más.', 'reply bash(t1)?']);
    const done = copilot.event('tool.execution_complete', {
      toolCallId: 't1',
      result: { content: 'hull.txt, señal.txt' },
    });
    const half = Buffer.from(done).indexOf('ñ') + 1;
    append(done.slice(0, half));
    await looked();
    await shows(['prompt Paint the hull.', 'reply Looked.', 'prompt Más.', 'reply bash(t1)?']);
    append(done.slice(half) + copilot.reply('m', { content: 'Painted.' }));
    await shows([
      'prompt Paint the hull.',
      'reply Looked.',
      'prompt Más.',
      'reply bash(t1)=hull.txt, señal.txt',
      'reply Painted.',
    ]);
    expect(problems).toEqual([]);
  });

  it('gets the usage of a step once that is written, after the step', async () => {
    const reply = copilot.reply('m', { apiCallId: 'a1' });
    const { append, shows, usages, problems } = followed(
      join(copilot.state(home, 'l'), 'events.jsonl'),
      copilot.start('l', folder) + copilot.prompt('Paint the hull.') + reply,
    );
    await shows(['prompt Paint the hull.', 'reply Looked.']);
    expect(usages()).toEqual([undefined]);
    append(
      copilot.event('session.usage_record', {
        usage: { apiCallId: 'a1', inputTokens: 900, outputTokens: 7 },
      }),
    );
    await expect.poll(usages, { timeout: 5_000 }).toEqual([900]);
    expect(problems).toEqual([]);
  });
});

describe('a followed session of Gemini CLI', () => {
  const file = (name: string) => {
    const project = gemini.project(home, 'g');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, '.project_root'), folder);
    return join(project, 'chats', name);
  };
  const call = { id: 'c1', name: 'ls', args: {} };
  const done = {
    ...call,
    status: 'success',
    result: [{ functionResponse: { response: { output: 'a' } } }],
  };

  it('grows by its records: messages, changed ones, and undone ones', async () => {
    const { append, looked, shows, usages, problems } = followed(
      file('session-1.jsonl'),
      line(gemini.head('g')) + line(gemini.prompt('Sew.')) + line(gemini.reply(900)),
    );
    await shows(['prompt Sew.', 'reply Looked.']);
    expect(await inList()).toMatchObject({ tokens: 900, isRunning: false });
    // A reply is recorded first without the results of its calls, then again with them.
    append(line(gemini.prompt('More.')) + line(gemini.reply(1_000, [call])));
    await shows(['prompt Sew.', 'reply Looked.', 'prompt More.', 'reply Looked. ls(c1)?']);
    expect(await inList()).toMatchObject({ tokens: 1_000, isRunning: true });
    append(line(gemini.reply(1_000, [done])));
    await shows(['prompt Sew.', 'reply Looked.', 'prompt More.', 'reply Looked. ls(c1)=a']);
    const next = line(gemini.reply(1_100));
    append(next.slice(0, 40));
    await looked();
    await shows(['prompt Sew.', 'reply Looked.', 'prompt More.', 'reply Looked. ls(c1)=a']);
    append(next.slice(40));
    await shows([
      'prompt Sew.',
      'reply Looked.',
      'prompt More.',
      'reply Looked. ls(c1)=a',
      'reply Looked.',
    ]);
    expect(usages()).toHaveLength(3);
    append(line({ $rewindTo: 'u-More.' }));
    await shows(['prompt Sew.', 'reply Looked.']);
    append(line({ $set: { messages: [gemini.prompt('Again.'), gemini.reply(500)] } }));
    await shows(['prompt Again.', 'reply Looked.']);
    expect(problems).toEqual([]);
  });

  it('of an older version is one value, which is not read while it is being written', async () => {
    const path = file('session-1.json');
    const value = (...messages: readonly object[]) =>
      JSON.stringify({ ...gemini.head('g'), messages }, null, 2);
    const first = value(gemini.prompt('Sew.'), gemini.reply(900));
    const { looked, shows, problems } = followed(path, first);
    await shows(['prompt Sew.', 'reply Looked.']);
    const second = value(gemini.prompt('Sew.'), gemini.reply(900, [done]), gemini.reply(950));
    writeFileSync(path, second.slice(0, 100));
    await looked();
    await shows(['prompt Sew.', 'reply Looked.']);
    writeFileSync(path, second);
    await shows(['prompt Sew.', 'reply Looked. ls(c1)=a', 'reply Looked.']);
    expect(await inList()).toMatchObject({ tokens: 950 });
    expect(problems).toEqual([]);
  });
});

describe("a followed session of VS Code's own agent", () => {
  it('grows by the changes of its chat', async () => {
    const user = join(home, 'User');
    const { append, shows, problems } = followed(
      join(chat.storage(user), 'chatSessions', 'c1.jsonl'),
      line({
        kind: 0,
        v: {
          version: 3,
          sessionId: 'c1',
          requests: [{ message: { text: 'Coil.' }, response: [{ value: 'Coiling.' }] }],
        },
      }),
    );
    await shows(['prompt Coil.', 'reply Coiling.']);
    const more = { message: { text: 'More.' }, response: [] };
    append(line({ kind: 2, k: ['requests'], v: [more] }));
    append(line({ kind: 2, k: ['requests', 1, 'response'], v: [{ value: 'Coiled.' }] }));
    await shows(['prompt Coil.', 'reply Coiling.', 'prompt More.', 'reply Coiled.']);
    expect(problems).toEqual([]);
  });
});

describe('a followed task of Roo', () => {
  it('gets the usage of a step once its request is counted in the file next to it', async () => {
    const said = (role: string, ts: number) => ({ role, content: `${role} ${ts}`, ts });
    const file = join(folder, 'tasks', '1', 'api_conversation_history.json');
    const { shows, usages, problems } = followed(
      file,
      JSON.stringify([said('user', 1), said('assistant', 3)]),
    );
    await shows(['prompt user 1', 'reply assistant 3']);
    expect(usages()).toEqual([undefined]);
    const text = JSON.stringify({ tokensIn: 70, tokensOut: 5 });
    const shown = [{ ts: 2, type: 'say', say: 'api_req_started', text }];
    writeFileSync(join(dirname(file), 'ui_messages.json'), JSON.stringify(shown));
    await expect.poll(usages, { timeout: 5_000 }).toEqual([70]);
    expect(problems).toEqual([]);
  });
});
