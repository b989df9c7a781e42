import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import { sessionBytes } from '../../../src/recordings/lens/sessionBytes';
import { tempFolder } from '../../tools/support/tempFolder';
import { append, line, write } from './support/agentHomes';
import { chat, copilot, gemini, pi } from './support/fileAgents';

let home: string;
let folder: string;
let finder: SessionFinder;
let now: number;

beforeEach(() => {
  home = realpathSync(tempFolder());
  folder = join(home, 'work', 'app');
  mkdirSync(folder, { recursive: true });
  now = Date.now();
  finder = new SessionFinder({ home, environment: {}, now: () => now });
});

const found = async (within: string | undefined = folder) => {
  const { sessions, problems } = await finder.find(within);
  expect(problems).toEqual([]);
  return sessions;
};

describe('a session of pi', () => {
  it('has its title, model, tokens, compactions and folder', async () => {
    const file = write(
      pi.file(home, 'p1', folder),
      pi.head('p1', folder),
      pi.prompt('Mend the parser.'),
      pi.reply(40_000),
      pi.compaction(),
      pi.prompt('It says {"type":"compaction"} here.'),
      pi.reply(9_000),
    );
    expect(await found()).toEqual([
      {
        agent: 'pi',
        id: 'p1',
        file,
        folder,
        title: 'Mend the parser.',
        usedAt: expect.any(Number),
        model: 'claude-sonnet-4-5',
        tokens: 9_000,
        windowTokens: undefined,
        compactions: 1,
        isRunning: false,
        inner: [],
      },
    ]);
    append(file, pi.name('The parser'), pi.reply(9_500, 'toolUse'));
    expect(await found()).toMatchObject([{ title: 'The parser', tokens: 9_500, isRunning: true }]);
    now += 11 * 60_000;
    expect(await found()).toMatchObject([{ isRunning: false }]);
  });

  it('that forks another one has its own first prompt as its title, and its own compactions', async () => {
    const timed = (text: string, time: string) =>
      line({ ...JSON.parse(text), timestamp: `2026-11-24T${time}:00.000Z` });
    const head = JSON.parse(pi.head('p2', folder));
    const file = write(
      pi.file(home, 'p2', folder),
      timed(line({ ...head, parentSession: '/elsewhere/p1.jsonl' }), '11:00'),
      timed(pi.prompt('Mend the parser.'), '10:00'),
      timed(pi.reply(40_000), '10:01'),
      timed(pi.compaction(), '10:02'),
    );
    expect(await found()).toMatchObject([{ title: 'Mend the parser.', compactions: 0 }]);
    append(file, timed(pi.prompt('And the mast.'), '11:01'), timed(pi.compaction(), '11:02'));
    expect(await found()).toMatchObject([{ title: 'And the mast.', compactions: 1 }]);
  });

  it('belongs to the folder in its first line', async () => {
    write(pi.file(home, 'p1', folder), pi.head('p1', '/elsewhere'), pi.prompt('Go.'));
    expect(await found()).toEqual([]);
    expect((await finder.find()).sessions).toHaveLength(1);
  });
});

describe('a session of Copilot CLI', () => {
  it('has its title, model, compactions and folder, and tokens once it was shut down', async () => {
    const file = write(
      join(copilot.state(home, 'c1'), 'events.jsonl'),
      copilot.start('c1', folder),
      copilot.event('session.model_change', { newModel: 'gpt-5.4' }),
      copilot.prompt('Mend the parser.'),
      copilot.reply('claude-sonnet-4.6'),
      copilot.reply('a-sub-agent', { parentToolCallId: 't1' }),
      copilot.compaction(false),
      copilot.compaction(true),
    );
    expect(await found()).toMatchObject([
      {
        agent: 'copilot-cli',
        id: 'c1',
        file,
        title: 'Mend the parser.',
        model: 'claude-sonnet-4.6',
        tokens: undefined,
        compactions: 1,
        isRunning: false,
      },
    ]);
    append(file, copilot.shutdown(31_000));
    expect(await found()).toMatchObject([{ tokens: 31_000, compactions: 1 }]);
    const cut = { messagesRemovedDuringTruncation: 2 };
    append(
      file,
      copilot.event('session.truncation', cut),
      copilot.event('session.truncation', { messagesRemovedDuringTruncation: 0 }),
      copilot.event('session.context_cleared', { messagesCleared: 4 }),
      copilot.event('session.truncation', cut, { agentId: 'inner' }),
    );
    expect(await found()).toMatchObject([{ compactions: 3 }]);
    append(file, copilot.prompt('Go on.'), copilot.reply('claude-sonnet-4.6'));
    expect((await found())[0]?.tokens).toBeUndefined();
  });

  it('has the name in workspace.yaml, and runs while the process that uses it is alive', async () => {
    const state = copilot.state(home, 'c1');
    write(join(state, 'events.jsonl'), copilot.start('c1', folder), copilot.prompt('Go.'));
    write(join(state, 'workspace.yaml'), `id: c1\ncwd: ${folder}\nsummary: The parser\n`);
    write(join(state, `inuse.${2 ** 22 + 1}.lock`), '');
    expect(await found()).toMatchObject([{ title: 'The parser', isRunning: false }]);
    write(join(state, 'workspace.yaml'), 'id: c1\nsummary: |-\n  Several\n');
    write(join(state, `inuse.${process.pid}.lock`), '');
    expect(await found()).toMatchObject([{ title: 'Go.', isRunning: true }]);
  });

  it('of an older version is a file without a folder of its own', async () => {
    const file = `${copilot.state(home, 'old')}.jsonl`;
    write(file, copilot.start('old', folder), copilot.prompt('Go.'));
    expect(await found()).toMatchObject([{ id: 'old', file, title: 'Go.' }]);
  });
});

