import { describe, expect, it } from 'vitest';
import { runChatTurn, type ChatStream } from '../../../src/editor/chat/chatTurn';
import type { TurnOutcome } from '../../../src/contextWindow/event';
import {
  EDIT,
  FINISHED,
  gate,
  NOT_READY,
  scene,
  settled,
  textsOf,
  USE,
  type RunTurn,
} from '../support/controllerScene';

/** A chat, and the text written to it. */
function chat() {
  const written: string[] = [];
  const stream: ChatStream = {
    markdown: (text) => written.push(text),
    progress: (text) => written.push(`> ${text}`),
    button: ({ command }) => written.push(`[${command}]`),
    answer: (title, _session, toolUseId, yes) => written.push(`[${title} ${toolUseId} ${yes}]`),
    file: (path) => written.push(`file ${path}`),
  };
  const stop = new AbortController();
  const state = { isShown: true };
  const how = { stopped: stop.signal, isShown: () => state.isShown };
  return { written, stream, stop, how, state };
}

function ends(outcome: TurnOutcome): RunTurn {
  return async function* () {
    yield { type: 'askStarted', step: 1 };
    return outcome;
  };
}

describe('a turn in the chat of the editor', () => {
  it('streams the reply and a line for each call, and links the changed files', async () => {
    const { current } = scene(async function* (deps) {
      yield { type: 'textDelta', step: 1, text: 'I look' };
      yield { type: 'textDelta', step: 1, text: ' at it.' };
      yield { type: 'toolStarted', use: { ...USE, name: 'read_file', input: { path: 'a.ts' } } };
      yield { type: 'textDelta', step: 2, text: 'Done.' };
      deps.session.append({
        type: 'turnFiles',
        turn: deps.session.window.turn,
        files: [{ path: 'a.ts', before: '1', after: '2', added: 1, removed: 0 }] as never,
      });
      return FINISHED;
    });
    const { written, stream, how } = chat();
    expect(await runChatTurn(current.run, 'Mend it.', stream, how)).toBeUndefined();
    expect(written.join('')).toBe(
      'I look at it.> read_file a.ts\n\nDone.\n\nChanged files:\n\n- file a.ts',
    );
  });

  it('fetches no image that a reply names, wherever the text is cut', async () => {
    const { current } = scene(async function* () {
      yield { type: 'textDelta', step: 1, text: 'See ![a](https://x/1) and !' };
      yield { type: 'textDelta', step: 1, text: '[b](https://x/2). Well!' };
      yield { type: 'replyReceived', step: 1 };
      return FINISHED;
    });
    const { written, stream, how } = chat();
    await runChatTurn(current.run, 'Show me.', stream, how);
    expect(written.join('')).toBe('See !\\[a](https://x/1) and !\\[b](https://x/2). Well!');
  });

  it("fetches no image that a call's label or a tool's name contains", async () => {
    const { current } = scene(async function* () {
      const use = { ...USE, name: 'read_file', input: { path: '![a](https://x/1)' } };
      yield { type: 'toolStarted', use };
      const request = { kind: 'tool', tool: 'moor', provider: '![b](https://x/2)', input: '{}' };
      yield { type: 'approvalAsked', use: USE, request: request as never };
      return FINISHED;
    });
    const { written, stream, how } = chat();
    await runChatTurn(current.run, 'Show me.', stream, how);
    expect(written.join('')).toContain('> read_file !\\[a]');
    expect(written.join('')).toContain('Call moor of !\\[b]');
    expect(written.join('')).not.toContain('![');
  });

  it('offers buttons if the user sees everything the question is about', async () => {
    const asks: RunTurn = async function* () {
      yield { type: 'approvalAsked', use: USE, request: EDIT };
      yield {
        type: 'approvalAsked',
        use: USE,
        request: { kind: 'command', command: `echo ${'`'.repeat(4)}` } as never,
      };
      yield { type: 'approvalAnswered', use: USE, approved: true };
      return FINISHED;
    };
    const first = chat();
    await runChatTurn(scene(asks).current.run, 'Go.', first.stream, first.how);
    const answers = ['[Allow toolu_1 true]', '[Deny toolu_1 false]', '[plimsoll.focusAgent]'];
    expect(first.written).toEqual([
      '\n\n**Edit?**\n\n```\na.ts\n```\n\n',
      ...answers,
      '\n\n**Run a command?**\n\n`````\necho ````\n`````\n\n',
      ...answers,
      '> Allowed',
    ]);
    const hidden = chat();
    hidden.state.isShown = false;
    await runChatTurn(scene(asks).current.run, 'Go.', hidden.stream, hidden.how);
    expect(hidden.written.slice(0, 2)).toEqual([first.written[0], '[plimsoll.focusAgent]']);
  });

  it('stops with the request, which stops no other turn', async () => {
    const { runTurn } = gate();
    const { current, seen } = scene(runTurn);
    const { stream, stop, how } = chat();
    const done = runChatTurn(current.run, 'one', stream, how);
    await settled();
    stop.abort();
    expect(await done).toBeUndefined();
    expect(seen.outcomes).toEqual([{ type: 'stopped' }]);
  });

  it('waits for the running turn, and leaves the queue when it is stopped', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('first');
    await settled();
    const one = chat();
    const done = runChatTurn(current.run, 'second', one.stream, one.how);
    expect(one.written).toEqual(['> Waiting for the running turn to end']);
    one.stop.abort();
    expect(await done).toBeUndefined();
    expect([current.run.isBusy, current.run.queued]).toEqual([true, []]);
    const two = chat();
    const third = runChatTurn(current.run, 'third', two.stream, two.how);
    end();
    await settled();
    end();
    expect(await third).toBeUndefined();
    expect(seen.prompts).toEqual(['first', 'third']);
  });

  it('says that a prompt was not sent, and does not keep it to be sent twice', async () => {
    const { runTurn, end } = gate();
    const { current } = scene(runTurn);
    current.run.submit('first');
    await settled();
    const one = chat();
    const done = runChatTurn(current.run, 'second', one.stream, one.how);
    end({ type: 'failed', failure: 'x', message: 'The server is down.' } as TurnOutcome);
    expect(await done).toMatch(/was not sent/);
    await settled();
    expect(current.run.queued).toEqual([]);

    const refusing = scene(runTurn);
    refusing.seen.prepared = NOT_READY;
    const two = chat();
    expect(await runChatTurn(refusing.current.run, 'one', two.stream, two.how)).toBe(
      'There is no key.',
    );
    await settled();
    expect(refusing.current.run.queued).toEqual([]);
  });

  it('says why it ended early', async () => {
    const failed = { type: 'failed', failure: 'x', message: 'The server is down.' } as TurnOutcome;
    const one = chat();
    expect(await runChatTurn(scene(ends(failed)).current.run, 'one', one.stream, one.how)).toBe(
      'The server is down.',
    );
    const outcome = { type: 'contextFull', message: 'The window is full.' } as const;
    const full = scene(ends(outcome)).current.run;
    expect(await runChatTurn(full, 'one', one.stream, one.how)).toBe('The window is full.');
  });

  it('waits for the question about an idle session, and ends when another session is opened', async () => {
    const idle = scene(ends(FINISHED));
    idle.seen.gate = () => false;
    const one = chat();
    const first = runChatTurn(idle.current.run, 'one', one.stream, one.how);
    expect(one.written).toEqual([
      expect.stringMatching(/idle for a long time/),
      '[plimsoll.focusAgent]',
    ]);
    idle.seen.gate = () => true;
    idle.current.run.turns.resume();
    expect(await first).toBeUndefined();
    await settled();
    expect(idle.seen.outcomes).toEqual([FINISHED]);
    idle.seen.gate = () => false;
    const two = chat();
    const second = runChatTurn(idle.current.run, 'two', two.stream, two.how);
    idle.current.startNew('withTyped');
    expect(await second).toMatch(/Another session is open now/);
    expect(textsOf(idle.current.run.queued)).toEqual(['two']);
  });

  it('ends when a bug ends the turn', async () => {
    const { current } = scene(async function* () {
      yield { type: 'counting' };
      throw new Error('a bug');
    });
    const { stream, how } = chat();
    expect(await runChatTurn(current.run, 'one', stream, how)).toMatch(/went wrong/);
  });
});
