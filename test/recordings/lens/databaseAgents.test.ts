import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followFile, type Following } from '../../../src/recordings/followFile';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import { OPENCODE_STORE } from '../../../src/recordings/lens/opencodeSessions';
import { sessionBytes } from '../../../src/recordings/lens/sessionBytes';
import {
  databaseMark,
  readDatabase,
  readsDatabases,
} from '../../../src/recordings/lens/sqliteFile';
import { tempFolder } from '../../tools/support/tempFolder';
import { drawn, transcriptOf } from '../support/drawnTranscript';
import {
  crush,
  CRUSH_TABLES,
  goose,
  GOOSE_TABLES,
  opencode,
  OPENCODE_TABLES,
  openDatabase,
  type Writer,
  ZED_TABLES,
  zedThread,
} from './support/agentDatabases';

const here = `Node ${process.versions.node}`;
/** Only newer versions of Node have node:sqlite. */
const withSqlite = readsDatabases() ? describe : describe.skip;

let home: string;
let folder: string;
let finder: SessionFinder;
let now: number;
let open: Writer[];

beforeEach(() => {
  home = realpathSync(tempFolder());
  folder = join(home, 'work', 'app');
  mkdirSync(folder, { recursive: true });
  now = 1_800_000_000_000;
  finder = new SessionFinder({ home, environment: {}, now: () => now });
  open = [];
});

afterEach(() => open.forEach((database) => database.close()));

const opened = (file: string, tables: readonly string[]) => {
  const database = openDatabase(file, ...tables);
  open.push(database);
  return database;
};

const closed = (database: Writer) => {
  open = open.filter((one) => one !== database);
  database.close();
};

const found = async (within: 'anywhere' | undefined = undefined) => {
  const { sessions, problems } = await finder.find(within === 'anywhere' ? undefined : folder);
  expect(problems).toEqual([]);
  return sessions;
};

const share = (...names: readonly string[]) => join(home, '.local', 'share', ...names);

describe.skipIf(readsDatabases())(`where node:sqlite is missing, as in this ${here}`, () => {
  it('says so once, and lists the sessions of other agents', async () => {
    for (const name of ['opencode', 'kilo']) {
      mkdirSync(share(name), { recursive: true });
      writeFileSync(share(name, `${name}.db`), '');
    }
    const { problems } = await finder.find();
    expect(problems).toEqual([
      expect.stringMatching(/^OpenCode, Kilo, .* need Node 22\.13 or later\. This is Node /),
    ]);
  });
});