describe('a session of Gemini CLI', () => {
  const jsonl = (name: string, id: string, ...records: readonly object[]) =>
    write(
      join(gemini.project(home, 'app'), 'chats', name),
      ...[gemini.head(id), ...records].map(line),
    );

  it('has its title, model, tokens and folder, and its sub-agents below it', async () => {
    write(join(gemini.project(home, 'app'), '.project_root'), `${folder}\n`);
    const file = jsonl(
      'session-2026-11-24T10-00-g1.jsonl',
      'g1',
      gemini.prompt('Mend the parser.'),
      gemini.reply(19_000, [{ name: 'read_file' }]),
    );
    jsonl('g1/sub.jsonl', 's1', gemini.prompt('Look.'), gemini.reply(800));
    expect(await found()).toMatchObject([
      {
        agent: 'gemini-cli',
        id: 'g1',
        file,
        folder,
        title: 'Mend the parser.',
        model: 'gemini-3-flash-preview',
        tokens: 19_000,
        isRunning: true,
        inner: [{ id: 's1', title: 'Look.', tokens: 800 }],
      },
    ]);
    const compacted = (text: string) =>
      line({ $set: { messages: [gemini.prompt(`<state_snapshot>${text}</state_snapshot>`)] } });
    // The second time it is resumed.
    append(file, compacted('So far.'), compacted('So far.'), compacted('And on.'));
    expect(await found()).toMatchObject([{ title: 'Mend the parser.', compactions: 2 }]);
    append(file, line({ $set: { summary: 'The parser' } }), line(gemini.reply(20_000)));
    expect(await found()).toMatchObject([
      { title: 'The parser', tokens: 20_000, isRunning: false },
    ]);
  });

  it('has no compaction where a prompt quotes a summary', async () => {
    write(join(gemini.project(home, 'app'), '.project_root'), `${folder}\n`);
    const [first, second] = ['one', 'two'].map((id) =>
      gemini.prompt(`What is <state_snapshot> ${id}?`),
    );
    jsonl('session-2026-11-24T10-00-g3.jsonl', 'g3', first!, gemini.reply(900), {
      $set: { messages: [first, gemini.reply(900), second] },
    });
    expect(await found()).toMatchObject([{ id: 'g3', compactions: 0 }]);
  });

  it('of an older version is one JSON value in a folder named by a hash', async () => {
    const hash = createHash('sha256').update(folder).digest('hex');
    const file = join(gemini.project(home, hash), 'chats', 'session-1.json');
    const session = (...messages: readonly object[]) =>
      write(file, JSON.stringify({ ...gemini.head('g2'), messages }, undefined, 2));
    session({ id: 'i', type: 'info', content: 'Update.' }, gemini.prompt('Go.'), gemini.reply(900));
    expect(await found()).toMatchObject([{ id: 'g2', folder, title: 'Go.', tokens: 900 }]);
    session(gemini.prompt('Go.'), gemini.reply(900), gemini.reply(1_900));
    expect(await found()).toMatchObject([{ tokens: 1_900 }]);
    write(file, '{"half');
    expect(await found()).toEqual([]);
  });
});

