import { describe, expect, it } from 'vitest';
import { DEMO_FOLLOW_UPS, DEMO_TASK } from '../../../src/offline/demo/demoPrompts';
import { demoModel } from '../../../src/offline/demo/demoModel';
import type { Message, ToolUseBlock } from '../../../src/offline/messagesApi';
import { asScripted, drive, textOf, user, type Result } from './demoWorkspace';

describe('a step that does not go as scripted', () => {
  const DENIED: Result = {
    text: 'Denied by the user. Not done: that. Nothing was changed.',
    isError: true,
  };
  const against = (refuses: (use: ToolUseBlock) => Result | undefined) =>
    drive(demoModel(), [], DEMO_TASK, (use) => refuses(use) ?? asScripted(use));

  it('ends the turn at a denied edit and names the steps that were not done', () => {
    const { answer, steps } = against((use) => (use.name === 'edit_file' ? DENIED : undefined));
    expect(steps.at(-1)!.uses[0]!.name).toBe('edit_file');
    expect(answer).toContain('The edit of `src/loadLine.js` was not done');
    for (const path of ['src/deckPlan.js', 'test/regressions.js', 'CHANGELOG.md'])
      expect(answer).toContain(path);
    expect(answer).not.toContain('63 passed');
  });

  it('names the changes that stay when a later one is denied', () => {
    const { answer } = against((use) =>
      use.input['path'] === 'src/deckPlan.js' && use.name === 'edit_file' ? DENIED : undefined,
    );
    expect(answer).toMatch(/still in place:\s+- the edit of `src\/loadLine.js`/);
  });

  it('ends the turn at a denied command', () => {
    const { answer } = against((use) => (use.name === 'run_command' ? DENIED : undefined));
    expect(answer).toContain('The command `npm test` was not done');
  });

  it('names only the denied one of several calls', () => {
    const { answer } = against((use) =>
      use.input['path'] === 'package.json' ? DENIED : undefined,
    );
    expect(answer).toContain('Reading `package.json` was not done');
    expect(answer).not.toContain('README');
  });

  it("ends the turn at an edit that fails, with the tool's message", () => {
    const failure = { text: 'old_text occurs 0 times', isError: true };
    const { answer } = against((use) => (use.name === 'edit_file' ? failure : undefined));
    expect(answer).toContain('> old_text occurs 0 times');
  });

  it('continues if only the recall fails', () => {
    const failure = { text: 'No such handle.', isError: true };
    const { answer } = against((use) => (use.name === 'recall' ? failure : undefined));
    expect(answer).toContain('63 passed, 0 failed');
  });

  it('is reported if the tests pass from the start', () => {
    const again = against((use) =>
      use.name === 'run_command' ? { text: '63 passed, 0 failed', isError: false } : undefined,
    );
    expect(again.steps.length).toBeLessThan(8);
    expect(again.answer).toContain('The checks already pass: **63 passed, 0 failed**');
  });

  it('is not called green if the end of the output is missing', () => {
    const { answer } = against((use) =>
      use.name === 'run_command' ? { text: 'exit code 0', isError: false } : undefined,
    );
    expect(answer).toContain('could not find the last line');
  });
});

describe('any other prompt', () => {
  it('is answered with what the demo is, what it knows, and how to use a real model', () => {
    const answer = textOf([user('Write me a poem about the sea.')]);
    expect(answer).toContain('a script, no AI');
    for (const prompt of [DEMO_TASK, ...DEMO_FOLLOW_UPS]) expect(answer).toContain(prompt);
    expect(answer).toContain('Plimsoll: Set the Anthropic API Key');
    expect(answer).toContain('plimsoll.provider');
  });

  it('gets the same answer after results of another model', () => {
    const foreign: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_01x', content: 'x' }],
    };
    expect(textOf([user(DEMO_TASK), foreign])).toContain('begun by another model');
  });
});
