import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FindingThread } from '../../../src/editor/recordings/findingThread';
import { LENS_AGENTS, SessionFinder } from '../../../src/recordings/lens/findSessions';
import { readsDatabases } from '../../../src/recordings/lens/sqliteFile';
import { claude, write } from '../../recordings/lens/support/agentHomes';
import {
  opencode,
  OPENCODE_TABLES,
  openDatabase,
} from '../../recordings/lens/support/agentDatabases';
import { tempFolder } from '../../tools/support/tempFolder';
import { type BuiltWorkers, builtWorkers } from './support/panelOnThread';

let built: BuiltWorkers;

beforeAll(async () => {
  built = await builtWorkers();
});
afterAll(() => built.remove());

function finding(workerPath: string): FindingThread {
  const finder = new FindingThread(workerPath);
  onTestFinished(() => finder.dispose());
  return finder;
}

/** Places below a folder that the tests fill; agents without one are off. */
function placesIn(home: string) {
  const off = Object.fromEntries(LENS_AGENTS.map((agent) => [agent, []]));
  return { ...off, 'claude-code': join(home, '.claude'), opencode: join(home, 'opencode') };
}

describe('a search for sessions in a thread of its own', () => {
  it('finds what one in this thread finds, again after a file has grown', async () => {
    const home = tempFolder();
    const places = placesIn(home);
    const file = write(
      join(claude.project(home, '/ws'), 'a.jsonl'),
      claude.prompt('Mend the hull.', '/ws'),
      claude.reply(1_000),
    );
    if (readsDatabases()) {
      const path = join(home, 'opencode', 'opencode.db');
      const database = openDatabase(path, ...OPENCODE_TABLES['1.2']);
      opencode.session(database, 'o', '/ws');
      opencode.prompt(database, 'o', 1, 'Sew the flag.');
      database.close();
    }
    const finder = finding(built.worker);
    const [there, elsewhere] = await Promise.all([
      finder.find('/ws', places),
      finder.find('/other', places),
    ]);
    expect(there).toEqual(await new SessionFinder().find('/ws', places));
    expect(there.sessions).toHaveLength(readsDatabases() ? 2 : 1);
    expect(elsewhere.sessions).toEqual([]);
    writeFileSync(file, claude.reply(2_000), { flag: 'a' });
    expect((await finder.find(undefined, places)).sessions[0]).toMatchObject({ tokens: 2_000 });
  });

  it('ends a search that takes too long, and starts again', async () => {
    const worker = join(built.folder, 'waiting.js');
    writeFileSync(worker, `require('node:worker_threads').parentPort.on('message', () => {});`);
    const finder = new FindingThread(worker, 1_000);
    onTestFinished(() => finder.dispose());
    const problem =
      'The sessions of other agents could not be listed (it took more than 1 s). Refresh the view to try again.';
    for (const time of [1, 2])
      expect([time, await finder.find()]).toEqual([time, { sessions: [], problems: [problem] }]);
  });

  it('says what happened and what to do if its thread fails, and starts again', async () => {
    const worker = join(built.folder, 'failing.js');
    const failing = `require('node:worker_threads').parentPort.on('message', () => { throw new Error('no memory'); });`;
    writeFileSync(worker, failing);
    const finder = finding(worker);
    const problem =
      'The sessions of other agents could not be listed (no memory). Refresh the view to try again.';
    expect(await finder.find()).toEqual({ sessions: [], problems: [problem] });
    expect(await finder.find()).toEqual({ sessions: [], problems: [problem] });
    const waiting = finder.find();
    finder.dispose();
    expect(await waiting).toEqual({ sessions: [], problems: [] });
    expect(await finder.find()).toEqual({ sessions: [], problems: [] });
  });
});
