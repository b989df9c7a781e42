import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import { tempFolder } from '../../tools/support/tempFolder';
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
