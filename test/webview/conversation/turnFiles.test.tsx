// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { TurnFileView } from '../../../src/editor/checkpoints/state';
import { conversation, step, tool, turn } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

const FILES: readonly TurnFileView[] = [
  { path: 'src/a.js', how: 'changed', added: 3, removed: 1 },
  { path: 'b.js', how: 'made', added: 10, removed: 0, answer: 'kept' },
  { path: 'big.bin', how: 'gone' },
];

function ended(files: readonly TurnFileView[] = FILES): DrawnAgent {
  return drawAgent(conversation({ turns: [turn({ files })] }));
}

const rows = (agent: DrawnAgent) =>
  agent.all('turn-file').map((row) => [row.dataset['answer'], row.textContent]);

describe('the changed files of a turn', () => {
  it("are listed with their lines and the user's answers", () => {
    const agent = ended();
    expect(agent.text('turn-files')).toContain('3 changed files');
    expect(rows(agent)).toEqual([
      ['open', 'src/a.js+3−1DiffKeepUndo'],
      ['kept', 'b.jsnew+10Diffkept'],
      ['open', 'big.bindeletedDiffKeepUndo'],
    ]);
  });

  it('offer only diffs while the agent works', () => {
    const activity = { state: 'asking', since: 0 } as const;
    const agent = drawAgent(conversation({ turns: [turn({ files: FILES })], activity }));
    expect(agent.all('turn-file-undo')).toEqual([]);
    expect(agent.all('turn-files-undo')).toEqual([]);
    expect(agent.all('turn-file-diff')).toHaveLength(3);
  });

  it('are no longer asked about once all are answered', () => {
    const agent = ended([{ path: 'a.js', how: 'changed', added: 1, removed: 0, answer: 'undone' }]);
    expect(agent.all('turn-files-keep')).toEqual([]);
    expect(rows(agent)).toEqual([['undone', 'a.js+1−0Diffundone']]);
  });

  it('are undone after a second confirmation if something else changed them since', () => {
    const agent = ended();
    agent.click(agent.all('turn-file-undo')[0]!);
    const wish = { type: 'undoFiles', turn: 1, path: 'src/a.js' };
    expect(agent.wishes.at(-1)).toEqual({ ...wish, files: 'unchanged' });
    agent.answer({ type: 'answered', data: ['src/a.js'] });
    expect(agent.text('turn-file-left')).toContain('src/a.js: changed by something else since.');
    agent.click('turn-file-overwrite');
    expect(agent.wishes.at(-1)).toEqual({ ...wish, files: 'all' });
    agent.answer({ type: 'answered', data: [] });
    expect(agent.all('turn-file-left')).toEqual([]);
  });

  it('open to their hunks, each with marks for invisible characters, and answered separately', () => {
    const agent = ended();
    agent.click(agent.all('turn-file-open')[0]!);
    const hunks = [
      { line: 1, lines: [' same', '-old\u202E', '+new'] },
      { line: 40, lines: ['+more'] },
    ];
    agent.answer({ type: 'answered', data: { before: 'one', after: 'other', hunks } });
    expect(agent.all('hunk').map((hunk) => hunk.getAttribute('aria-label'))).toEqual([
      'From line 1',
      'From line 40',
    ]);
    const lines = [...agent.all('diff-lines')[0]!.querySelectorAll('.diff-line')];
    expect(lines.map(({ className }) => className)).toEqual([
      'diff-line',
      'diff-line diff-removed',
      'diff-line diff-added',
    ]);
    expect(lines[1]!.textContent).toBe('-old⟨U+202E⟩\n');
    agent.click(agent.all('hunk-undo')[1]!);
    expect(agent.wishes.at(-1)).toEqual({
      type: 'undoHunk',
      turn: 1,
      path: 'src/a.js',
      before: 'one',
      after: 'other',
      hunk: 1,
    });
  });

  it('say why no lines can be shown', () => {
    const agent = ended();
    agent.click(agent.all('turn-file-open')[2]!);
    const problem = 'Its lines cannot be shown.';
    agent.answer({ type: 'answered', data: { before: 'a', after: 'b', hunks: [], problem } });
    expect(agent.all('turn-file')[2]!.textContent).toContain(problem);
  });
});

describe('restored files', () => {
  it('can be undone while no other question is open', () => {
    const agent = drawAgent(conversation({ turns: [turn()], restored: 1 }));
    expect(agent.text('restored')).toBe('1 file was restored.Undo');
    agent.click('undo-restore');
    expect(agent.wishes).toEqual([{ type: 'undoRestore' }]);
    agent.show(conversation({ turns: [turn()] }));
    expect(agent.all('restored')).toEqual([]);
  });
});

it('an edit opens to its lines, not to its arguments', () => {
  const edit = tool('t1', { diff: ['-one', '+two'] });
  const items = [step(1, 'Edited.', [edit])];
  const agent = drawAgent(conversation({ turns: [turn({ items })] }));
  agent.click(agent.get('tool-row').querySelector('button')!);
  expect(agent.text('diff-lines')).toBe('-one +two');
  expect(agent.all('tool-arguments')).toEqual([]);
});
