import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENTS, LENS_AGENTS, SessionFinder } from '../../../src/recordings/lens/findSessions';
import { sessionBytes } from '../../../src/recordings/lens/sessionBytes';
import { sessionTitle, sessionWords } from '../../../src/recordings/lens/sessionWords';
import { LENS_AGENTS as IN_SETTINGS } from '../../../src/settings/settings';
import { tempFolder } from '../../tools/support/tempFolder';
import { append, claude, codex, line, write } from './support/agentHomes';
import { storedIn } from '../../../src/recordings/lens/storedSessions';
import {
  type FoundSession,
  type InnerSession,
  nested,
} from '../../../src/recordings/lens/foundSession';

let home: string;
let folder: string;
let finder: SessionFinder;
let now: number;

beforeEach(() => {
  home = realpathSync(tempFolder());
  folder = join(home, 'work', 'my.app');
  mkdirSync(folder, { recursive: true });
  now = Date.now();
  finder = new SessionFinder({ home, environment: {}, now: () => now });
});

const inProject = (name: string, cwd = folder) => join(claude.project(home, cwd), name);

/** The sessions by title, each with its sub-agents' titles. */
const titles = async (within: string | undefined = folder) =>
  (await finder.find(within)).sessions.map(({ title, inner }) =>
    inner.length === 0 ? title : [title, ...inner.map((one) => one.title)],
  );

it('The settings name the agents whose sessions are found', () => {
  expect(LENS_AGENTS).toEqual(IN_SETTINGS);
});

describe('the sessions of an empty machine', () => {
  it('are none, and a missing folder is no problem', async () => {
    expect(await finder.find(folder)).toEqual({ sessions: [], problems: [] });
    expect(await finder.find()).toEqual({ sessions: [], problems: [] });
  });
});

