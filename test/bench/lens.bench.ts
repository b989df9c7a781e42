import { rmSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, describe } from 'vitest';
import { SessionFinder } from '../../src/recordings/lens/findSessions';
import { claude, codex, line, write } from '../recordings/lens/support/agentHomes';
import { readsDatabases } from '../../src/recordings/lens/sqliteFile';
import { opencode, OPENCODE_TABLES, openDatabase } from '../recordings/lens/support/agentDatabases';
import { gemini, pi } from '../recordings/lens/support/fileAgents';

/** As many of each of four agents, of about 60 kB each, in ten folders. */
const SESSIONS = 2_000;

const home = mkdtempSync(join(tmpdir(), 'plimsoll-lens-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
const filler = 'const keel = 1;\n'.repeat(30);
for (let number = 0; number < SESSIONS; number += 4) {
  const cwd = `/work/project${(number / 4) % 10}`;
  write(
    join(claude.project(home, cwd), `${number}.jsonl`),
    claude.prompt(`Task ${number}`, cwd),
    ...Array.from({ length: 60 }, (_, step) => [
      claude.reply(1_000 * (step + 1)),
      claude.prompt(filler, cwd, { isMeta: true }),
    ]).flat(),
  );
  write(
    codex.file(home, `c${number}`),
    codex.meta(`c${number}`, cwd),
    codex.prompt(`Task ${number}`),
    codex.turn('gpt-5.4'),
    ...Array.from({ length: 60 }, (_, step) => [
      codex.count(1_000 * (step + 1)),
      codex.event({ type: 'agent_message', message: filler }),
    ]).flat(),
  );
  write(
    pi.file(home, `p${number}`, cwd),
    pi.head(`p${number}`, cwd),
    ...Array.from({ length: 60 }, (_, step) => [
      pi.prompt(filler),
      pi.reply(1_000 * (step + 1)),
    ]).flat(),
  );
  write(
    join(gemini.project(home, 'app'), 'chats', `session-${number}.jsonl`),
    line(gemini.head(`g${number}`)),
    ...Array.from({ length: 60 }, (_, step) => [
      line(gemini.prompt(`${filler}${step}`)),
      line(gemini.reply(1_000 * (step + 1))),
    ]).flat(),
  );
}

/** In addition, one database with as many sessions, of 40 messages each, where Node can write it. */
const withDatabase = mkdtempSync(join(tmpdir(), 'plimsoll-lens-'));
process.on('exit', () => rmSync(withDatabase, { recursive: true, force: true }));
if (readsDatabases()) {
  const file = join(withDatabase, '.local', 'share', 'opencode', 'opencode.db');
  const database = openDatabase(file, ...OPENCODE_TABLES['1.2']);
  database.exec('BEGIN');
  for (let number = 0; number < SESSIONS; number += 1) {
    opencode.session(database, `s${number}`, `/work/project${number % 10}`);
    for (let at = 0; at < 40; at += 2) {
      opencode.prompt(database, `s${number}`, at, filler);
      opencode.reply(database, `s${number}`, at + 1, 1_000 * (at + 1));
    }
  }
  database.exec('COMMIT');
  database.close();
}

const machine = { home, environment: {}, now: () => Date.now() };
const FEW = { time: 0, iterations: 3, warmupIterations: 0, warmupTime: 0 };
const known = new SessionFinder(machine);

describe(`listing ${SESSIONS} sessions`, () => {
  bench(
    'for the first time (goal: 2 s)',
    async () => void (await new SessionFinder(machine).find()),
    FEW,
  );
  bench('again', async () => void (await known.find()), { ...FEW, warmupIterations: 1 });
});

describe.skipIf(!readsDatabases())(`listing ${SESSIONS} sessions of a database`, () => {
  const inDatabase = { ...machine, home: withDatabase };
  const knownDatabase = new SessionFinder(inDatabase);
  bench('for the first time', async () => void (await new SessionFinder(inDatabase).find()), FEW);
  bench('again', async () => void (await knownDatabase.find()), { ...FEW, warmupIterations: 1 });
});
