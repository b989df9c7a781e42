import { mkdirSync, readFileSync, realpathSync, rmSync, unlinkSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { claude, codex, line, ownSession, write } from '../recordings/lens/support/agentHomes';
import {
  EXCHANGES,
  recordRequests,
  sessionText,
} from '../recordings/captures/support/recordedRequests';
import { dated, drawnEvents } from '../support/drawing';
import { tempFolder } from '../tools/support/tempFolder';
import { plimsoll } from './support/plimsoll';

let home: string;
let folder: string;

beforeEach(() => {
  home = realpathSync(tempFolder());
  folder = join(home, 'app');
  mkdirSync(folder);
});

const inspect = (...args: readonly string[]) =>
  plimsoll(['inspect', ...args], folder, undefined, home);

const session = (...lines: readonly string[]) =>
  write(join(claude.project(home, folder), 'abc123.jsonl'), ...lines);

/** A reply with its usage: uncached input, cache writes and cache reads. */
const reply = (id: string, written: number, read: number, timestamp: string) =>
  line({
    type: 'assistant',
    timestamp,
    message: {
      id,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'Looked.' }],
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: read,
        output_tokens: 5,
      },
    },
  });

const compacted = [
  claude.prompt('Mend the parser.', ''),
  reply('m1', 20_000, 0, '2026-11-24T10:00:00Z'),
  claude.prompt('And the lexer.', ''),
  reply('m2', 1_000, 20_000, '2026-11-24T10:01:00Z'),
  claude.boundary(),
  claude.prompt('A summary of the parser.', '', { isCompactSummary: true }),
  claude.prompt('Go on.', ''),
  reply('m3', 9_000, 0, '2026-11-24T10:02:00Z'),
  claude.prompt('And the tests.', ''),
  reply('m4', 9_500, 0, '2026-11-24T10:30:00Z'),
];