withSqlite(`a database that another process writes (needs node:sqlite; this is ${here})`, () => {
  let file: string;
  beforeEach(() => {
    file = join(home, 'a.db');
  });
  const numbers = () => readDatabase(file, ({ rows }) => rows('SELECT x FROM t').map(({ x }) => x));
  const files = () => readdirSync(home).filter((name) => name.startsWith('a.db'));

  it('is read with its write-ahead log, also during a transaction, and no file is created', async () => {
    const database = opened(file, ['CREATE TABLE t (x)', 'INSERT INTO t VALUES (1)']);
    expect(await numbers()).toEqual([1]);
    const mark = await databaseMark(file);
    database.exec('INSERT INTO t VALUES (2)');
    expect(await databaseMark(file)).not.toBe(mark);
    database.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (3)');
    expect(await numbers()).toEqual([1, 2]);
    database.exec('COMMIT');
    expect(await numbers()).toEqual([1, 2, 3]);
    closed(database);
    expect(await numbers()).toEqual([1, 2, 3]);
    expect(files()).toEqual(['a.db']);
    // SQLite writes its log before readers see the change.
    expect(await databaseMark(file)).not.toBe(await databaseMark(file));
    utimesSync(file, 1, 1);
    expect(await databaseMark(file)).toBe(await databaseMark(file));
  });

  it('does not wait for its readers', async () => {
    const database = opened(file, ['CREATE TABLE t (x)', 'INSERT INTO t VALUES (1)']);
    const read = await readDatabase(file, ({ rows }) => {
      const before = rows('SELECT x FROM t').length;
      database.exec('INSERT INTO t VALUES (2)');
      return [before, rows('SELECT x FROM t').length];
    });
    expect(read).toEqual([1, 1]);
    expect(await numbers()).toEqual([1, 2]);
  });

  it('is read from a copy, which is deleted, if it has a log without an index', async () => {
    const database = opened(file, ['CREATE TABLE t (x)', 'INSERT INTO t VALUES (1)']);
    const backup = join(home, 'backup.db');
    const { copyFileSync } = await import('node:fs');
    for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${backup}${end}`);
    closed(database);
    file = backup;
    const copies = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith('plimsoll-database-'));
    const before = copies();
    expect(await numbers()).toEqual([1]);
    expect(readdirSync(home).filter((name) => name.startsWith('backup'))).toEqual([
      'backup.db',
      'backup.db-wal',
    ]);
    expect(copies()).toEqual(before);
  });

  it('is of an unknown version if a view stands in for its table, and the view is not run', async () => {
    const database = opened(share('opencode', 'opencode.db'), OPENCODE_TABLES['1.2']);
    opencode.session(database, 'ses_1', folder);
    const [table = ''] = Object.keys(OPENCODE_STORE.tables);
    database.exec(`ALTER TABLE ${table} RENAME TO moved`);
    database.exec(
      `CREATE VIEW ${table} AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) ` +
        'SELECT moved.* FROM moved, c',
    );
    const { sessions, problems } = await finder.find();
    expect(sessions).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/tables are not those of a known version/)]);
  });

  it('says that it is locked, damaged, or of an unknown version', async () => {
    const database = opened(share('opencode', 'opencode.db'), OPENCODE_TABLES['1.2']);
    opencode.session(database, 'ses_1', folder);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    mkdirSync(share('kilo'), { recursive: true });
    writeFileSync(share('kilo', 'kilo.db'), 'no database, but long enough to be one');
    writeFileSync(share('kilo', 'kilo-dev.db'), '');
    const { sessions, problems } = await finder.find();
    expect(sessions).toEqual([]);
    expect(problems.map((problem) => problem.slice(home.length)).toSorted()).toEqual([
      expect.stringMatching(/kilo-dev\.db cannot be read: its tables are not those of a known/),
      expect.stringMatching(/kilo\.db cannot be read: file is not a database$/),
      expect.stringMatching(/opencode\.db cannot be read: another process has locked it\. Try/),
    ]);
  });
});

withSqlite('a session of OpenCode with damaged numbers (needs node:sqlite)', () => {
  it('has no tokens and no age of its own, and does not run because of a time to come', async () => {
    const database = opened(share('opencode', 'opencode.db'), OPENCODE_TABLES['1.15']);
    for (const [id, time_updated] of [
      ['far', 1e300],
      ['soon', now + 3_600_000],
    ] as const) {
      opencode.session(database, id, folder, { time_updated });
      opencode.prompt(database, id, id === 'far' ? 1e300 : now + 3_600_000, 'Mend it.');
      opencode.message(database, id, id === 'far' ? 1e301 : now + 3_600_001, {
        role: 'assistant',
        tokens: { input: 1e308, output: 1e308 },
      });
    }
    expect(await found()).toMatchObject([
      { id: 'soon', tokens: undefined, isRunning: false },
      { id: 'far', tokens: undefined, isRunning: false, usedAt: 0 },
    ]);
  });
});

withSqlite('a session of OpenCode of which the user undid a part (needs node:sqlite)', () => {
  it('has the tokens and compactions of the rest, and its conversation', async () => {
    const database = opened(share('opencode', 'opencode.db'), OPENCODE_TABLES['1.15']);
    const revert = JSON.stringify({ messageID: `msg_ses_1_${now + 2}` });
    opencode.session(database, 'ses_1', folder, { revert });
    opencode.prompt(database, 'ses_1', now, 'Mend it.');
    opencode.reply(database, 'ses_1', now + 1, 9_000);
    opencode.prompt(database, 'ses_1', now + 2, 'No.');
    opencode.reply(database, 'ses_1', now + 3, 12_000);
    opencode.reply(database, 'ses_1', now + 4, 900, { summary: true });
    const [session, ...more] = await found();
    expect([session, more]).toMatchObject([{ tokens: 9_000, compactions: 0 }, []]);
    const text = (await sessionBytes(session!.file)).toString('utf8');
    expect(drawn(text)).toEqual(['prompt Mend it.', expect.stringMatching(/^reply /)]);
  });
});

withSqlite.each(['1.2', '1.15'] as const)(
  'a session of OpenCode %s (needs node:sqlite)',
  (version) => {
    let database: Writer;
    beforeEach(() => {
      database = opened(share('opencode', 'opencode.db'), OPENCODE_TABLES[version]);
    });

    it('has its title, model, tokens, compactions and folder, and its sub-agents below it', async () => {
      opencode.session(database, 'ses_1', folder, { title: 'Mend the parser' });
      opencode.prompt(database, 'ses_1', now, 'Mend it.');
      opencode.reply(database, 'ses_1', now + 1, 40_000);
      opencode.reply(database, 'ses_1', now + 2, 900, { summary: true });
      // One that failed.
      opencode.reply(database, 'ses_1', now + 1.5, 900, { summary: true, error: { name: 'x' } });
      opencode.reply(database, 'ses_1', now + 3, 9_000);
      opencode.session(database, 'ses_2', folder, { parent_id: 'ses_1', title: 'Look (@explore)' });
      opencode.prompt(database, 'ses_2', now, 'Look.');
      opencode.session(database, 'ses_3', folder, { title: 'Never used' });
      opencode.session(database, 'ses_4', '/elsewhere');
      opencode.prompt(database, 'ses_4', now, 'Go.');
      const file = `${share('opencode', 'opencode.db')}#ses_1`;
      expect(await found()).toEqual([
        {
          agent: 'opencode',
          id: 'ses_1',
          file,
          folder,
          title: 'Mend the parser',
          usedAt: now + 3,
          model: 'claude-sonnet-4-5',
          tokens: 9_000,
          windowTokens: undefined,
          compactions: 1,
          isRunning: false,
          inner: [
            expect.objectContaining({ id: 'ses_2', title: 'Look (@explore)', isRunning: true }),
          ],
        },
      ]);
      opencode.message(database, 'ses_1', now + 4, { role: 'assistant', tokens: { output: 0 } });
      expect(await found()).toMatchObject([{ tokens: 9_000, isRunning: true }]);
      now += 11 * 60_000;
      expect(await found()).toMatchObject([{ isRunning: false }]);
    });

    it('is read from the database like an export, and followed while another process writes', async () => {
      opencode.session(database, 'ses_1', folder);
      opencode.prompt(database, 'ses_1', 1, 'Go.');
      opencode.message(
        database,
        'ses_1',
        2,
        { role: 'assistant', modelID: 'm' },
        { type: 'step-start' },
        { type: 'tool', tool: 'read', callID: 'c1', state: { status: 'completed', output: 'a' } },
      );
      const [session] = await found();
      const { file } = session!;
      expect(drawn((await sessionBytes(file)).toString())).toEqual([
        'prompt Go.',
        'reply read(c1)=a',
      ]);
      const texts: string[] = [];
      const problems: string[] = [];
      const taker = {
        changed: (text: string) => texts.push(text),
        problem: (message: string) => problems.push(message),
      };
      let following: Following | undefined = followFile(file, taker, { quietMs: 10, pollMs: 50 });
      await expect.poll(() => texts.length).toBe(1);
      const script = `
      const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
      const database = new DatabaseSync(process.argv[1]);
      const data = JSON.stringify({ role: 'assistant', modelID: 'm' });
      database.prepare("INSERT INTO message VALUES ('m9', 'ses_1', 9, 9, ?)").run(data);
      const part = JSON.stringify({ type: 'text', text: 'Done.' });
      database.prepare("INSERT INTO part VALUES ('p9', 'm9', 'ses_1', 9, 9, ?)").run(part);
      process.kill(process.pid, 'SIGKILL');`;
      const child = spawn(process.execPath, ['-e', script, share('opencode', 'opencode.db')]);
      const said: string[] = [];
      child.stderr.on('data', (chunk) => said.push(String(chunk)));
      await new Promise((resolve) => child.on('exit', resolve));
      expect(said.filter((line) => line.includes('rror'))).toEqual([]);
      await expect.poll(() => texts.at(-1) ?? '', { timeout: 10_000 }).toMatch(/"Done\."/);
      expect(drawn(texts.at(-1))).toEqual(['prompt Go.', 'reply read(c1)=a', 'reply Done.']);
      opencode.session(database, 'ses_2', folder);
      opencode.prompt(database, 'ses_2', 1, 'Another session.');
      const count = texts.length;
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect([texts.length, problems]).toEqual([count, []]);
      following.dispose();
      following = undefined;
    });

    it('that is not in the database is an error', async () => {
      await expect(sessionBytes(`${share('opencode', 'opencode.db')}#ses_9`)).rejects.toThrow(
        'its database has no session ses_9',
      );
    });
  },
);

