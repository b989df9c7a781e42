import { beforeAll, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import { ApprovalAnswers } from '../../../src/editor/approvals/approvalAnswers';
import type * as Chat from '../../../src/editor/chat/chatParticipant';
import { asking, finishes, scene, settled, USE, type RunTurn } from '../support/controllerScene';

vi.mock('vscode', () => {
  class Uri {
    scheme = 'file';
    constructor(readonly fsPath: string) {}
    static file = (path: string) => new Uri(path);
  }
  class Location {
    constructor(
      readonly uri: Uri,
      readonly range: unknown,
    ) {}
  }
  return { Uri, Location };
});

let ChatParticipant: typeof Chat.ChatParticipant;
let Uri: typeof vscode.Uri;
let Location: typeof vscode.Location;

beforeAll(async () => {
  // Other tests of this worker may have loaded it with another mock.
  vi.resetModules();
  ({ ChatParticipant } = await import('../../../src/editor/chat/chatParticipant'));
  ({ Uri, Location } = await import('vscode'));
});

/**
 * A chat over the current session; its sessions are in memory, with files named after their ids.
 */
function chat(runTurn: RunTurn = finishes) {
  const { current, seen } = scene(runTurn);
  const shown: string[] = [];
  const told: string[] = [];
  current.follow({
    askedFor: (from) => void shown.push(`${current.run.window.sessionId} ${from}`),
  });
  const participant = new ChatParticipant({
    current,
    answers: new ApprovalAnswers({
      current,
      rulesOf: () => ({}) as never,
      proposals: { callAt: () => undefined, revisedTexts: {} },
      notices: { tell: (message) => told.push(message) },
    }),
    folders: { now: oneFolder('/work') },
    notices: { tell: (message) => told.push(message) },
  });
  const cancel: (() => void)[] = [];
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: () => void) => {
      cancel.push(listener);
      return { dispose: () => undefined };
    },
  } as unknown as vscode.CancellationToken;
  /** Sends a prompt in a thread with these earlier results. */
  const ask = async (
    prompt: string,
    history: readonly (vscode.ChatResult | 'request')[] = [],
    references: readonly { readonly value: unknown }[] = [],
  ) => {
    const written: unknown[] = [];
    const stream = {
      markdown: (text: string) => written.push(text),
      progress: (text: string) => written.push(`> ${text}`),
      button: (button: vscode.Command) => written.push(button),
      anchor: (uri: vscode.Uri, title: string) => written.push(`${title} at ${uri.fsPath}`),
    } as unknown as vscode.ChatResponseStream;
    const turns = history.map((one) => (one === 'request' ? { prompt: '' } : { result: one }));
    const result = (await participant.answer(
      { prompt, references } as unknown as vscode.ChatRequest,
      { history: turns } as unknown as vscode.ChatContext,
      stream,
      token,
    )) as vscode.ChatResult;
    return { result, written };
  };
  return {
    current,
    seen,
    shown,
    told,
    state: seen,
    participant,
    ask,
    cancel: () => cancel.at(-1)?.(),
  };
}

const begins: RunTurn = async function* (deps) {
  yield { type: 'textDelta', step: 1, text: `In ${deps.session.window.sessionId || 'it'}.` };
  return { type: 'finished' };
};

/** The mock names no sessions; each begins with this. */
let count = 0;
const named: RunTurn = async function* (deps, prompt, signal) {
  if (deps.session.window.sessionId === '') {
    deps.session.append({
      type: 'sessionStarted',
      version: 3,
      sessionId: `s-${++count}`,
      pinTaskAnchor: true,
    } as never);
  }
  return yield* begins(deps, prompt, signal);
};

describe('a thread of the chat', () => {
  it('starts a session, and continues the session that its replies name', async () => {
    const { ask, shown, current, seen } = chat(named);
    const first = await ask('one');
    const { sessionId } = first.result.metadata as { sessionId: string };
    expect(first.result).toEqual({ metadata: { sessionId } });
    expect(first.written.join('')).toBe(`In ${sessionId}.`);
    const other = await ask('two');
    expect(other.result.metadata?.['sessionId']).not.toBe(sessionId);
    const again = await ask('three', [first.result, 'request']);
    expect(again.result.metadata).toEqual({ sessionId });
    expect(shown).toEqual([`${sessionId} chat`]);
    expect(current.run.window.sessionId).toBe(sessionId);
    expect([seen.sessions, seen.prompts]).toEqual([2, ['one', 'two', 'three']]);
  });

  it('says that its session was deleted, and starts another', async () => {
    const { ask, seen } = chat(named);
    const { written, result } = await ask('one', [{ metadata: { sessionId: 'gone' } }]);
    expect(written[0]).toBe('> The session of this chat was deleted. A new one starts');
    expect(result.metadata?.['sessionId']).not.toBe('gone');
    expect(seen.sessions).toBe(1);
  });

  it('reports a problem, and sends nothing', async () => {
    const { ask, state, seen } = chat(named);
    state.problem = { message: 'There is no key.' };
    const { result, written } = await ask('one');
    expect(result).toEqual({ errorDetails: { message: 'There is no key.' } });
    expect(written).toEqual([{ command: 'plimsoll.focusAgent', title: 'Open the Agent View' }]);
    expect(seen.prompts).toEqual([]);
  });

  it('names the files that the user added, and says which are left out', async () => {
    const { ask, seen } = chat(named);
    const range = { start: { line: 1 }, end: { line: 4 } } as vscode.Range;
    const { written } = await ask(
      'Mend it.',
      [],
      [
        { value: Uri.file('/work/src/a.ts') },
        { value: new Location(Uri.file('/work/b.ts'), range) },
        { value: Uri.file('/elsewhere/c.ts') },
        { value: { mimeType: 'image/png', data: async () => new Uint8Array() } },
        { value: Uri.file('/work') },
        { value: 'text' },
      ],
    );
    expect(written[0]).toBe(
      '> Plimsoll can only use files of the workspace. Left out: `c.ts`, an image',
    );
    expect(seen.prompts).toEqual(['Mend it.\n\nFiles I mean:\n- src/a.ts\n- b.ts, lines 2 to 5']);
  });

  it('takes one answer through its buttons, wherever its session is shown', async () => {
    const answers: unknown[] = [];
    const { ask, current, participant, told, seen } = chat(asking(answers));
    const done = ask('Edit it.');
    await settled();
    const { sessionId } = current.run.window;
    current.startNew();
    await participant.answerQuestion(sessionId, USE.id, true);
    await done;
    expect(answers).toEqual([{ approved: true, revised: {} }]);
    expect(seen.proposals).toEqual([`+${USE.id}`, `-${USE.id}`]);
    await participant.answerQuestion(sessionId, USE.id, true);
    expect(told).toEqual(['This question has been answered already.']);
  });

  it('stops its turn when the user stops the request', async () => {
    const { ask, cancel, seen } = chat(asking([]));
    const done = ask('Edit it.');
    await settled();
    cancel();
    expect((await done).result.errorDetails).toBeUndefined();
    expect(seen.outcomes).toEqual([{ type: 'stopped' }]);
  });
});
