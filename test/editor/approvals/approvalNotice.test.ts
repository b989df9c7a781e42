import { describe, expect, it } from 'vitest';
import type { ApprovalView } from '../../../src/editor/session/state';
import { approvalNotice } from '../../../src/editor/approvals/approvalNotice';

const command = (subject: string, more: Partial<ApprovalView> = {}) =>
  approvalNotice({ toolUseId: 't', kind: 'command', title: 'Run a command', subject, ...more });
const edit = (subject: string, more: Partial<ApprovalView> = {}) =>
  approvalNotice({ toolUseId: 't', kind: 'edit', title: 'Edit', subject, ...more });

describe('a question in a notification', () => {
  it('offers Allow and Deny if the user sees all of it', () => {
    expect(command('npm test')).toEqual({
      message: 'Plimsoll asks: Run a command? npm test',
      mayAnswer: true,
    });
    expect(edit('src/a.ts')).toEqual({ message: 'Plimsoll asks: Edit src/a.ts?', mayAnswer: true });
  });

  it.each([
    ['several lines', 'npm test\nrm -rf x'],
    ['an invisible character', 'npm test\u202E'],
    ['spaces that VS Code joins', 'npm      test'],
    ['what VS Code would make a link of', '[npm test](command:workbench.action.quit)'],
    ['more than there is room for', `echo ${'x'.repeat(200)}`],
  ])('offers no answer and shows no text of a command with %s', (_what, subject) => {
    expect(command(subject)).toEqual({
      message: 'Plimsoll asks: Run a command?',
      mayAnswer: false,
    });
  });

  it.each([
    ['a command that may destroy something', command('rm -r a', { danger: 'It deletes folders.' })],
    ['a command that is to leave the sandbox', command('npm test', { whyAsked: 'It failed.' })],
    ['an edit of a file with lasting effects', edit('AGENTS.md', { lasting: 'It is told.' })],
    ['an edit that would save what was typed', edit('a.ts', { unsaved: true })],
    ['a file that is removed', edit('a.ts', { kind: 'delete', title: 'Delete' })],
    ['a page', edit('https://example.org/a', { kind: 'fetch', title: 'Fetch from example.org' })],
    ['instructions', edit('AGENTS.md', { kind: 'memory', text: 'x' })],
  ])('offers no answer for %s', (_what, { mayAnswer }) => {
    expect(mayAnswer).toBe(false);
  });
});