withSqlite('the databases of OpenCode and Kilo (need node:sqlite)', () => {
  const oneSession = (file: string, id: string) => {
    const database = opened(file, OPENCODE_TABLES['1.2']);
    opencode.session(database, id, folder);
    opencode.prompt(database, id, now, id);
  };

  it('are found under their own names, those of preview versions, and in the environment', async () => {
    oneSession(share('opencode', 'opencode.db'), 'a');
    oneSession(share('opencode', 'opencode-dev.db'), 'b');
    oneSession(share('opencode', 'other.db'), 'no');
    oneSession(share('kilo', 'kilo.db'), 'c');
    oneSession(join(home, 'given.db'), 'd');
    const names = async () => (await found()).map(({ agent, id }) => `${agent} ${id}`).toSorted();
    expect(await names()).toEqual(['kilo c', 'opencode a', 'opencode b']);
    const environment = { OPENCODE_DB: join(home, 'given.db'), XDG_DATA_HOME: join(home, 'no') };
    finder = new SessionFinder({ home, environment, now: () => now });
    expect(await names()).toEqual(['opencode d']);
  });
});

/** A time as Goose's databases have it. */
const dateOf = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 19);

withSqlite('a session of Goose 1.51 (needs node:sqlite)', () => {
  it('has the usage of each request, and its sub-agents where the database says they belong', async () => {
    const database = opened(share('goose', 'sessions', 'sessions.db'), GOOSE_TABLES[16]);
    const times = { created_at: dateOf(now), updated_at: dateOf(now) };
    const text = (words: string) => [{ type: 'text', text: words }];
    goose.session(database, '1', folder, { name: 'The parser', ...times });
    goose.session(database, '2', folder, { name: 'Newer', ...times });
    const inner = { session_type: 'sub_agent', parent_session_id: '1' };
    goose.session(database, '3', folder, { name: 'Look', ...inner, ...times });
    const second = now / 1_000;
    for (const id of ['1', '2', '3']) {
      goose.message(database, id, second, 'user', text('Go.'));
      goose.message(database, id, second + 1, 'assistant', text('Done.'));
    }
    database.exec(
      `INSERT INTO usage_ledger (session_id, created_timestamp, input_tokens, output_tokens,
        cache_read_tokens) VALUES ('1', ${second + 2}, 900, 5, 400), ('2', ${second + 2}, 7, 5, 0)`,
    );
    const sessions = await found();
    expect(sessions.map(({ id, inner }) => [id, inner.map((one) => one.id)]).toSorted()).toEqual([
      ['1', ['3']],
      ['2', []],
    ]);
    const one = sessions.find(({ id }) => id === '1');
    const text1 = (await sessionBytes(one!.file)).toString('utf8');
    expect(transcriptOf(text1).entries[1]).toMatchObject({
      usage: { inputTokens: 500, cacheReadTokens: 400, outputTokens: 5 },
    });
  });
});

