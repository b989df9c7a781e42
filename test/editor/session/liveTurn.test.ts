import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/agentEvent';
import type { ToolUse, ToolUseId } from '../../../src/contextWindow/block';
import { approvalView } from '../../../src/editor/session/derive';
import { IDLE, liveAfter, type LiveTurn } from '../../../src/editor/session/agentWork';

const USE: ToolUse = { id: 'toolu_1' as ToolUseId, name: 'run_command', input: {} };

function after(events: readonly AgentEvent[], start: LiveTurn = IDLE): LiveTurn {
  return events.reduce((live, event, index) => liveAfter(live, event, index), start);
}

describe('a question about the profile', () => {
  it('says that it is for all projects', () => {
    const request = { kind: 'edit', path: '~/me.md', profile: '/home/me/me.md' } as const;
    const texts = { before: '- One.\n', after: '- One.\n- Two.\n' };
    expect(approvalView('toolu_1', { ...request, ...texts })).toEqual({
      toolUseId: 'toolu_1',
      kind: 'edit',
      title: 'Edit your profile for all projects,',
      subject: '~/me.md',
      added: 1,
      removed: 0,
      firstLines: ['+- Two.'],
    });
    expect(approvalView('toolu_1', { ...request, ...texts, before: undefined }).title).toBe(
      'Create your profile for all projects,',
    );
  });
});

describe('a question about a command', () => {
  it('names the folder that it runs in, if that is not the first one', () => {
    const request = { kind: 'command', command: 'ls', cwd: '/w/server', folder: 'server' } as const;
    const title = (more: object = {}) => approvalView('toolu_1', { ...request, ...more }).title;
    expect(title()).toBe('Run a command in server');
    expect(title({ background: true })).toBe('Run in server in the background');
    expect(title({ outside: 'It failed.' })).toBe('Run again outside the sandbox, in server');
    expect(title({ outside: 'It failed.', folder: undefined })).toBe(
      'Run again outside the sandbox',
    );
    expect(title({ folder: undefined })).toBe('Run a command');
  });
});

describe('a question about a file with unsaved changes', () => {
  it('says so', () => {
    const edit = { kind: 'edit', path: 'a.ts', before: 'a', after: 'b' } as const;
    expect(approvalView('toolu_1', { ...edit, unsaved: true })).toMatchObject({ unsaved: true });
    expect(approvalView('toolu_1', edit)).not.toHaveProperty('unsaved');
  });
});

