import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { ApprovalAnswer } from '../../src/agent/tool';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { editFile } from '../../src/tools/files/editFile';
import { createFile } from '../../src/tools/files/createFile';
import { calls, says, scriptedAgent } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';

const edit = (id: string, path: string, old_text: string, new_text: string) => ({
  id,
  name: 'edit_file',
  input: { path, old_text, new_text },
});

/**
 * An agent whose model makes several edits in one reply; `answer` is the user's answer to each
 * question.
 */
async function runEdits(
  script: Parameters<typeof calls>[0],
  answer: (id: string) => ApprovalAnswer,
) {
  const workspace = makeNodeWorkspace({
    folders: oneFolder(tempFolder({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'package.json': '{}\n' })),
  });
  const asked: { readonly id: string; readonly further: readonly string[] }[] = [];
  const agent = scriptedAgent({
    script: [calls(script), says('Done.')],
    deps: { workspace, tools: [editFile, createFile] },
    approve: async (id) => answer(id),
    onEvent: (event) => {
      if (event.type !== 'approvalAsked') return;
      asked.push({ id: event.use.id, further: (event.further ?? []).map(({ use }) => use.id) });
    },
  });
  await agent.run('edit');
  const text = async (path: string) => {
    const read = await workspace.readFile(path);
    return read.ok ? read.text : read.message;
  };
  const results = agent.session.events.flatMap((event) =>
    event.type === 'toolFinished' ? [event] : [],
  );
  return { asked, text, results, agent };
}

describe('several edits in one reply', () => {
  const both = [edit('t1', 'a.txt', 'one', 'two'), edit('t2', 'b.txt', 'one', 'two')];

  it('are answered together if the user says so, and the log has each answer', async () => {
    const { asked, text, agent } = await runEdits(both, () => ({ approved: true, together: true }));
    expect(asked).toEqual([{ id: 't1', further: ['t2'] }]);
    expect([await text('a.txt'), await text('b.txt')]).toEqual(['two\n', 'two\n']);
    const answered = agent.session.events.flatMap((event) =>
      event.type === 'approvalAnswered' ? [event.toolUseId] : [],
    );
    expect(answered).toEqual(['t1', 't2']);
  });

  it('are denied together, with the same text', async () => {
    const answer = { approved: false, together: true, feedback: 'not now' } as const;
    const { asked, text, results } = await runEdits(both, () => answer);
    expect(asked).toHaveLength(1);
    expect(await text('b.txt')).toBe('one\n');
    expect(results.map(({ origin }) => origin)).toEqual(['denied', 'denied']);
    expect(results[1]!.text).toContain('not now');
  });

  it('are asked about one by one otherwise', async () => {
    const { asked } = await runEdits(both, () => ({ approved: true }));
    expect(asked.map(({ id }) => id)).toEqual(['t1', 't2']);
  });

  it('are asked about again if an edit differs from the one shown', async () => {
    const script = [
      edit('t1', 'a.txt', 'one', 'two'),
      edit('t2', 'b.txt', 'one', 'two'),
      edit('t3', 'a.txt', 'two', 'three'),
    ];
    const { asked, text } = await runEdits(script, () => ({ approved: true, together: true }));
    expect(asked).toEqual([
      { id: 't1', further: ['t2'] },
      { id: 't3', further: [] },
    ]);
    expect(await text('a.txt')).toBe('three\n');
  });

  it('do not include an edit that outlasts the session, which is asked about separately', async () => {
    const script = [both[0]!, edit('t2', 'package.json', '{}', '{ "scripts": { "x": "y" } }')];
    const { asked } = await runEdits(script, () => ({ approved: true, together: true }));
    expect(asked).toEqual([
      { id: 't1', further: [] },
      { id: 't2', further: [] },
    ]);
  });
});

describe('a proposal changed by the user', () => {
  it('writes the user’s version and tells the model the difference', async () => {
    const { text, results } = await runEdits([edit('t1', 'a.txt', 'one', 'two')], () => ({
      approved: true,
      revised: { t1: 'mine\n' },
    }));
    expect(await text('a.txt')).toBe('mine\n');
    expect(results[0]!.text).toMatch(/^Edited a\.txt\. The user changed the proposal/);
    expect(results[0]!.text).toContain('--- proposed');
    expect(results[0]!.text).toContain('\n-two\n+mine');
  });

  it('may be a new file, which is created with the user’s content', async () => {
    const create = { id: 't1', name: 'create_file', input: { path: 'c.txt', content: 'x\n' } };
    const { text, results } = await runEdits([create], () => ({
      approved: true,
      revised: { t1: 'y\nz\n' },
    }));
    expect(await text('c.txt')).toBe('y\nz\n');
    expect(results[0]!.text).toMatch(/^Created c\.txt \(2 lines\)\. The user changed/);
  });
});
