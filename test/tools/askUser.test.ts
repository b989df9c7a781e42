import { describe, expect, it } from 'vitest';
import { askUser } from '../../src/tools/askUser';
import { todo } from '../../src/tools/todo';
import { scratchpadText, todoItem, todoLine } from '../../src/contextWindow/scratchpad';
import { call, errorOf, prepare } from './support/callTool';
import { foldNew, promptEvent } from '../support/drawing';
import { tempFolder } from './support/tempFolder';

const STARTED = {
  type: 'sessionStarted',
  version: 3,
  sessionId: 's',
  pinTaskAnchor: true,
} as const;

describe('ask_user', () => {
  it('asks with its choices, each once, and returns the answer', async () => {
    const input = { question: 'Which?', choices: ['npm', 'pnpm', 'npm'] };
    const prepared = await prepare(askUser, input, tempFolder());
    expect(prepared.approval).toEqual({
      kind: 'question',
      question: 'Which?',
      choices: ['npm', 'pnpm'],
    });
    const { signal } = new AbortController();
    expect(await prepared.run(signal, () => {}, 'pnpm, please')).toEqual({
      text: 'The user answers: pnpm, please',
      isError: false,
    });
  });

  it('proposes to strike a standing rule, and the user decides', async () => {
    const rule = 'Never use lodash.';
    const window = foldNew([
      { ...STARTED, standingRules: true },
      promptEvent(`Fix it. ${rule}`),
      promptEvent('Use lodash after all.'),
    ]);
    const question = 'You now ask for lodash. Does the rule still hold?';
    const asked = (strike_rule: string) =>
      prepare(askUser, { question, strike_rule }, tempFolder(), window);
    const prepared = await asked(rule);
    expect(prepared.approval).toEqual({
      kind: 'question',
      question: `${question}\n\nThe agent proposes to strike this standing rule:\n${rule}`,
      choices: ['Strike the rule', 'Keep the rule'],
    });
    const { signal } = new AbortController();
    const answered = async (words: string) => {
      const { text, struckRule } = await prepared.run(signal, () => {}, words);
      return [text, struckRule];
    };
    expect(await answered('Strike the rule')).toEqual(['The user struck the rule.', rule]);
    expect(await answered('Keep the rule')).toEqual(['The user keeps the rule.', undefined]);
    expect(await answered('only in tests')).toEqual([
      'The user keeps the rule and says: only in tests.',
      undefined,
    ]);
    await expect(asked('Never use it.')).rejects.toThrow(
      `Nothing was asked: strike_rule must be a standing rule, verbatim. They are:\n- ${rule}`,
    );
  });

  it('refuses an empty question, and too many choices', async () => {
    expect(await errorOf(askUser, { question: ' ' }, tempFolder())).toContain('must not be empty');
    const choices = Array.from({ length: 9 }, (_, index) => `${index}`);
    expect(await errorOf(askUser, { question: 'x', choices }, tempFolder())).toContain('choices');
  });
});

describe('todo', () => {
  it('replaces the checklist in the notes and names the next item', async () => {
    const items = [
      { text: 'Read', state: 'done' },
      { text: 'Write\nthe test', state: 'doing' },
      { text: 'Fix', state: 'open' },
    ];
    const output = await call(todo, { items }, tempFolder());
    expect(output.text).toBe('Checklist: 1 of 3 done. Next: [>] Write the test');
    expect(scratchpadText(output.scratchpad!)).toBe(
      'To do:\n- [x] Read\n- [>] Write the test\n- [ ] Fix',
    );
  });

  it('is written as lines and parsed from them', () => {
    for (const state of ['open', 'doing', 'done'] as const) {
      expect(todoItem(todoLine({ text: 'Do it', state }))).toEqual({ text: 'Do it', state });
    }
    expect(todoItem('- [X] By hand')).toEqual({ text: 'By hand', state: 'done' });
    expect(todoItem('Without a mark')).toEqual({ text: 'Without a mark', state: 'open' });
  });
});
