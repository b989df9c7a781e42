import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/contextWindow/event';
import type { SessionRun } from '../../../src/editor/session/sessionRun';
import {
  answerNeeded,
  forgetNeeds,
  neededFiles,
  needsFollower,
  noteNeeded,
  offerToRemember,
} from '../../../src/editor/session/neededInSessions';
import {
  countDots,
  dated,
  foldNew,
  passThat,
  promptEvent,
  stepEvents,
} from '../../support/drawing';

function memento() {
  const kept = new Map<string, unknown>();
  let updates = 0;
  return {
    keys: () => [...kept.keys()],
    get: <T>(key: string, otherwise?: T) => (kept.get(key) ?? otherwise) as T,
    update: (key: string, value: unknown) => {
      updates += 1;
      kept.set(key, value);
      return Promise.resolve();
    },
    setKeysForSync: () => undefined,
    updates: () => updates,
  };
}

/** A session that reads a file again after a pass, this many times. */
function session(sessionId: string, path: string, again = 1, forkedAt?: number) {
  const reads = (at: number) => stepEvents([{ id: `${at}`, name: path, tokens: 40 }]);
  const evict = (step: number): NewEvent => {
    const event = passThat('evict', [`step-${step}`]) as Extract<NewEvent, { type: 'passApplied' }>;
    return { ...event, pass: { ...event.pass, number: step, beforeStep: step + 1 } };
  };
  const events = Array.from({ length: again }, (_, at) => [evict(at + 1), ...reads(at + 2)]);
  const window = foldNew([
    { type: 'sessionStarted', version: 3, sessionId, pinTaskAnchor: true },
    promptEvent(`Task of ${sessionId}`),
    ...reads(1),
    ...events.flat(),
  ]);
  return { window, forkedAt };
}

const note = (kept: ReturnType<typeof memento>, { window, forkedAt }: ReturnType<typeof session>) =>
  noteNeeded(kept, window, { forkedAfter: forkedAt, root: '/work/app', estimate: countDots });

describe('a file that was needed again', () => {
  it('is offered once a second session of the workspace needed it, with both and their tokens', async () => {
    const kept = memento();
    await note(kept, session('a', './src/tide.ts', 2));
    await note(kept, session('b', 'src/other.ts'));
    expect(neededFiles(kept)).toEqual([]);
    await note(kept, session('c', 'src/tide.ts'));
    expect(neededFiles(kept)).toEqual([
      {
        path: 'src/tide.ts',
        sessions: [
          { id: 'a', title: 'Task of a', times: 2, tokens: 80 },
          { id: 'c', title: 'Task of c', times: 1, tokens: 40 },
        ],
      },
    ]);
  });

  it('counts a session once, at its latest number, and is stored only if that changed', async () => {
    const kept = memento();
    await note(kept, session('a', 'src/tide.ts'));
    await note(kept, session('a', 'src/tide.ts', 3));
    await note(kept, session('a', 'src/tide.ts', 3));
    expect(kept.updates()).toBe(2);
    expect(neededFiles(kept)).toEqual([]);
  });

  it('does not count in a fork what its source needed', async () => {
    const kept = memento();
    await note(kept, session('a', 'src/tide.ts'));
    await note(kept, session('fork', 'src/tide.ts', 1, 2));
    expect(neededFiles(kept)).toEqual([]);
  });

  it('no longer counts once the session that needed it has undone that, or is deleted', async () => {
    const kept = memento();
    for (const id of ['a', 'b', 'c']) await note(kept, session(id, 'src/tide.ts'));
    const names = () => neededFiles(kept).flatMap(({ sessions }) => sessions.map(({ id }) => id));
    await note(kept, session('c', 'src/tide.ts', 0));
    expect(names()).toEqual(['a', 'b']);
    await forgetNeeds(kept, 'b');
    expect(names()).toEqual([]);
    await note(kept, session('d', 'src/tide.ts'));
    expect(names()).toEqual(['a', 'd']);
  });

  it('is the same file however a session writes its path, and none outside the workspace', async () => {
    const kept = memento();
    const ways = ['/work/app/src/tide.ts', 'src/../src/tide.ts', './src/tide.ts'];
    for (const path of ways) await note(kept, session(path, path));
    for (const path of ['../other/a.ts', '/etc/hosts']) {
      for (const id of ['x', 'y']) await note(kept, session(id, path));
    }
    expect(neededFiles(kept).map(({ path, sessions }) => [path, sessions.length])).toEqual([
      ['src/tide.ts', 3],
    ]);
  });

  it('counts every session that needed it', async () => {
    const kept = memento();
    for (let id = 1; id <= 14; id += 1) await note(kept, session(`${id}`, 'src/tide.ts'));
    expect(neededFiles(kept)[0]?.sessions).toHaveLength(14);
  });

  it('is not offered again once the user has answered, whatever later sessions need', async () => {
    const kept = memento();
    for (const id of ['a', 'b']) await note(kept, session(id, 'src/tide.ts'));
    for (const id of ['a', 'b']) await note(kept, session(id, 'src/other.ts'));
    await answerNeeded(kept, 'src/tide.ts');
    await note(kept, session('c', 'src/tide.ts'));
    expect(neededFiles(kept).map(({ path }) => path)).toEqual(['src/other.ts']);
  });

  it.each([
    ['anthropic', ['src/tide.ts']],
    // The demo works by a script.
    ['offline', []],
  ])('is recorded at the end of a turn with the provider %s: %j', (provider, recorded) => {
    const kept = memento();
    const run = (work: () => unknown) => void work();
    const services = {
      context: { workspaceState: kept },
      access: {
        estimator: { estimate: countDots },
        settings: { valid: { settings: { provider } } },
      },
      report: { run },
      root: undefined,
    };
    const follower = needsFollower(services as unknown as Parameters<typeof needsFollower>[0]);
    const end = (sessionId: string, forkedAt?: number) => {
      const { window } = session(sessionId, 'src/tide.ts');
      const forkedFrom = forkedAt === undefined ? undefined : { sessionId: 'a', step: forkedAt };
      const [started] = dated([
        { type: 'sessionStarted', version: 3, sessionId, pinTaskAnchor: true, forkedFrom },
      ]);
      const ended = { window, session: { events: [started] } } as unknown as SessionRun;
      follower.ended?.(ended, { type: 'finished' });
    };
    end('a');
    end('fork', 2);
    expect(neededFiles(kept)).toEqual([]);
    end('b');
    expect(neededFiles(kept).map(({ path }) => path)).toEqual(recorded);
  });

  it('is put into the composer once, in a prompt that names it and its origin', async () => {
    const kept = memento();
    const path = 'src/·\ntide.ts';
    for (const id of ['a', 'b']) await note(kept, session(id, path));
    const offered: string[] = [];
    const composer = { offer: (text: string) => void offered.push(text) };
    expect(await offerToRemember(kept, path, composer)).toBeUndefined();
    expect(offered).toEqual([
      'Read "src/·⟨LF⟩tide.ts" and remember for this project, in one line, what later sessions need of ' +
        'it. Begin the line with the path and end it with "(needed again in 2 sessions)".',
    ]);
    expect(neededFiles(kept)).toEqual([]);
    expect(await offerToRemember(kept, path, composer)).toContain('No prompt was made');
    expect(offered).toHaveLength(1);
  });
});
