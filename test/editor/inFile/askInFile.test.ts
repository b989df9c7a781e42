import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import type { FileProblem } from '../../../src/agent/fileProblems';
import { gate, scene, settled, textsOf } from '../support/controllerScene';
import { promptAttachments } from '../support/mentionSources';

const editor = vi.hoisted(() => {
  class Uri {
    readonly scheme = 'file';
    constructor(readonly fsPath: string) {}
  }
  return {
    Uri,
    active: undefined as object | undefined,
    typed: undefined as string | undefined,
    ran: [] as unknown[],
  };
});

vi.mock('vscode', () => ({
  Uri: editor.Uri,
  commands: { executeCommand: async (...call: readonly unknown[]) => void editor.ran.push(call) },
  window: {
    get activeTextEditor() {
      return editor.active;
    },
    showInputBox: async () => editor.typed,
  },
  workspace: {},
  env: {},
  languages: {},
}));

let made: typeof import('../../../src/editor/inFile/askInFile');

beforeAll(async () => {
  // Another test may have loaded it with another `vscode` mock.
  vi.resetModules();
  made = await import('../../../src/editor/inFile/askInFile');
});

beforeEach(() => {
  editor.active = undefined;
  editor.typed = undefined;
  editor.ran = [];
});

const FOUND: readonly FileProblem[] = [
  { path: 'src/a.ts', line: 3, severity: 'error', message: 'No name.', source: 'ts 2304' },
  { path: 'src/a.ts', line: 9, severity: 'warning', message: 'Unused.' },
];
const A = new editor.Uri('/work/src/a.ts');
const SELECTED = { path: 'src/a.ts', first: 3, last: 4, text: 'let b;\nb();' };

function asking(hasSelection = false) {
  const { runTurn, end } = gate();
  const { current, seen } = scene(runTurn);
  const attachments = promptAttachments(undefined, {
    problems: () => FOUND,
    selection: () => (hasSelection ? SELECTED : undefined),
  });
  const offered: string[] = [];
  const warned: string[] = [];
  const expected: string[] = [];
  const asking = new made.AskInFile(
    {
      folders: { now: oneFolder('/work') } as never,
      notices: { warn: (text: string) => void warned.push(text) } as never,
    },
    current,
    attachments,
    { offer: (text) => void offered.push(text) },
    { expect: (_, turn, file) => void expected.push(`${turn} ${file.fsPath}`) },
  );
  const names = () => attachments.items.map(({ kind, name }) => `${kind} ${name}`);
  return { ...asking.commands, current, seen, end, offered, warned, expected, names };
}

describe('Fix with Plimsoll', () => {
  it('sends the problem of a line, and leaves the focus in the file', async () => {
    const { fixProblem, seen, warned } = asking();
    await fixProblem(A, 3);
    await settled();
    expect(seen.prompts).toHaveLength(1);
    expect(seen.prompts[0]).toMatch(
      /^Fix the problem at src\/a\.ts:3\.\n\n<attached kind="problems"/,
    );
    expect(seen.prompts[0]).toContain('src/a.ts:3: error: No name. (ts 2304)');
    expect(seen.prompts[0]).not.toContain('Unused');
    expect(editor.ran).toEqual([['plimsoll.agent.focus', { preserveFocus: true }]]);
    expect(warned).toEqual([]);
  });

  it('takes the line of the cursor if none is given', async () => {
    const { fixProblem, seen, warned } = asking();
    editor.active = { document: { uri: A }, selection: { active: { line: 8 } } };
    await fixProblem();
    await settled();
    expect(seen.prompts[0]).toMatch(/^Fix the problem at src\/a\.ts:9\./);
    await fixProblem(A, 4);
    await fixProblem(new editor.Uri('/etc/passwd'), 1);
    expect(warned).toEqual([
      'There is no error or warning on this line.',
      'This file is outside the workspace. Open its folder first.',
    ]);
  });

  it('goes into the composer while the agent works', async () => {
    const { fixProblem, current, seen, offered, names } = asking();
    current.run.submit('one');
    await settled();
    await fixProblem(A, 3);
    expect([offered, names()]).toEqual([
      ['Fix the problem at src/a.ts:3.'],
      ['problems src/a.ts:3'],
    ]);
    expect([seen.prompts, textsOf(current.run.queued)]).toEqual([['one'], []]);
  });

  it('goes into the composer if no turn can begin, such as without a key', async () => {
    const { fixProblem, seen, offered } = asking();
    seen.problem = { message: 'There is no key.' };
    await fixProblem(A, 3);
    expect([seen.prompts, offered]).toEqual([[], ['Fix the problem at src/a.ts:3.']]);
  });
});

describe('Explain with Plimsoll', () => {
  it('sends the selection, or else the problem of the line', async () => {
    const selected = asking(true);
    // The menu of the editor passes the file.
    await selected.explain(A);
    await settled();
    expect(selected.seen.prompts[0]).toMatch(
      /^Explain src\/a\.ts:3-4\.\n\n<attached kind="selection" name="src\/a\.ts:3-4"/,
    );
    expect(selected.seen.prompts[0]).toContain('let b;\nb();');
    const problem = asking(true);
    await problem.explain(A, 9);
    await settled();
    expect(problem.seen.prompts[0]).toMatch(/^Explain the problem at src\/a\.ts:9\./);
  });
});

describe('Edit with Plimsoll', () => {
  it('asks what to change, and sends it with the selection', async () => {
    const { editSelection, seen, expected } = asking(true);
    editor.active = { document: { uri: A }, selection: { active: { line: 2 } } };
    editor.typed = ' Rename b to mast ';
    await editSelection();
    await settled();
    expect(seen.prompts[0]).toMatch(
      /^Edit src\/a\.ts:3-4: Rename b to mast\n\n<attached kind="selection"/,
    );
    expect(expected).toEqual(['1 /work/src/a.ts']);
  });

  it('sends nothing without a selection or without words', async () => {
    const none = asking();
    editor.typed = 'Rename b';
    await none.editSelection();
    expect(none.warned).toEqual(['Select the lines to edit first.']);
    for (const typed of [undefined, '  ']) {
      const { editSelection, seen, offered } = asking(true);
      editor.typed = typed;
      await editSelection();
      await settled();
      expect([seen.prompts, offered]).toEqual([[], []]);
    }
  });
});
