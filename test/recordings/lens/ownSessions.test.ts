import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import { tempFolder } from '../../tools/support/tempFolder';
import { LOG_VERSION } from '../../../src/contextWindow/event';
import { readHere } from '../../../src/editor/recordings/recordingFile';
import { append, line, ownSession } from './support/agentHomes';

it('a session of Plimsoll runs until its own turn has ended, whatever its sub-agents do', async () => {
  const home = realpathSync(tempFolder());
  const folder = join(home, 'app');
  mkdirSync(folder);
  const finder = new SessionFinder({ home, environment: {}, now: Date.now });
  const isRunning = async () => {
    const { sessions } = await finder.find(folder, {}, { own: true });
    return sessions.map((session) => session.isRunning);
  };
  const below = (event: object) =>
    line({ at: 8, type: 'subAgentEvent', toolUseId: 't1', event: { at: 8, ...event } });
  const file = ownSession(home, folder, 'Trim the sail.');
  expect(await isRunning()).toEqual([false]);
  append(file, line({ at: 7, type: 'promptSubmitted', turn: 2, text: 'Go on.' }));
  append(file, below({ type: 'promptSubmitted', text: 'Look.' }));
  append(file, below({ type: 'turnEnded', outcome: 'done' }));
  expect(await isRunning()).toEqual([true]);
  append(file, line({ at: 9, type: 'turnEnded', outcome: 'done' }));
  append(file, below({ type: 'promptSubmitted', text: 'Late.' }));
  expect(await isRunning()).toEqual([false]);
});

it('a sub-agent without a name or a prompt has the other as its title', async () => {
  const home = realpathSync(tempFolder());
  const file = ownSession(home, home, 'Trim the sail.');
  for (const [toolUseId, event] of [
    ['toolu_1', { type: 'sessionStarted', subAgent: 'explore' }],
    ['toolu_2', { type: 'promptSubmitted', text: 'Look.' }],
    ['toolu_3', { type: 'turnEnded' }],
  ] as const) {
    append(file, line({ at: 9, type: 'subAgentEvent', toolUseId, event }));
  }
  const finder = new SessionFinder({ home, environment: {}, now: Date.now });
  const { sessions } = await finder.find(undefined, {}, { own: true });
  const titles = sessions[0]!.inner.map(({ title }) => title);
  expect(titles).toEqual(['explore', 'Look.', 'Sub-agent']);
});

it('sub-agents of a Plimsoll session are below it, grow with its log, and open as windows', async () => {
  const home = realpathSync(tempFolder());
  const folder = join(home, 'app');
  mkdirSync(folder);
  const finder = new SessionFinder({ home, environment: {}, now: Date.now });
  const found = async () => (await finder.find(folder, {}, { own: true })).sessions[0]!.inner;
  const below = (toolUseId: string, at: number, event: object) =>
    line({ at, type: 'subAgentEvent', toolUseId, event: { at, ...event } });
  const file = ownSession(home, folder, 'Trim the sail.');
  const asked = { type: 'promptSubmitted', turn: 1, admission: { form: 'whole' } };
  expect(await found()).toEqual([]);
  append(file, line({ at: 7, type: 'promptSubmitted', turn: 2, text: 'Go on.' }));
  for (const [id, at] of [
    ['toolu_1', 10],
    ['toolu_2', 20],
  ] as const) {
    const start = {
      type: 'sessionStarted',
      version: LOG_VERSION,
      sessionId: id,
      subAgent: 'explore',
    };
    append(file, below(id, at, start));
    append(file, below(id, at + 1, { ...asked, text: `Look for ${id}.` }));
  }
  expect((await found()).map(({ title, isRunning }) => [title, isRunning])).toEqual([
    ['explore: Look for toolu_2.', true],
    ['explore: Look for toolu_1.', true],
  ]);
  const usage = { inputTokens: 900, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 100 };
  const parts = [{ type: 'text', text: 'Found.' }];
  const reply = {
    type: 'replyReceived',
    step: 1,
    model: 'm-1',
    parts,
    usage,
    stopReason: 'end_turn',
    durationMs: 1,
  };
  append(file, below('toolu_1', 30, reply));
  append(file, below('toolu_1', 31, { type: 'turnEnded', outcome: { type: 'finished' } }));
  const [newest] = await found();
  expect(newest).toMatchObject({
    id: 'toolu_1',
    file: `${file}#toolu_1`,
    tokens: 1_000,
    model: 'm-1',
    usedAt: 31,
    isRunning: false,
  });
  const read = await readHere({ file: newest!.file });
  if (!read.ok) throw new Error(read.message);
  expect(read.own?.events.map(({ type }) => type)).toEqual([
    'sessionStarted',
    'promptSubmitted',
    'replyReceived',
    'turnEnded',
  ]);
  expect(await readHere({ file: `${file}#toolu_9` })).toMatchObject({ ok: false });
});
