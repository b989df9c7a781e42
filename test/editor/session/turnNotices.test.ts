import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Services } from '../../../src/editor/services';
import type { CurrentSession, SessionFollower } from '../../../src/editor/session/currentSession';
import type * as Turns from '../../../src/editor/session/turnNotices';
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
}));

let turnNotices: typeof Turns;
let notices: Services['notices'];

beforeAll(async () => {
  // Other tests of this worker may have loaded them with another mock.
  vi.resetModules();
  turnNotices = await import('../../../src/editor/session/turnNotices');
  notices = await import('../../../src/editor/notifications');
});

const run = (title: string) =>
  ({ window: { ...EMPTY_WINDOW, state: { title } }, events: [] }) as unknown as SessionRun;

function scene() {
  editor.told = [];
  editor.choice = undefined;
  editor.state.focused = true;
  const done: string[] = [];
  const logged: string[] = [];
  const [first, other] = [run('The first'), run('The other')];
  let follower: SessionFollower = {};
  const current = {
    run: first,
    follow: (one: SessionFollower) => (follower = one),
    showRun: async (one: SessionRun) => void done.push(`showed ${one === other}`),
  } as unknown as CurrentSession;
  const report = {
    run: (work: () => unknown) => void work(),
    trace: (words: string) => logged.push(`trace ${words}`),
    info: (words: string) => logged.push(`info ${words}`),
    warn: (words: string) => logged.push(`warn ${words}`),
  } as unknown as Services['report'];
  turnNotices.followTurns({ notices, report }, current);
  return { current, first, other, done, logged, follower };
}

describe('the turns of all sessions', () => {
  it('name their session in a warning if another one is shown', () => {
    const { current, first, other, follower } = scene();
    follower.heard?.(first, { type: 'warning', message: 'Full.' });
    follower.heard?.(other, { type: 'warning', message: 'Full.' });
    expect(editor.told).toEqual(['Plimsoll: Full.', 'Plimsoll: Full. (“The other”)']);
    expect(turnNotices.inSession(current, other, 'There is no key.')).toBe(
      'There is no key. (“The other”)',
    );
  });

  it('announce their end to a user who looks at something else', async () => {
    const { first, other, done, follower } = scene();
    follower.ended?.(first, FINISHED);
    expect(editor.told).toEqual([]);
    editor.state.focused = false;
    follower.ended?.(first, { type: 'stopped' });
    editor.state.focused = true;
    editor.choice = 'Show';
    follower.ended?.(other, FINISHED);
    await settled();
    expect(editor.told).toEqual([
      'Plimsoll: the agent was stopped (“The first”) [Show]',
      'Plimsoll: the agent has finished (“The other”) [Show]',
    ]);
    expect(done).toEqual(['showed true']);
  });

  it('are logged by the names of their events, without texts and without streamed pieces', () => {
    const { first, logged, follower } = scene();
    follower.heard?.(first, { type: 'counting' });
    follower.heard?.(first, { type: 'textDelta', step: 1, text: 'private' });
    follower.heard?.(first, { type: 'warning', message: 'private' });
    follower.refused?.(first, { message: 'private' });
    follower.ended?.(first, FINISHED);
    expect(logged).toEqual([
      'trace Event counting.',
      'trace Event warning.',
      'warn A prompt was not sent. The user was told why.',
      'info Turn 0 ended at step 0: finished.',
    ]);
  });
});
