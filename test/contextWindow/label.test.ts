import { describe, expect, it } from 'vitest';
import type { BlockId, StepRange, ToolUseId } from '../../src/contextWindow/block';
import type { JsonValue } from '../../src/contextWindow/json';
import { coveredBy, labelOfCall, plainText } from '../../src/contextWindow/label';

describe('coveredBy', () => {
  const range = (first: number, last = first): StepRange => ({ first, last });

  it.each<[readonly StepRange[], string]>([
    [[], '2 blocks'],
    [[range(4)], 'step 4'],
    [[range(4, 19)], 'steps 4-19'],
    [[range(1, 8), range(10, 11), range(14)], 'steps 1-8, 10-11 and 14'],
    [[range(1), range(3), range(5), range(7), range(9, 12)], '8 of steps 1-12'],
  ])('%j are %s', (steps, words) => {
    const covers = ['step-1', 'step-2'] as BlockId[];
    expect(
      coveredBy({
        kind: 'summary',
        id: 'summary-1' as BlockId,
        turn: 1,
        text: '',
        covers,
        ...(steps.length === 0 ? {} : { steps }),
        writtenBy: { by: 'workNote', because: 'it is a test' },
        pinned: false,
        state: 'whole',
      }),
    ).toBe(words);
  });
});

describe('the plain text of Markdown', () => {
  it.each([
    ['## Fix the **harbour** tests ##', 'Fix the harbour tests'],
    ['Run `npm test` and *then* `npm run lint`', 'Run npm test and then npm run lint'],
    ['See [the report](https://x.test/a_(b) "why") first', 'See the report first'],
    ['![chart](chart.png) of <https://x.test>', 'chart of https://x.test'],
    ['**Run `npm test`** now', 'Run npm test now'],
    ['***both*** and **one**, *two*.', 'both and one, two.'],
    ['> quoted\n> twice', 'quoted\ntwice'],
    ['```ts\nconst a = 1;\n```\nexplain', '\nconst a = 1;\n\nexplain'],
    ['Do:\n* one\n+ two', 'Do:\n- one\n- two'],
    ['请**修复**这个', '请修复这个'],
    ['``a ` b`` stays', '``a ` b`` stays'],
  ])('of %j is %j', (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });

  it.each([
    'Rename __init__ and snake_case_name',
    'src/**/*.ts and **/*.js and *.css, test/*.ts',
    '2 * 3 * 4 and 2**3 + 4**5',
    'def f(*args, **kwargs): pass (*p)->x and (*q)',
    'Issue #12, C# and F#, a[0](b c)',
    'a lone ` and ** and * stay',
  ])('leaves %j as it is', (text) => {
    expect(plainText(text)).toBe(text);
  });

  it('keeps the text of code spans as it is', () => {
    expect(plainText('`**bold**` and `[a](b)`')).toBe('**bold** and [a](b)');
  });
});

describe('the name of a call', () => {
  it.each<[string, Readonly<Record<string, JsonValue>>, string]>([
    ['read', { filePath: '/a/b.ts' }, 'read /a/b.ts'],
    ['read_file', { absolute_path: '/a/b.ts' }, 'read_file /a/b.ts'],
    ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'NotebookEdit a.ipynb'],
    ['read_files', { files: [{ path: 'a.ts' }] }, 'read_files a.ts'],
    ['apply_patch', { input: '*** Begin Patch\n*** Add File: a.ts\n+x' }, 'apply_patch a.ts'],
    ['run_commands', { commands: ['npm ci', 'npm test'] }, 'run_commands npm ci; npm test'],
    ['shell', { command: ['bash', '-lc', 'ls'] }, 'shell bash -lc ls'],
    ['any', { commands: [{ toString: 1 }] }, 'any {"toString":1}'],
    ['any', { command: ['ls', { toString: 1 }, null] }, 'any ls {"toString":1} null'],
    ['run_shell_command', { description: 'List.', command: 'ls' }, 'run_shell_command ls'],
    ['todowrite', { todos: [] }, 'todowrite'],
  ])('%s %j is %s', (name, input, label) => {
    expect(labelOfCall({ id: 'u1' as ToolUseId, name, input })).toBe(label);
  });
});