describe('a session of VS Code', () => {
  const user = () => join(home, '.config', 'Code', 'User');
  const workspace = () => {
    write(join(chat.storage(user()), 'workspace.json'), chat.workspace(folder));
    return chat.storage(user());
  };
  const { request, ended } = chat;

  it('has what its chat says, and follows the changes of it', async () => {
    const storage = workspace();
    const file = write(
      join(storage, 'chatSessions', 'c1.jsonl'),
      line({ kind: 0, v: { sessionId: 'c1', requests: [] } }),
      line({
        kind: 2,
        k: ['requests'],
        v: [request('Mend the parser.', { modelId: 'copilot/x' })],
      }),
    );
    write(join(storage, 'chatSessions', 'empty.jsonl'), line({ kind: 0, v: { requests: [] } }));
    expect(await found()).toEqual([
      {
        agent: 'vscode',
        id: 'c1',
        file,
        folder,
        title: 'Mend the parser.',
        usedAt: expect.any(Number),
        model: 'copilot/x',
        tokens: undefined,
        windowTokens: undefined,
        compactions: 0,
        isRunning: true,
        inner: [],
      },
    ]);
    append(
      file,
      line({ kind: 1, k: ['customTitle'], v: 'The parser' }),
      line({
        kind: 1,
        k: ['requests', 0, 'result'],
        v: ended(9_000, { summaries: [{ toolCallRoundId: 'r', text: 'Before.' }] }),
      }),
    );
    expect(await found()).toMatchObject([
      {
        title: 'The parser',
        model: 'claude-sonnet-4-6',
        tokens: 9_100,
        compactions: 1,
        isRunning: false,
      },
    ]);
  });

  it('is read from one file in older versions, and has no folder in an empty window', async () => {
    const older = { sessionId: 'c2', requests: [request('Go.', { result: ended(50) })] };
    const first = join(workspace(), 'chatSessions', 'c2.json');
    write(first, JSON.stringify(older, null, 2));
    // Two files written at once may have the same time, which decides their order.
    utimesSync(first, 1, 1);
    expect(await found()).toMatchObject([{ id: 'c2', title: 'Go.', tokens: 150 }]);
    const empty = join(home, '.config/Code/User/globalStorage/emptyWindowChatSessions/c3.jsonl');
    write(empty, line({ kind: 0, v: { requests: [request('Look.')] } }));
    expect(await found()).toHaveLength(1);
    expect((await finder.find()).sessions).toMatchObject([
      { id: 'c3', folder: undefined },
      { id: 'c2' },
    ]);
  });

  it('is its debug log where there is one, with the windows of side requests below it', async () => {
    const storage = workspace();
    const logs = chat.logs(user(), 'c1');
    write(
      join(storage, 'chatSessions', 'c1.jsonl'),
      line({ kind: 0, v: { customTitle: 'The parser', requests: [request('Mend it.')] } }),
    );
    // It is no part of the log.
    write(join(logs, 'system_prompt_0.json'), JSON.stringify({ content: 'x'.repeat(9_000) }));
    const title = write(join(logs, 'title-t1.jsonl'), chat.sent(300, 'Write a title.'));
    const summary = '<conversation-summary>Before.</conversation-summary>';
    const file = write(
      join(logs, 'main.jsonl'),
      chat.logged('user_message', { content: 'Mend it.' }),
      chat.sent(20_000, 'Mend it.'),
      chat.sent(5_000, summary),
    );
    expect(await found()).toMatchObject([
      {
        id: 'c1',
        file,
        title: 'The parser',
        model: 'claude-x',
        tokens: 5_010,
        compactions: 1,
        inner: [{ id: 'title-t1', file: title, title: 'title-t1', tokens: 310, inner: [] }],
      },
    ]);
    append(file, chat.sent(6_000, `${summary} More.`));
    expect(await found()).toMatchObject([{ tokens: 6_010, compactions: 1 }]);
  });

  it('is opened with the files beside its log, and without a line that is being written', async () => {
    const file = write(
      join(home, 'debug-logs', 'c1', 'main.jsonl'),
      line({ type: 'llm_request', sid: 'c1', attrs: {} }),
      '{"type":"agent_resp',
    );
    write(join(home, 'debug-logs', 'c1', 'system_prompt_0.json'), '{"content":"[]"}');
    write(join(home, 'debug-logs', 'c1', 'models.json'), '[]');
    expect((await sessionBytes(file)).toString('utf8')).toBe(
      line({ type: 'llm_request', sid: 'c1', attrs: {} }) +
        line({ type: 'file', name: 'system_prompt_0.json', content: '[]' }),
    );
  });
});