withSqlite('a session of Goose (needs node:sqlite)', () => {
  const text = (words: string) => [{ type: 'text', text: words }];
  const file = () => share('goose', 'sessions', 'sessions.db');

  it('of schema version 9 has its title, model, tokens and compactions, and sub-agents below it', async () => {
    const database = opened(file(), GOOSE_TABLES[9]);
    const times = { created_at: dateOf(now), updated_at: dateOf(now + 60_000) };
    const model = { model_config_json: '{"model_name":"gpt-5.4"}', total_tokens: 9_000 };
    goose.session(database, '1', folder, { name: 'The parser', ...model, ...times });
    goose.message(database, '1', now / 1_000, 'user', text('Mend it.'), { agentVisible: false });
    const hidden = { userVisible: false, agentVisible: true };
    goose.message(database, '1', now / 1_000, 'user', text('So far.'), hidden);
    goose.message(database, '1', now / 1_000, 'assistant', text('Your context was'), hidden);
    goose.message(database, '1', now / 1_000, 'assistant', text('Done.'));
    const began = { created_at: dateOf(now + 1_000), updated_at: dateOf(now + 2_000) };
    goose.session(database, '2', folder, { name: 'Look', session_type: 'sub_agent', ...began });
    goose.message(database, '2', now / 1_000 + 1, 'user', text('Look.'));
    expect(await found()).toMatchObject([
      {
        agent: 'goose',
        id: '1',
        title: 'The parser',
        usedAt: now + 60_000,
        model: 'gpt-5.4',
        tokens: 9_000,
        compactions: 1,
        isRunning: false,
        inner: [{ id: '2', title: 'Look', isRunning: true }],
      },
    ]);
    expect(drawn((await sessionBytes(`${file()}#1`)).toString())).toEqual([
      'prompt Mend it.',
      'compacted So far.',
      'reply Done.',
    ]);
  });

  it('of schema version 1 has what that holds', async () => {
    const database = opened(file(), GOOSE_TABLES[1]);
    goose.session(database, '1', folder, { description: 'The parser', updated_at: dateOf(now) });
    goose.message(database, '1', now / 1_000, 'user', text('Go.'));
    expect(await found()).toMatchObject([
      { title: 'The parser', isRunning: true, model: undefined },
    ]);
  });
});

