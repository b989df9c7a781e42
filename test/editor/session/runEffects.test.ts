import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { AgentController } from '../../../src/editor/session/agentController';
import type * as Effects from '../../../src/editor/session/runEffects';
import type { SessionRun } from '../../../src/editor/session/sessionRun';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import { FINISHED, settled } from '../support/controllerScene';

const editor = vi.hoisted(() => ({
  told: [] as string[],
  choice: undefined as string | undefined,
  state: { focused: true },
}));

vi.mock('vscode', () => ({
  window: {
    state: editor.state,
    showInformationMessage: async (message: string, ...buttons: string[]) => {
      editor.told.push(`${message} [${buttons.join()}]`);
      return editor.choice;
    },
    showWarningMessage: async (message: string) => void editor.told.push(message),
  },
  workspace: { workspaceFolders: [] },
}));

let MOST_AT_WORK: typeof Effects.MOST_AT_WORK;
let runEffects: typeof Effects.runEffects;

beforeAll(async () => {
  // Other tests of this worker may have loaded it with another stand-in.
  vi.resetModules();
  ({ MOST_AT_WORK, runEffects } = await import('../../../src/editor/session/runEffects'));
});

const run = (title: string) =>
  ({ window: { ...EMPTY_WINDOW, state: { title } }, events: [] }) as unknown as SessionRun;

function scene() {
  editor.told = [];
  editor.choice = undefined;
  editor.state.focused = true;
  const done: string[] = [];
  const logged: string[] = [];
  const did = (what: string) => () => void done.push(what);
  const [first, other] = [run('The first'), run('The other')];
  const state = { shown: first, atWork: [first] };
  const place = {
    parts: { now: () => 7, runTurn: undefined, continueTurn: undefined },
    report: {
      run: (work: () => unknown) => void work(),
      trace: (words: string) => logged.push(`trace ${words}`),
      info: (words: string) => logged.push(`info ${words}`),
      warn: (words: string) => logged.push(`warn ${words}`),
    },
    registry: { start: () => ({ session: 'begun behind' }) },
    desk: { start: () => 'begun and shown' },
    access: { settings: { valid: { settings: { context: {} } } } },
    shown: {
      weigh: did('weighed'),
      showRun: async (one: SessionRun) => void done.push(`showed ${one === other}`),
      turnBroke: (_: unknown, one: SessionRun) => done.push(`broke ${one === other}`),
    },
    controller: () => state as unknown as AgentController,
    views: () => ({
      publisher: { changed: did('changed'), heard: did('heard') },
    }),
    returns: () => ({ mayBegin: () => false }),
    noteWork: did('noted'),
    tell: ({ message }: { message: string }) => done.push(message),
  } as unknown as Effects.RunPlace;
  const of = (one: SessionRun) => runEffects(place, one);
  return { first: of(first), other: of(other), state, done, logged };
}

describe('the work on a session', () => {
  it('is drawn where it is shown, and only noted behind it', () => {
    const { first, other, done } = scene();
    first.heard({ type: 'counting' });
    first.textsChanged();
    expect(done.splice(0)).toEqual(['heard', 'weighed']);
    other.heard({ type: 'counting' });
    other.textsChanged();
    other.changed();
    expect(done.splice(0)).toEqual(['changed', 'noted', 'changed']);
    expect([first.mayBegin(), other.mayBegin()]).toEqual([false, true]);
    expect([first.startSession(), other.startSession()]).toEqual([
      'begun and shown',
      'begun behind',
    ]);
  });

  it('names its session in what is told, where another one is shown', () => {
    const { first, other, done } = scene();
    first.heard({ type: 'warning', message: 'Full.' });
    other.heard({ type: 'warning', message: 'Full.' });
    expect(editor.told).toEqual(['Plimsoll: Full.', 'Plimsoll: Full. (“The other”)']);
    other.turnRefused({ message: 'There is no key.' });
    other.report(new Error('a bug'));
    expect(done.slice(-2)).toEqual(['There is no key. (“The other”)', 'broke true']);
  });

  it('is announced at its end to a user who looks at something else', async () => {
    const { first, other, done } = scene();
    first.turnEnded(FINISHED);
    expect(editor.told).toEqual([]);
    editor.state.focused = false;
    first.turnEnded({ type: 'stopped' });
    editor.state.focused = true;
    editor.choice = 'Show';
    other.turnEnded(FINISHED);
    await settled();
    expect(editor.told).toEqual([
      'Plimsoll: the agent was stopped (“The first”) [Show]',
      'Plimsoll: the agent has finished (“The other”) [Show]',
    ]);
    expect(done).toEqual(['showed true']);
  });

  it('is logged by what happened, without what was said, and not piece by piece', () => {
    const { first, logged } = scene();
    first.heard({ type: 'counting' });
    first.heard({ type: 'textDelta', step: 1, text: 'private' });
    first.heard({ type: 'warning', message: 'private' });
    first.turnRefused({ message: 'private' });
    first.turnEnded(FINISHED);
    expect(logged).toEqual([
      'trace Event counting.',
      'trace Event warning.',
      'warn A prompt was not sent: something stood in the way, and the user is told what.',
      'info Turn 0 ended at step 0: finished.',
    ]);
  });

  it('waits where too many sessions are at work', async () => {
    const { first, state } = scene();
    state.atWork = Array.from({ length: MOST_AT_WORK + 1 }, () => state.shown);
    expect(await first.prepareTurn()).toEqual({
      ok: false,
      message:
        '5 sessions are at work already, the most there can be. Try again when one of them has ended; a prompt is kept.',
    });
  });
});
