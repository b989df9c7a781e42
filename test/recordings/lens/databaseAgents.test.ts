import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followFile, type Following } from '../../../src/recordings/followFile';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import { sessionBytes } from '../../../src/recordings/lens/sessionBytes';
import {
  databaseMark,
  readDatabase,
  readsDatabases,
} from '../../../src/recordings/lens/sqliteFile';
import { tempFolder } from '../../tools/support/tempFolder';
import { drawn } from '../support/drawnTranscript';
import { opencode, OPENCODE_TABLES, openDatabase, type Writer } from './support/agentDatabases';

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

const found = async (within: string | undefined = folder) => {
  const { sessions, problems } = await finder.find(within);
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
      spawn(process.execPath, ['-e', script, share('opencode', 'opencode.db')]);
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