withSqlite('a session of Crush (needs node:sqlite)', () => {
  const at = 1_800_000_000;

  it('of 0.90 is found in its project, with its tokens and compactions, and its tasks below it', async () => {
    const database = opened(join(folder, '.crush', 'crush.db'), CRUSH_TABLES['0.90']);
    crush.session(database, 's1', at, { prompt_tokens: 8_000, completion_tokens: 1_000 });
    crush.message(database, 's1', at, 'user', [['text', { text: 'Mend it.' }]]);
    const summary = { is_summary_message: 1, model: 'claude-sonnet-4' };
    crush.message(database, 's1', at + 1, 'assistant', [['text', { text: 'So far.' }]], summary);
    const call = { id: 'c1', name: 'view', input: '{"path":"a"}' };
    const parts = [['tool_call', call] as const, ['finish', { reason: 'tool_use' }] as const];
    crush.message(database, 's1', at + 2, 'assistant', parts, { model: 'claude-sonnet-4' });
    crush.session(database, 'm$$c1', at, { parent_session_id: 's1', title: 'Look' });
    crush.message(database, 'm$$c1', at, 'user', [['text', { text: 'Look.' }]]);
    const [session] = await found();
    expect(session).toMatchObject({
      agent: 'crush',
      folder,
      tokens: 9_000,
      compactions: 1,
      model: 'claude-sonnet-4',
      usedAt: (at + 2) * 1_000,
      isRunning: true,
      inner: [{ id: 'm$$c1', title: 'Look', folder }],
    });
    expect(drawn((await sessionBytes(session!.file)).toString())).toEqual([
      'prompt Mend it.',
      'compacted So far.',
      'reply view(c1)?',
    ]);
    const result = ['tool_result', { tool_call_id: 'c1', content: 'a' }] as const;
    crush.message(database, 's1', at + 3, 'tool', [result]);
    crush.message(database, 's1', at + 4, 'assistant', [['finish', { reason: 'end_turn' }]]);
    expect(await found()).toMatchObject([{ isRunning: false }]);
    expect((await sessionBytes(session!.inner[0]!.file)).toString()).toContain('"Look."');
  });

  it('of 0.1 is found by the list of projects', async () => {
    const data = join(home, 'elsewhere');
    const database = opened(join(data, 'crush.db'), CRUSH_TABLES['0.1']);
    crush.session(database, 's1', now, { summary_message_id: 'm' });
    crush.message(database, 's1', now, 'user', [['text', { text: 'Go.' }]]);
    mkdirSync(share('crush'), { recursive: true });
    const projects = [{ path: folder, data_dir: data, last_accessed: '2026-11-24T10:00:00Z' }];
    writeFileSync(share('crush', 'projects.json'), JSON.stringify({ projects }));
    expect(await found('anywhere')).toMatchObject([
      { id: 's1', folder, compactions: 1, usedAt: now },
    ]);
  });
});

