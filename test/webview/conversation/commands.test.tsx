// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { CommandView } from '../../../src/editor/commands/state';
import { conversation, step, tool, turn } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

const RUNNING: CommandView = {
  handle: 'cmd2',
  command: 'npm run dev',
  startedAt: 0,
  hasOutput: true,
};
const ENDED: CommandView = {
  handle: 'cmd1',
  command: 'npm test',
  startedAt: 0,
  ended: 'exit code 1',
  ranMs: 65_000,
};

const drawn = (...commands: readonly CommandView[]): DrawnAgent =>
  drawAgent(conversation({ commands }));

/** The text of each row, with ordinary spaces. */
const rowsOf = (agent: DrawnAgent): readonly string[] =>
  agent.all('command').map(({ textContent }) => (textContent ?? '').replaceAll('\u00a0', ' '));

describe('the list of background commands', () => {
  it('is absent without commands', () => {
    expect(drawAgent(conversation()).all('commands')).toEqual([]);
  });

  it('shows how many run, for how long, and how the others ended', () => {
    const agent = drawn(RUNNING, ENDED);
    expect(agent.get('commands').querySelector('summary')?.textContent).toBe(
      '1 background command running',
    );
    const [running, ended] = rowsOf(agent);
    expect(running).toMatch(/^npm run devcmd2 · running, .*(s|min)Show outputTypeStop$/);
    expect(ended).toBe('npm testcmd1 · exit code 1, 1 min 05 s');
  });

  it('says that stopping the turn does not stop them, while one runs', () => {
    expect(drawn(RUNNING).get('commands-hint').textContent).toBe(
      'These commands run until the session ends; stopping the turn does not stop them. Their file changes count as made by someone else, or by a command that runs at that time.',
    );
    const over = drawn(ENDED);
    expect(over.all('commands-hint')).toEqual([]);
    expect(over.get('commands').querySelector('summary')?.textContent).toBe(
      'No background commands running',
    );
  });

  it('counts several commands', () => {
    const agent = drawn(RUNNING, { ...RUNNING, handle: 'cmd3' });
    expect(agent.get('commands').querySelector('summary')?.textContent).toBe(
      '2 background commands running',
    );
  });

  it('stops a command by its handle, and opens its output', () => {
    const agent = drawn(RUNNING, ENDED);
    agent.click('command-stop');
    agent.click('command-output');
    expect(agent.wishes).toMatchObject([
      { type: 'stopCommand', handle: 'cmd2' },
      { type: 'showCommandOutput', handle: 'cmd2' },
    ]);
  });

  it('sends a line to a command with Enter, and keeps the field for the next one', () => {
    const agent = drawn(RUNNING, ENDED);
    expect(agent.all('command-field')).toEqual([]);
    agent.click('command-type');
    agent.get('command-field').focus();
    agent.type('y', 'command-field');
    agent.press('Enter');
    agent.press('Enter');
    expect(agent.wishes).toEqual([
      { type: 'typeIntoCommand', handle: 'cmd2', line: 'y' },
      { type: 'typeIntoCommand', handle: 'cmd2', line: '' },
    ]);
    agent.press('Escape');
    expect(agent.all('command-field')).toEqual([]);
  });

  it('shows every character of a command', () => {
    const [row = ''] = rowsOf(drawn({ ...RUNNING, command: 'echo a\u202eb' }));
    expect(row).not.toContain('\u202e');
  });
});

describe('a command in the foreground', () => {
  const shown = (isMovable: boolean): DrawnAgent => {
    const call = tool('t1', {
      name: 'run_command',
      state: 'running',
      ...(isMovable ? { isMovable } : {}),
    });
    return drawAgent(
      conversation({
        turns: [turn({ items: [step(1, '', [call])] })],
        activity: { state: 'runningTool', toolUseId: 't1', since: 0 },
      }),
    );
  };

  it('can be moved to the background if it is movable', () => {
    const agent = shown(true);
    expect(agent.get('move-to-background').textContent).toBe('Move to background');
    agent.click('move-to-background');
    expect(agent.wishes).toMatchObject([{ type: 'moveToBackground', toolUseId: 't1' }]);
    expect(shown(false).all('move-to-background')).toEqual([]);
  });
});