describe('a session of Claude Code', () => {
  it('has its title, model, tokens, compactions and folder', async () => {
    const file = write(
      inProject('a1.jsonl'),
      line({ type: 'file-history-snapshot' }),
      claude.prompt('<command-name>/clear</command-name>', folder),
      claude.prompt('Mend   the\nparser.', folder),
      claude.reply(41_000),
      claude.boundary(),
      // Text that only quotes such a line does not count.
      claude.prompt('It says {"subtype":"compact_boundary"} here.', folder),
      claude.reply(12_345),
    );
    const { sessions, problems } = await finder.find(folder);
    expect(problems).toEqual([]);
    expect(sessions).toMatchObject([
      {
        agent: 'claude-code',
        id: 'a1',
        file,
        folder,
        title: 'Mend the parser.',
        model: 'claude-sonnet-4-5',
        tokens: 12_345,
        compactions: 1,
        isRunning: false,
      },
    ]);
    expect(sessionWords(sessions[0]!, sessions[0]!.usedAt + 7_200_000).join(' · ')).toBe(
      'Claude Code · 2 h ago · claude-sonnet-4-5 · 12,345 tokens · 1 compaction',
    );
  });

  it('counts a compaction once although 2.1.197 writes its line again next to what it kept', async () => {
    const [first, second] = ['one', 'two'].map((uuid) => claude.boundary(uuid)) as [string, string];
    const file = write(
      inProject('a.jsonl'),
      claude.prompt('Go.', folder),
      claude.reply(900),
      first,
      claude.reply(300),
    );
    const compactions = async () => (await finder.find(folder)).sessions[0]!.compactions;
    expect(await compactions()).toBe(1);
    append(file, first, claude.reply(300), second, claude.reply(200));
    expect(await compactions()).toBe(2);
    append(file, second, claude.reply(200), claude.boundary('three'));
    expect(await compactions()).toBe(3);
  });

  it('that begins with a slash command has it as its title if it stands for a text', async () => {
    const command = (name: string, args = '') =>
      `<command-message>${name} is running…</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;
    const expansion = (text: string) =>
      claude.prompt(text, folder, { isMeta: true, parentUuid: 'c' });
    const output = '<local-command-stdout>Set.</local-command-stdout>';
    write(
      inProject('a.jsonl'),
      claude.prompt(command('model'), folder, { uuid: 'm' }),
      claude.prompt(output, folder, { parentUuid: 'm' }),
      claude.prompt(command('mend', 'the hull'), folder, { uuid: 'c' }),
      expansion('Mend what is named.'),
      claude.reply(900),
      claude.prompt('And the mast.', folder),
    );
    write(
      inProject('b.jsonl'),
      claude.prompt(command('model'), folder, { uuid: 'c' }),
      expansion(output),
      claude.prompt('Look.', folder),
    );
    expect(new Set(await titles())).toEqual(new Set(['/mend the hull', 'Look.']));
  });

  it('is shown without a character that is invisible or turns its title around', async () => {
    write(inProject('a1.jsonl'), claude.prompt('Go \u001B[2J\u202Egnp.exe', folder));
    const [session] = (await finder.find(folder)).sessions;
    expect(sessionTitle(session!)).toBe('Go ⟨ESC⟩[2J⟨U+202E⟩gnp.exe');
    expect(sessionTitle({ ...session!, title: '' })).toBe('No prompt yet');
    expect(sessionWords({ ...session!, model: 'a\u0007b' }, Date.now())).toContain('a⟨BEL⟩b');
  });

  it('that forks another one after its compaction has the first prompt after that as its title', async () => {
    const text = 'This session is being continued.';
    const summary = claude.prompt(text, folder, { isCompactSummary: true });
    write(inProject('f1.jsonl'), claude.boundary(), summary, claude.prompt('Look again.', folder));
    expect(await titles()).toEqual(['Look again.']);
  });

  it('is read although an editor put a byte order mark in front of it', async () => {
    write(inProject('a.jsonl'), `\uFEFF${claude.prompt('Hello.', folder)}`, claude.reply(900));
    expect(await titles()).toEqual(['Hello.']);
  });

  it('that continues another one has its own first prompt as its title, and its own compactions', async () => {
    const at = (time: string) => ({ timestamp: `2026-11-24T${time}:00.000Z` });
    const copies = [
      claude.prompt('Mend the hull.', folder, at('10:00')),
      claude.reply(900, at('10:01')),
      claude.boundary('one', at('10:02')),
      claude.reply(300, at('10:03')),
    ];
    const queued = line({ type: 'queue-operation', operation: 'enqueue', ...at('11:00') });
    const file = write(inProject('fork.jsonl'), queued, ...copies);
    const found = async () => {
      const [session] = (await finder.find(folder)).sessions;
      return [session?.title, session?.compactions];
    };
    // Nothing of its own yet.
    expect(await found()).toEqual(['Mend the hull.', 0]);
    append(file, claude.prompt('And the mast.', folder, at('11:01')), claude.reply(400));
    append(file, claude.boundary('two', at('11:02')));
    expect(await found()).toEqual(['And the mast.', 1]);
    finder = new SessionFinder({ home, environment: {}, now: () => now });
    expect(await found()).toEqual(['And the mast.', 1]);
    // A hook that ran before the first prompt has a later time.
    const hook = line({ type: 'progress', cwd: folder, ...at('11:00') });
    write(file, hook, claude.prompt('Go.', folder, at('10:59')), claude.prompt('On.', folder));
    expect((await found())[0]).toBe('Go.');
  });

  it('has the name that the user gave it', async () => {
    write(inProject('a.jsonl'), claude.prompt('Hello.', folder), claude.title('The parser'));
    expect(await titles()).toEqual(['The parser']);
  });

  it('has its sub-agents below it, of this and of older versions', async () => {
    const aside = { isSidechain: true, sessionId: 'a' };
    write(inProject('a.jsonl'), claude.prompt('Build it.', folder), claude.reply(900));
    write(inProject('a/subagents/agent-1.jsonl'), claude.prompt('Look.', folder, aside));
    write(inProject('a/subagents/agent-1.meta.json'), '{"description":"Look at the tests"}');
    write(inProject('agent-2.jsonl'), claude.prompt('Search.', folder, aside));
    const [found] = await titles();
    expect(found?.slice(0, 1)).toEqual(['Build it.']);
    expect(new Set(found?.slice(1))).toEqual(new Set(['Look at the tests', 'Search.']));
  });

  it('is running while the process that names it is alive', async () => {
    for (const id of ['alive', 'dead']) write(inProject(`${id}.jsonl`), claude.prompt(id, folder));
    const named = (pid: number, sessionId: string) =>
      write(join(home, '.claude', 'sessions', `${pid}.json`), JSON.stringify({ sessionId }));
    named(process.pid, 'alive');
    named(2 ** 22 + 1, 'dead');
    const { sessions } = await finder.find(folder);
    const running = sessions.filter(({ isRunning }) => isRunning);
    expect(running.map(({ id }) => id)).toEqual(['alive']);
  });

  it('belongs to the folder in its lines: two folders can share the name of a project', async () => {
    const twin = join(home, 'work', 'my-app');
    mkdirSync(twin);
    write(inProject('mine.jsonl'), claude.prompt('Mine.', folder));
    write(inProject('twin.jsonl', twin), claude.prompt('The twin.', twin));
    write(
      inProject('below.jsonl', join(folder, 'lib')),
      claude.prompt('Below.', join(folder, 'lib')),
    );
    write(inProject('other.jsonl', '/other'), claude.prompt('Other.', '/other'));
    expect(new Set(await titles())).toEqual(new Set(['Mine.', 'Below.']));
    expect((await finder.find()).sessions).toHaveLength(4);
  });

  it('is no session if its file holds only titles of others', async () => {
    write(inProject('t.jsonl'), line({ type: 'summary', summary: 'A title', leafUuid: 'x' }));
    expect(await titles()).toEqual([]);
  });
});

describe('a session of Codex', () => {
  it('has its title, model, tokens, window, compactions and folder', async () => {
    const file = write(
      codex.file(home, 'c1'),
      codex.meta('c1', folder),
      codex.event({ type: 'task_started' }),
      codex.prompt('Mend the parser.'),
      codex.turn('gpt-5.4'),
      codex.count(30_000),
      codex.compacted(),
      codex.count(9_000),
      codex.event({ type: 'token_count', info: null }),
    );
    const { sessions } = await finder.find(folder);
    expect(sessions).toMatchObject([
      {
        agent: 'codex',
        id: 'c1',
        file,
        folder,
        title: 'Mend the parser.',
        model: 'gpt-5.4',
        tokens: 9_000,
        windowTokens: 258_400,
        compactions: 1,
        isRunning: true,
      },
    ]);
    expect(sessionWords(sessions[0]!, sessions[0]!.usedAt).join(' · ')).toBe(
      'Codex · running · just now · gpt-5.4 · 9,000 of 258,400 tokens · 1 compaction',
    );
    append(file, codex.event({ type: 'task_complete' }));
    expect((await finder.find(folder)).sessions).toMatchObject([{ isRunning: false }]);
  });

  it('of version 0.171 has its first prompt as its title', async () => {
    const message = { type: 'item_completed', item: { type: 'AgentMessage', content: [] } };
    write(
      codex.file(home, 'c1'),
      codex.meta('c1', folder),
      codex.event(message),
      codex.promptItem('Mend the hull.'),
      codex.promptItem('And the mast.'),
      codex.count(30_000),
    );
    expect(await titles()).toEqual(['Mend the hull.']);
  });

  it('no longer runs if its turn was cut off and nothing was written since', async () => {
    write(
      codex.file(home, 'c1'),
      codex.meta('c1', folder),
      codex.event({ type: 'task_started' }),
      codex.prompt('Go.'),
    );
    now += 11 * 60_000;
    expect((await finder.find(folder)).sessions).toMatchObject([{ isRunning: false }]);
  });

  it('has its sub-agents below it, and the name it was given', async () => {
    const spawned = { subagent: { thread_spawn: { parent_thread_id: 'c1', depth: 1 } } };
    write(codex.file(home, 'c1'), codex.meta('c1', folder), codex.prompt('Go.'));
    write(codex.file(home, 'c2'), codex.meta('c2', folder, spawned), codex.prompt('Look.'));
    write(
      codex.file(home, 'c3'),
      codex.meta('c3', folder, { subagent: 'review' }),
      codex.prompt('R.'),
    );
    write(join(home, '.codex', 'session_index.jsonl'), line({ id: 'c1', thread_name: 'The keel' }));
    const found = await titles();
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(['The keel', 'Look.']);
  });

  it('is found in the archive and compressed, where this Node can read it', async () => {
    const text = codex.meta('z', folder) + codex.prompt('Compressed.');
    const archived = join(home, '.codex', 'archived_sessions', 'rollout-2026-z.jsonl');
    write(archived, codex.meta('a', folder), codex.prompt('Archived.'));
    const { zstdCompressSync: compress } = zlib as {
      readonly zstdCompressSync?: (text: string) => Buffer;
    };
    const file = `${codex.file(home, 'z')}.zst`;
    write(file, compress === undefined ? text : '');
    if (compress !== undefined) {
      const { writeFileSync } = await import('node:fs');
      writeFileSync(file, compress(text));
    }
    const { sessions, problems } = await finder.find(folder);
    const found = new Set(sessions.map(({ title }) => title));
    if (compress === undefined) {
      expect(found).toEqual(new Set(['Archived.']));
      expect(problems).toEqual([
        expect.stringMatching(/z\.jsonl\.zst cannot be read: .*zstd.*Node 22\.15 or later.*update/),
      ]);
    } else expect([found, problems]).toEqual([new Set(['Archived.', 'Compressed.']), []]);
  });
});

describe('the list', () => {
  it('has the newest session first, whatever the agent', async () => {
    const files = [
      write(inProject('a.jsonl'), claude.prompt('First.', folder)),
      write(codex.file(home, 'c'), codex.meta('c', folder), codex.prompt('Second.')),
      write(inProject('b.jsonl'), claude.prompt('Third.', folder)),
    ];
    files.forEach((file, at) => utimesSync(file, at + 1, at + 1));
    expect(await titles()).toEqual(['Third.', 'Second.', 'First.']);
  });

  it('follows a file that grows, and waits for a half-written line', async () => {
    const file = write(inProject('a.jsonl'), claude.prompt('Go.', folder), claude.reply(1_000));
    const tokens = async () => (await finder.find(folder)).sessions[0]?.tokens;
    expect(await tokens()).toBe(1_000);
    const next = claude.reply(2_000);
    append(file, claude.boundary(), next.slice(0, 40));
    expect(await tokens()).toBe(1_000);
    append(file, next.slice(40));
    expect(await tokens()).toBe(2_000);
    expect((await finder.find(folder)).sessions[0]).toMatchObject({ title: 'Go.', compactions: 1 });
    write(file, claude.prompt('Begun again.', folder), claude.reply(50));
    expect((await finder.find(folder)).sessions[0]).toMatchObject({
      title: 'Begun again.',
      tokens: 50,
      compactions: 0,
    });
    unlinkSync(file);
    expect(await titles()).toEqual([]);
  });

  it('says what cannot be read, and shows the rest', async () => {
    write(inProject('a.jsonl'), claude.prompt('Go.', folder));
    mkdirSync(inProject('broken.jsonl'));
    const { sessions, problems } = await finder.find(folder);
    expect(sessions).toHaveLength(1);
    expect(problems).toEqual([expect.stringMatching(/broken\.jsonl cannot be read: EISDIR$/)]);
  });

  it.skipIf(process.platform === 'win32')('reads no pipe and no device', async () => {
    const [pipe, device] = [inProject('p.jsonl'), inProject('z.jsonl')];
    write(inProject('a1.jsonl'), claude.prompt('Go.', folder));
    execFileSync('mkfifo', [pipe]);
    symlinkSync('/dev/zero', device);
    const database = join(folder, '.crush', 'crush.db');
    mkdirSync(dirname(database));
    execFileSync('mkfifo', [database]);
    const { sessions, problems } = await finder.find(folder);
    expect(sessions.map(({ title }) => title)).toEqual(['Go.']);
    expect(problems.toSorted()).toEqual(
      [database, pipe, device]
        .map((file) => `${file} cannot be read: it is not a regular file`)
        .toSorted(),
    );
    for (const file of [pipe, device, `${database}#s1`]) {
      await expect(sessionBytes(file)).rejects.toThrow('it is not a regular file');
    }
  });

  it('looks in the folders that the settings or the environment name instead', async () => {
    const elsewhere = join(home, 'elsewhere');
    write(inProject('a.jsonl'), claude.prompt('Home.', folder));
    write(
      inProject('b.jsonl').replace(join(home, '.claude'), elsewhere),
      claude.prompt('Elsewhere.', folder),
    );
    const found = async (places: Parameters<SessionFinder['find']>[1]) =>
      (await finder.find(folder, places)).sessions.map(({ title }) => title);
    expect(await found({})).toEqual(['Home.']);
    expect(await found({ 'claude-code': elsewhere })).toEqual(['Elsewhere.']);
    expect(await found({ 'claude-code': '~/elsewhere' })).toEqual(['Elsewhere.']);
    expect(await found({ 'claude-code': [] })).toEqual([]);
    const around = { home, now: () => now, environment: { CLAUDE_CONFIG_DIR: elsewhere } };
    const { sessions } = await new SessionFinder(around).find(folder);
    expect(sessions.map(({ title }) => title)).toEqual(['Elsewhere.']);
    expect(AGENTS.codex.places({ ...around, environment: { CODEX_HOME: '/c' } })).toEqual(['/c']);
  });
});

describe('sub-agents', () => {
  const session = (id: string, parent?: string) =>
    ({ id, parent, usedAt: 1, inner: [] }) as unknown as InnerSession;
  const shown = (sessions: readonly FoundSession[]): string =>
    sessions.map(({ id, inner }) => (inner.length === 0 ? id : `${id}(${shown(inner)})`)).join(' ');

  it('are below the session that started them', () => {
    expect(shown(nested([session('a'), session('b', 'a'), session('c', 'b')]))).toBe('a(b(c))');
    expect(shown(nested([session('b', 'gone')]))).toBe('b');
  });

  it('are all listed if they name each other', () => {
    const circle = [session('a', 'b'), session('b', 'a'), session('c', 'a'), session('d', 'd')];
    expect(shown(nested(circle))).toBe('a b c d');
  });
});

it('a name with a broken escape is that of a file', () => {
  expect(storedIn('/x.db#100%')).toBeUndefined();
  expect(storedIn('/x.db#ses%201')).toEqual({ database: '/x.db', id: 'ses 1' });
});