withSqlite('a thread of Zed (needs node:sqlite)', () => {
  const thread = (title: string, ...messages: readonly unknown[]) => ({
    title,
    updated_at: new Date(now).toISOString(),
    model: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
    request_token_usage: {
      u1: { input_tokens: 10, cache_read_input_tokens: 80, output_tokens: 10 },
    },
    messages,
  });
  const user = { User: { id: 'u1', content: [{ Text: 'Go.' }] } };
  const agent = { Agent: { content: [{ Text: 'Gone.' }], tool_results: {} } };

  it('has its title, model, tokens and folder, and sub-agents below it', async () => {
    const database = opened(share('zed', 'threads', 'threads.db'), ZED_TABLES.last);
    const paths = { folder_paths: `${folder}\n/lib`, folder_paths_order: '0,1' };
    zedThread(database, 't1', thread('The parser', user, agent), paths);
    zedThread(database, 't2', thread('Look', user), { ...paths, parent_id: 't1' });
    const list = await found();
    expect(list).toMatchObject([
      {
        agent: 'zed',
        id: 't1',
        title: 'The parser',
        folder,
        usedAt: now,
        model: 'claude-sonnet-4-5',
        tokens: 100,
        isRunning: false,
        inner: [{ id: 't2', title: 'Look', isRunning: true }],
      },
    ]);
    const [{ file } = { file: '' }] = list;
    expect(drawn((await sessionBytes(file)).toString())).toEqual(['prompt Go.', 'reply Gone.']);
  });

  it('that is damaged is listed by its title, and hides no other', async () => {
    const database = opened(share('zed', 'threads', 'threads.db'), ZED_TABLES.last);
    const paths = { folder_paths: folder, folder_paths_order: '0' };
    const data = Buffer.from('no frame');
    zedThread(database, 't1', thread('Torn', user), { ...paths, data_type: 'zstd', data });
    zedThread(database, 't2', thread('Whole', user, agent), paths);
    const torn = { ...paths, data_type: 'json' };
    zedThread(database, 't3', thread('Cut', user), { ...torn, data: Buffer.from('{"title": ') });
    zedThread(database, 't4', thread('Wrong', user), { ...torn, data: Buffer.from('[7]') });
    const list = await found();
    const titles = list.map(({ title, tokens }) => `${title} ${tokens}`);
    expect(titles.toSorted()).toEqual([
      'Cut undefined',
      'Torn undefined',
      'Whole 100',
      'Wrong undefined',
    ]);
    const fileOf = (wanted: string) => list.find(({ title }) => title === wanted)!.file;
    for (const title of ['Cut', 'Wrong']) {
      await expect(sessionBytes(fileOf(title))).rejects.toThrow('its thread is damaged.');
    }
    const gone = fileOf('Whole').replace('t2', 't9');
    await expect(sessionBytes(gone)).rejects.toThrow('its database has no session t9');
  });

  it('of the first versions of its table has no folder, and its JSON is not compressed', async () => {
    const database = opened(share('zed', 'threads', 'threads.db'), ZED_TABLES.first);
    const data = JSON.stringify(thread('The parser', user, agent));
    zedThread(database, 't1', thread('The parser'), { data_type: 'json', data });
    expect(await found()).toEqual([]);
    expect(await found('anywhere')).toMatchObject([{ title: 'The parser', tokens: 100 }]);
  });
});