describe('plimsoll inspect', () => {
  it('shows how full the window is, what was removed, the cost and the cache rewrites', async () => {
    const file = session(...compacted);
    const { code, stdout } = await inspect(file);
    expect(code).toBe(0);
    expect(stdout).toContain('claude-code · claude-sonnet-4-5 · 4 steps');
    expect(stdout).toMatch(
      /Window after step 4: ≈ 9,5\d\d of 200,000 tokens \(5 % of the window\), estimate/,
    );
    expect(stdout).toMatch(/ {2}Not in the recording +≈ [\d,]+/);
    expect(stdout).toMatch(
      /Removed\n {2}Compaction 1 before step 3: 21,010 → 9,010 tokens\n {4}4 blocks replaced by a summary, none kept\.\n/,
    );
    expect(stdout).toContain(
      '    The next request wrote 9,000 tokens to the prompt cache: $0.0338.\n',
    );
    expect(stdout).toMatch(/ {4}Prompt: And the lexer\.: ≈ [\d,]+ tokens, not in the summary\n/);
    expect(stdout).toContain('    Nothing of it was needed again.\n');
    expect(stdout).toMatch(/Cost: \$0\.\d{3}, 4 requests, 34 % of the input read from the cache/);
    expect(stdout).toContain('Cache rewrites: 3 of 4 requests made 97 % of all cache writes');
    expect(stdout).toContain('  first request: 1 request, 20,000 tokens, $0.075');
    expect(stdout).toContain('  cache expired after 28 minutes: 1 request, 9,500 tokens, $0.0356');
    expect(stdout).toContain('  compaction: 1 request, 9,000 tokens, $0.0338');
    expect(stdout).toContain('Reconstructed: this file has no system prompt or tools.');
  });

  it('says for how many steps the requests were recorded, by the settings of the agent', async () => {
    const captures = join(home, 'captures');
    recordRequests(captures, EXCHANGES.slice(5), { isIndexed: true });
    write(
      join(home, '.claude', 'settings.json'),
      JSON.stringify({ env: { OTEL_LOG_RAW_API_BODIES: `file:${captures}` } }),
    );
    const { stdout } = await inspect(session(sessionText()));
    expect(stdout).toContain(
      'Exact for 2 of 4 steps, whose requests were recorded. The others are reconstructed.',
    );
    expect(stdout).toMatch(/ {2}Tools +≈ [\d,]+\n {2}System prompt +≈ [\d,]+/);
  });

  it('finds the requests that Plimsoll made an agent record in any editor', async () => {
    const storage = join(home, '.config/Code/User/globalStorage/plimsoll.plimsoll/requests');
    recordRequests(join(storage, 'claude-code'), EXCHANGES.slice(5), { isIndexed: true });
    expect((await inspect(session(sessionText()))).stdout).toContain('Exact for 2 of 4 steps');
  });

  it('lists the largest removed block first', async () => {
    const long = 'Mend the lexer, too. '.repeat(40);
    const { stdout } = await inspect(
      session(...compacted.with(2, claude.prompt(long, '')), ...compacted.slice(4, 7)),
    );
    const [, first = '', second = ''] = stdout.split(/^ {2}Compaction \d.*\n/m);
    const sizes = [...first.matchAll(/^ {4}\w.*: ≈ ([\d,]+) tokens/gm)].map(([, size = '']) =>
      Number(size.replace(',', '')),
    );
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sizes[0]).toBeGreaterThan(100);
    expect(second).not.toBe('');
  });

  it('says where the window has each standing rule, and which the agent lost', async () => {
    const rules = ['Never use globals.', 'Always keep the old names.'];
    const lines = compacted.map((one) =>
      one
        .replace('And the lexer.', `And the lexer. ${rules[0]}`)
        .replace('And the tests.', `And the tests. ${rules[1]}`),
    );
    const { stdout } = await inspect(session(...lines));
    expect(stdout).toContain(
      `Standing rules\n  not in the window: ${rules[0]}\n  in its prompt: ${rules[1]}\n\n`,
    );
    const { stdout: without } = await inspect(session(...compacted));
    expect(without).not.toContain('Standing rules');
  });

  it('says that a cost is not recorded where the file has no usage, and does not call it nothing', async () => {
    const { message, ...rest } = JSON.parse(reply('m1', 1, 1, '2026-11-24T10:00:00Z'));
    const { usage: _usage, ...said } = message;
    session(claude.prompt('Mend the parser.', ''), line({ ...rest, message: said }));
    const { stdout } = await inspect('abc123');
    expect(stdout).toContain('\nCost: not recorded\n');
    const { stdout: all } = await inspect('--all');
    expect(all).toContain(
      '1 session, $0.00 at list prices, without 1 of them whose price is not known\n',
    );
    const page = join(home, 'report.html');
    await inspect('abc123', '--report', page);
    expect(readFileSync(page, 'utf8')).toContain('<h2>Cost</h2><p>Not recorded.</p>');
  });

  it('weighs a session without counts for its own model, as plimsoll replay does', async () => {
    const sizeUnder = async (model: string) => {
      const { message, ...rest } = JSON.parse(reply('m1', 1, 1, '2026-11-24T10:00:00Z'));
      const { usage: _usage, ...said } = message;
      const text = 'Mend the parser of the harbour. '.repeat(200);
      session(claude.prompt(text, ''), line({ ...rest, message: { ...said, model } }));
      const { stdout } = await inspect('abc123');
      return Number(/Window after step 1: ≈ ([\d,]+) of/.exec(stdout)![1]!.replace(',', ''));
    };
    const [older, newer] = [
      await sizeUnder('claude-sonnet-4-5'),
      await sizeUnder('claude-opus-4-7'),
    ];
    expect(newer / older).toBeGreaterThan(1.2);
  });

  it("says in a report that a price is the file's own", async () => {
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 90, cost: { total: 7.25 } };
    const file = write(
      join(home, 'own.jsonl'),
      line({ type: 'session' }),
      line({ type: 'message', message: { role: 'user', content: 'Mend the parser.' } }),
      line({
        type: 'message',
        message: {
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [{ type: 'text', text: 'Done.' }],
          usage,
        },
      }),
    );
    const page = join(home, 'report.html');
    const { stdout } = await inspect(file, '--report', page);
    expect(readFileSync(page, 'utf8').replaceAll('<!-- -->', '')).toContain(
      '$7.25 as its file says',
    );
    expect(stdout).not.toContain('list prices');
  });

  it('sums up the sessions of all agents that were used within a time', async () => {
    session(...compacted);
    const others = compacted.map((one) => one.replace(/"m(\d)"/, '"o$1"'));
    const old = write(join(claude.project(home, folder), 'old.jsonl'), ...others);
    utimesSync(old, 1_000, 1_000);
    const { code, stdout } = await inspect('--all', '--since', '30d');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        '1 session, $0.155 at list prices',
        '1 compaction of other agents; needed again afterwards: nothing',
        'Cache rewrites: 3 of 4 requests made 97 % of all cache writes',
        '  first request: 1 request, 20,000 tokens, $0.075',
        '  cache expired after 28 minutes: 1 request, 9,500 tokens, $0.0356',
        '  compaction: 1 request, 9,000 tokens, $0.0338',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await inspect('--all', '--json')).stdout)).toMatchObject({
      sessions: 2,
      compactions: 2,
      unpriced: 0,
    });
    const { stdout: replayed, stderr } = await inspect('--all', '--since', '30d', '--windows');
    expect(stderr).toContain('  session 1 of 1: replaying 4 steps\n');
    expect(replayed.slice(stdout.length)).toMatch(
      new RegExp(
        '^1 session replayed with the policy ladder, cache simulated:\n' +
          '  window +cost  passes  needed again  over budget  edits visible\n' +
          ['64,000', '128,000', '200,000']
            .map((size) => `  ${size} +≈ \\$0\\.\\d{3} +0 +0 +0 +none\n`)
            .join('') +
          '$',
      ),
    );
    expect((await inspect('--windows')).stderr).toContain('--windows needs --all.');
    expect((await inspect('--since', '30d')).stderr).toContain('--since needs --all.');
    expect((await inspect('--all', '--since', 'May')).stderr).toContain(
      '--since must be a time such as 12h, 30d or 4w, not "May".',
    );
    expect((await inspect('--all', '--step', '2')).stderr).toContain('--all takes no session');
  });

  it('replays a session in windows with the pauses of those before it in its folder', async () => {
    const minutes = (at: number) => new Date(Date.UTC(2026, 10, 20, 8, at)).toISOString();
    const talk = (name: string, from: number, pause: number, at = folder) => {
      const lines = [0, 1, 2, 3].flatMap((index) => [
        claude.prompt(`Question ${index}. ${'word '.repeat(2_000)}`, at),
        reply(`${name}${index}`, 2_500, index * 2_500, minutes(from + index * pause)),
      ]);
      const path = write(join(claude.project(home, at), `${name}.jsonl`), ...lines);
      utimesSync(path, from * 60, from * 60);
    };
    const usd = async () => {
      const { stdout } = await inspect('--all', '--windows', '--json');
      return JSON.parse(stdout).windows.map((one: { usd: number }) => one.usd) as number[];
    };
    const [first, second, last] = [
      () => talk('a', 0, 10),
      () => talk('b', 100, 10),
      () => talk('c', 200, 1),
    ];
    first();
    second();
    const before = await usd();
    last();
    const all = await usd();
    rmSync(claude.project(home, folder), { recursive: true });
    last();
    const alone = await usd();
    // The last one pauses never: only the two before it make an hour of cache pay.
    for (const [at, sum] of all.entries()) {
      expect(sum - before[at]!).toBeGreaterThan(alone[at]! * 1.1);
    }
    // Pauses in another folder say nothing about it.
    const other = join(home, 'other');
    mkdirSync(other);
    talk('a', 0, 10, other);
    talk('b', 100, 10, other);
    for (const [at, sum] of (await usd()).entries()) {
      expect(sum - before[at]!).toBeCloseTo(alone[at]!, 9);
    }
  });

  it('counts once what a session has copied from the one that it continues', async () => {
    utimesSync(session(...compacted), 1_000_000, 1_000_000);
    const { stdout: alone } = await inspect('--all', '--json');
    const fork = [...compacted, claude.prompt('Now fork.', ''), reply('m5', 10, 9_500, '')];
    write(join(claude.project(home, folder), 'fork.jsonl'), ...fork);
    const [one, both] = [alone, (await inspect('--all', '--json')).stdout].map((text) =>
      JSON.parse(text),
    );
    expect(both).toMatchObject({ sessions: 2, compactions: one.compactions });
    expect(both.cacheWrites).toEqual({
      ...one.cacheWrites,
      requests: one.cacheWrites.requests + 1,
      tokens: one.cacheWrites.tokens + 10,
      otherTokens: one.cacheWrites.otherTokens + 10,
    });
    // A fork from after the compaction begins with its summary, which does not count as a compaction.
    write(
      join(claude.project(home, folder), 'fork.jsonl'),
      ...compacted.slice(5),
      ...fork.slice(-2),
    );
    expect(JSON.parse((await inspect('--all', '--json')).stdout)).toEqual(both);
    expect(both.usd - one.usd).toBeCloseTo((10 * 3 + 10 * 3.75 + 9_500 * 0.3 + 5 * 15) / 1e6, 9);
  });

  it('counts what a fork needs again of what a compaction of its origin removed', async () => {
    const read = (id: string, at: string) => {
      const { message, ...rest } = JSON.parse(reply(id, 10, 9_000, at));
      const input = { file_path: '/w/hull.ts' };
      const content = [{ type: 'tool_use', id, name: 'Read', input }];
      const result = {
        type: 'tool_result',
        tool_use_id: id,
        content: '1\tconst planks = 40;\n'.repeat(9),
      };
      return [
        line({ ...rest, message: { ...message, content } }),
        line({ type: 'user', message: { role: 'user', content: [result] } }),
      ];
    };
    const origin = [
      claude.prompt('Mend the hull.', ''),
      ...read('m1', '2026-11-24T10:00:00Z'),
      reply('m2', 10, 9_000, '2026-11-24T10:01:00Z'),
      claude.boundary(),
      claude.prompt('A summary.', '', { isCompactSummary: true }),
      reply('m3', 10, 9_000, '2026-11-24T10:02:00Z'),
    ];
    utimesSync(session(...origin), 1_000_000, 1_000_000);
    const fork = [...read('m4', '2026-11-24T11:00:00Z'), reply('m5', 10, 9_000, '')];
    write(join(claude.project(home, folder), 'fork.jsonl'), ...origin, ...fork);
    const all = JSON.parse((await inspect('--all', '--json')).stdout);
    expect(all).toMatchObject({ sessions: 2, compactions: 1, neededAgain: { read: 1 } });
    // A copy of the fork needs nothing more.
    write(join(claude.project(home, folder), 'copy.jsonl'), ...origin, ...fork);
    const copied = JSON.parse((await inspect('--all', '--json')).stdout);
    expect(copied).toMatchObject({ sessions: 3, compactions: 1, neededAgain: { read: 1 } });
  });

  it('counts the copies in a fork of Codex once, although they have another time', async () => {
    const row = (type: string, payload: object, timestamp: string) =>
      line({ type, payload, timestamp });
    const says = (role: string, text: string, at: string) =>
      row('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] }, at);
    const count = (input: number, total: number, at: string) => {
      const last_token_usage = { input_tokens: input, cached_input_tokens: 0, output_tokens: 5 };
      const info = { last_token_usage, total_token_usage: { input_tokens: total } };
      return row('event_msg', { type: 'token_count', info }, at);
    };
    const talk = (id: string, at: string) => [
      row('session_meta', { id, cwd: folder, source: 'cli' }, at),
      row('turn_context', { model: 'claude-sonnet-4-5' }, at),
      row('event_msg', { type: 'user_message', message: 'Say hi' }, at),
      says('user', 'Say hi', at),
      says('assistant', 'Hi.', at),
      count(9_000, 9_000, at),
    ];
    const [early, late] = ['2026-11-24T10:00:00Z', '2026-11-24T11:00:00Z'];
    utimesSync(write(codex.file(home, 'a'), ...talk('a', early)), 1_000, 1_000);
    // The same words and counts in a session of their own.
    utimesSync(write(codex.file(home, 'b'), ...talk('b', early)), 2_000, 2_000);
    const fork = [
      row('session_meta', { id: 'c', cwd: folder, source: 'cli' }, late),
      ...talk('a', late),
      says('user', 'Again', late),
      says('assistant', 'Hi again.', late),
      count(9_100, 18_100, late),
    ];
    write(codex.file(home, 'c'), ...fork);
    const { stdout, stderr } = await inspect('--all', '--windows', '--json');
    const { cacheWrites, usd, windows } = JSON.parse(stdout);
    expect(stderr).not.toContain('left out');
    expect(cacheWrites.requests).toBe(3);
    write(codex.file(home, 'c'), ...talk('a', late));
    const { stdout: without } = await inspect('--all', '--windows', '--json');
    const { usd: less, windows: fewer } = JSON.parse(without);
    const [tokens, reply] = [9_100, 5];
    expect(usd - less).toBeCloseTo((tokens * 3 + reply * 15) / 1e6, 9);
    // Nothing is replayed twice: a fork without steps of its own adds nothing.
    unlinkSync(codex.file(home, 'c'));
    const { stdout: alone } = await inspect('--all', '--windows', '--json');
    expect(fewer).toEqual(JSON.parse(alone).windows);
    expect(windows[0].usd).toBeGreaterThan(fewer[0].usd);
    expect(windows[0].usd).toBeLessThan(1.9 * fewer[0].usd);
  });

  it('takes no rule of a forked session from the summary that it begins with', async () => {
    const said = 'Go on without asking the user any further questions.';
    const file = session(
      claude.boundary(),
      claude.prompt(said, folder, { isCompactSummary: true }),
      claude.prompt('Never touch the lexer.', folder),
      reply('m1', 10, 20_000, '2026-11-24T10:00:00Z'),
    );
    const { report } = JSON.parse((await inspect(file, '--json')).stdout);
    expect(report.rules.map(({ text }: { text: string }) => text)).toEqual([
      'Never touch the lexer.',
    ]);
    const { stdout } = await plimsoll(['sessions', '--all', '--json'], folder, undefined, home);
    expect(JSON.parse(stdout)).toMatchObject([{ compactions: 0 }]);
  });

  it('saves a page that loads nothing and has no text of the session, and replaces no file', async () => {
    const file = session(...compacted);
    const { code, stdout, stderr } = await inspect(file, '--report', 'report.html');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('It has numbers only. Read it before you share it.');
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    for (const sentence of [
      'Compaction 1 before step 3: 21,010 → 9,010 tokens',
      '4 blocks replaced by a summary, none kept.',
      'Nothing of it was needed again.',
      '3 of 4 requests made 97 % of all cache writes.',
      'compaction: 1 request, 9,000 tokens, $0.0338',
      '34 % of the input read from the cache',
      'Reconstructed: this file has no system prompt or tools.',
    ]) {
      expect(page.replace(/<!-- -->/g, '')).toContain(sentence);
    }
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'");
    expect(page).not.toMatch(/<script|https?:|url\(|parser|lexer|Looked|abc123/i);
    const again = await inspect(file, '--report', 'report.html');
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/report\.html was not written: .*Name another file\./);
  });

  it('marks a sum with the cost of a server that does not count reliably', async () => {
    const events = dated(drawnEvents('1 anchor task 30\n1 step a.ts 40'));
    const shown = async (inputTokens: number) => {
      const usage = { inputTokens, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };
      const charged = events.map((event) =>
        event.type === 'replyReceived'
          ? { ...event, model: 'claude-sonnet-4-5', usage, uncounted: true }
          : event,
      );
      write(ownSession(home, folder, 'Trim'), ...charged.map((event) => line(event)));
      return (await inspect('--all')).stdout;
    };
    expect(await shown(100_000)).toContain('1 session, ≈ $0.30 at list prices\n');
    expect(await shown(1_400)).toContain('1 session, ≈ $0.0042 at list prices\n');
  });

  it('removes nothing where the agent has not compacted', async () => {
    const { stdout } = await inspect(session(...compacted.slice(0, 4)));
    expect(stdout).toContain('Nothing was removed.');
    expect(stdout).not.toMatch(/compaction|Needed again/);
  });

  it('finds a session by the beginning of its id, or the newest of the folder', async () => {
    session(claude.prompt('Mend it.', folder), reply('m1', 20_000, 0, '2026-11-24T10:00:00Z'));
    for (const args of [['abc'], []]) {
      expect((await inspect(...args)).stdout).toMatch(/^abc123\.jsonl\n/);
    }
    const { code, stderr } = await inspect('zzz');
    expect([code, stderr]).toEqual([
      1,
      'plimsoll: there is no file or session zzz. See plimsoll sessions --all.\n',
    ]);
  });

  it("takes Plimsoll's own session where that is the newest one", async () => {
    const other = session(claude.prompt('Mend it.', folder), reply('m1', 20_000, 0, ''));
    const own = ownSession(home, folder, 'Trim');
    utimesSync(other, 1_000, 1_000);
    // Its log is only as long as the list needs it.
    expect((await inspect()).stderr).toContain(basename(own));
    utimesSync(own, 10, 10);
    expect((await inspect()).stdout).toMatch(/^abc123\.jsonl\n/);
  });

  it('shows an earlier step, also as JSON, and refuses an unknown one', async () => {
    const file = session(...compacted);
    const report = JSON.parse((await inspect(file, '--step', '2', '--json')).stdout).report;
    expect(report).toMatchObject({ step: 2, steps: 4, passes: [] });
    const used: number = report.balance.used.tokens;
    expect(used).toBe(21_010);
    const { code, stderr } = await inspect(file, '--step', '9');
    expect(code).toBe(1);
    expect(stderr).toContain('there is no step 9 in');
  });

  it('marks what would steer a terminal, in names and in text', async () => {
    const model = 'evil\u001B[2J\nmodel';
    const said = reply('m1', 9, 9, '').replace(
      'claude-sonnet-4-5',
      JSON.stringify(model).slice(1, -1),
    );
    const { stdout } = await inspect(session(claude.prompt('Go.', ''), said));
    expect(stdout).not.toContain('\u001B');
    expect(stdout).toContain('evil⟨ESC⟩[2J model');
  });
});
