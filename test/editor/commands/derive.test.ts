import { describe, expect, it } from 'vitest';
import type { ToolUse } from '../../../src/contextWindow/block';
import { type BackgroundCommand, endText } from '../../../src/contextWindow/commands';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import { approvalView } from '../../../src/editor/session/derive';
import { commandViews } from '../../../src/editor/commands/derive';
import { toolView } from '../../../src/editor/conversation/toolView';

const command = (number: number, end?: BackgroundCommand['end']): BackgroundCommand => ({
  handle: `cmd${number}`,
  command: `command ${number}`,
  startedAt: number * 1_000,
  ...(end === undefined ? {} : { end }),
});

const exited = (at: number): BackgroundCommand['end'] => ({ because: 'exited', exitCode: 0, at });

const shown = (commands: readonly BackgroundCommand[]): readonly string[] =>
  commandViews({ ...EMPTY_WINDOW, commands }, new Set(['cmd1'])).map(
    ({ handle, ended = 'running', hasOutput }) =>
      `${handle} ${ended}${hasOutput === true ? ', output' : ''}`,
  );

describe('the background commands', () => {
  it('list running commands, newest first, then those that ended last', () => {
    const commands = [command(1, exited(9_000)), command(2), command(3, exited(8_000)), command(4)];
    expect(shown(commands)).toEqual([
      'cmd4 running',
      'cmd2 running',
      'cmd1 exit code 0, output',
      'cmd3 exit code 0',
    ]);
    expect(commandViews({ ...EMPTY_WINDOW, commands }, new Set())[2]?.ranMs).toBe(8_000);
  });

  it('list at most five ended commands, and none of another session', () => {
    const ended = [1, 2, 3, 4, 5, 6].map((number) => command(number, exited(number)));
    const forked = command(7, { because: 'forked', exitCode: null, at: 9 });
    expect(shown([...ended, forked])).toHaveLength(5);
  });

  it('say how they ended', () => {
    const words = (
      ['exited', 'agent', 'user', 'sessionEnded', 'windowClosed', 'lost'] as const
    ).map((because) => endText({ because, exitCode: null }));
    expect(words).toEqual([
      'ended',
      'stopped by the agent',
      'stopped by the user',
      'stopped when the session ended',
      'stopped when the editor closed',
      'stopped when the editor closed',
    ]);
    expect(endText({ because: 'exited', exitCode: null, signal: 'SIGKILL' })).toBe(
      'ended by SIGKILL',
    );
  });
});

describe('the question about a background command', () => {
  it('says that it keeps running', () => {
    const request = {
      kind: 'command',
      command: 'npm run dev',
      cwd: '/',
      background: true,
    } as const;
    expect(approvalView('t1', request)).toMatchObject({
      title: 'Run in the background',
      subject: 'npm run dev',
    });
  });

  it('shows the input, the command it goes to, and whether Enter follows', () => {
    const typed = { kind: 'input', handle: 'cmd1', text: 'rm -rf x' } as const;
    expect(approvalView('t1', { ...typed, command: 'bash', enter: true })).toEqual({
      toolUseId: 't1',
      kind: 'input',
      title: 'Type, and press Enter, in cmd1 (bash)',
      subject: 'rm -rf x',
    });
    const { title } = approvalView('t1', { ...typed, command: 'x'.repeat(200), enter: false });
    expect(title).toMatch(/^Type, without Enter, into cmd1 \(x+…x*\)$/);
  });
});

describe('a running call', () => {
  const runs = (name: string, input: object): boolean =>
    toolView({ id: 't1', name, input } as unknown as ToolUse, undefined, {
      state: 'runningTool',
      toolUseId: 't1',
      since: 0,
    }).isMovable === true;

  it('can be moved to the background if it is a command in the foreground', () => {
    expect(runs('run_command', { command: 'npm test' })).toBe(true);
    expect(runs('run_command', { command: 'npm run dev', background: true })).toBe(false);
    expect(runs('read_file', { path: 'a' })).toBe(false);
  });
});