describe('the live state', () => {
  it('keeps the streaming reply until it is complete', () => {
    const events: readonly AgentEvent[] = [
      { type: 'askStarted', step: 2 },
      { type: 'textDelta', step: 2, text: 'Look' },
      { type: 'textDelta', step: 2, text: 'ing' },
    ];
    expect(after(events).reply).toEqual({ step: 2, text: 'Looking' });
    expect(after([...events, { type: 'replyReceived', step: 2 }]).reply).toBeUndefined();
  });

  it('keeps the thinking before the reply, until it starts again', () => {
    const events: readonly AgentEvent[] = [
      { type: 'askStarted', step: 2 },
      { type: 'thinkingDelta', step: 2, text: 'First ' },
      { type: 'thinkingDelta', step: 2, text: 'this.' },
      { type: 'textDelta', step: 2, text: 'Look' },
    ];
    expect(after(events).reply).toEqual({ step: 2, text: 'Look', thinking: 'First this.' });
    const restart = { type: 'thinkingDelta', step: 2, text: '', restarts: true } as const;
    expect(after([...events, restart]).reply).toEqual({ step: 2, text: 'Look', thinking: '' });
  });

  const tryNow = () => undefined;
  const retrying = {
    type: 'retrying',
    attempt: 2,
    tries: 10,
    message: 'Overloaded.',
    until: 99,
  } as const;

  it('can end a pause while there is one, and keeps thinking visible', () => {
    const events = [
      { type: 'askStarted', step: 2 },
      { type: 'textDelta', step: 2, text: 'Half' },
      { ...retrying, tryNow },
    ] as const;
    expect(after(events)).toMatchObject({ tryNow, reply: { step: 2, text: 'Half' } });
    const again = after([...events, { type: 'askedAgain', attempt: 2 }]);
    expect(again).not.toHaveProperty('tryNow');
    expect(again.reply).toEqual({ step: 2, text: 'Half' });
  });

  it('says what the agent is doing and since when', () => {
    const states = (
      [
        { type: 'counting' },
        { type: 'passStarted', trigger: 'highWatermark' },
        { type: 'passProposed', trigger: 'highWatermark' },
        { type: 'passReviewed', applied: true },
        { type: 'passReviewed', applied: false },
        { type: 'askStarted', step: 1 },
        { type: 'silent', since: 3, until: 93 },
        { type: 'heardAgain' },
        { ...retrying, tryNow },
        { type: 'askedAgain', attempt: 2 },
        { type: 'approvalAsked', use: USE, request: { kind: 'command', command: 'ls', cwd: '.' } },
        { type: 'toolStarted', use: USE },
        { type: 'toolFinished', use: USE },
      ] as const
    ).map((_, index, all) => after(all.slice(0, index + 1)).activity);
    expect(states).toEqual([
      { state: 'asking', since: 0, note: 'Counting tokens' },
      { state: 'compacting', since: 1 },
      { state: 'awaitingReview' },
      { state: 'compacting', since: 3 },
      { state: 'asking', since: 4 },
      { state: 'asking', since: 5 },
      { state: 'asking', since: 5, silence: { since: 3, until: 93 } },
      { state: 'asking', since: 5 },
      { state: 'waiting', since: 8, attempt: 2, tries: 10, message: 'Overloaded.', until: 99 },
      { state: 'asking', since: 9 },
      {
        state: 'awaitingApproval',
        approval: { toolUseId: 'toolu_1', kind: 'command', title: 'Run a command', subject: 'ls' },
      },
      { state: 'runningTool', toolUseId: 'toolu_1', since: 11 },
      { state: 'asking', since: 12 },
    ]);
  });

  it('is stopping until the end, whatever events arrive', () => {
    const live = after([{ type: 'toolStarted', use: USE }], { activity: { state: 'stopping' } });
    expect(live.activity).toEqual({ state: 'stopping' });
  });

  it('keeps the end of long output', () => {
    const { output } = after([
      { type: 'toolOutput', use: USE, text: 'x'.repeat(30_000) },
      { type: 'toolOutput', use: USE, text: 'end' },
    ]);
    expect([output?.text.length, output?.text.endsWith('xend')]).toEqual([20_000, true]);
  });
});

describe('the question to the user', () => {
  it('counts the lines an edit adds and removes', () => {
    const request = {
      kind: 'edit',
      path: 'a.ts',
      before: 'a\nb\nc\n',
      after: 'a\nB\nB\nc\n',
    } as const;
    expect(approvalView('toolu_1', request)).toEqual({
      toolUseId: 'toolu_1',
      kind: 'edit',
      title: 'Edit',
      subject: 'a.ts',
      added: 2,
      removed: 1,
      firstLines: ['-b', '+B', '+B'],
    });
  });

  it('gives the first changed lines of an edit, and cuts long ones', () => {
    const lines = Array.from({ length: 40 }, (_, line) => `${line} ${'x'.repeat(1_000)}\n`);
    const after = lines.join('').replace('3 ', 'three ').replaceAll('20 ', 'twenty ');
    const request = { kind: 'edit', path: 'a.ts', before: lines.join(''), after } as const;
    const { firstLines = [] } = approvalView('toolu_1', request);
    expect(firstLines.map((line) => line.slice(0, 7))).toEqual([
      '-3 xxxx',
      '+three ',
      '-20 xxx',
      '+twenty',
    ]);
    expect(firstLines.every((line) => line.length <= 301)).toBe(true);
  });

  it('distinguishes a new file from an edit', () => {
    const request = { kind: 'edit', path: 'a.ts', before: undefined, after: 'a\n' } as const;
    expect(approvalView('toolu_1', request)).toMatchObject({
      kind: 'create',
      title: 'Create',
      added: 1,
      removed: 0,
    });
  });
});
