import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { Tool } from '../../src/agent/tool';
import type { Workspace } from '../../src/agent/workspace';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { toolbox } from '../../src/tools/toolbox';
import { runs } from '../support/runs';
import { FAR_TOO_LONG_CPU_MS, ticking, type Ticked } from '../support/ticking';
import { call, type Input } from './support/callTool';
import { installedRipgrep } from './support/installedRipgrep';
import { tempFolder } from './support/tempFolder';

const NUMBERS = [0, -0, -1, 0.5, 1e9, 1e21, 2 ** 53, -(2 ** 53), NaN, Infinity, -Infinity, 1e308];
const TEXTS = [
  '',
  ' ',
  'a',
  '\0',
  '\n'.repeat(100_000),
  'a'.repeat(1_000_000),
  'a/'.repeat(100_000),
  '../'.repeat(10_000),
  '\u{1F600}'.repeat(10_000),
  '\ud800',
  '{a,b}'.repeat(30),
  '**/'.repeat(300) + '*a*a*a*b',
  '*a'.repeat(499),
  '['.repeat(5_000),
  '(a+)+$',
  '(((a{1,1000}){1,1000}){1,1000})',
  '(x*)*'.repeat(500),
  '('.repeat(5_000),
  '\\'.repeat(4_999),
  '-rf',
  '--pre=sh',
  '__proto__',
];

/** A value nested deeper than any tool needs. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const DEEP = [nested(10), nested(500), nested(20_000)];
const VALUES: readonly unknown[] = [...NUMBERS, ...TEXTS, ...DEEP, null, true, {}, []];

/** The names of a tool's parameters. */
function parameters({ definition }: Tool): readonly string[] {
  return Object.keys((definition.inputSchema['properties'] ?? {}) as object);
}

/** Valid inputs; each hostile value replaces one of their fields. */
const USUAL: Readonly<Record<string, Input>> = {
  read_file: { path: 'a.txt', start_line: 1, end_line: 2 },
  list_files: { path: '.', glob: '*.txt' },
  search_text: { path: '.', pattern: 'a', glob: '*.txt' },
  edit_file: { path: 'a.txt', old_text: 'aa', new_text: 'b', replace_all: false },
  create_file: { path: 'made/x.txt', content: 'x' },
  move_file: { path: 'a.txt', to: 'made/y.txt' },
  delete_file: { path: 'a.txt' },
  fetch_url: { url: 'http://127.0.0.1:1/' },
  ask_user: { question: 'x', choices: ['y'] },
  todo: { items: [{ text: 'x', state: 'open' }] },
  run_command: { command: 'true', timeout_seconds: 1 },
  update_scratchpad: { objective: 'x', keyFacts: ['x'] },
  recall: { pattern: 'x', is_regex: true },
  remember: { text: 'x' },
};

/** A workspace that runs no commands, since the test only tries inputs. */
function workspace(rgPath: string | undefined): Workspace {
  const files = { 'a.txt': `${'a'.repeat(40)}b\n`.repeat(50), 'b/c.txt': 'b\n' };
  return {
    ...makeNodeWorkspace({ folders: oneFolder(tempFolder(files)), rgPath }),
    runCommand: async () => ({ exitCode: 0, output: '', ended: 'exited', durationMs: 1 }),
  };
}

const tried = (tool: Tool, input: Input, where: Workspace): Promise<Ticked<unknown>> =>
  ticking(() => call(tool, input, where).catch((error: Error) => error));

function expectSoon({ value, cpuMs }: Ticked<unknown>, what: string): void {
  expect(value, what).not.toBeInstanceOf(Error);
  expect(cpuMs, what).toBeLessThan(FAR_TOO_LONG_CPU_MS);
}

describe.each(toolbox([]).map((tool) => [tool.definition.name, tool] as const))(
  'the inputs of %s',
  (name, tool) => {
    it('are answered quickly if hostile', async () => {
      for (const rgPath of name === 'search_text' ? [undefined, installedRipgrep()] : [undefined]) {
        const where = workspace(rgPath);
        for (const key of parameters(tool)) {
          for (const value of VALUES) {
            const input = { ...USUAL[name], [key]: value };
            const what = `${key}: ${typeof value === 'string' ? value.slice(0, 40) : typeof value}`;
            expectSoon(await tried(tool, input, where), what);
          }
        }
      }
    });

    it('are answered quickly for any random value', async () => {
      const where = workspace(undefined);
      const any = fc.oneof(
        fc.constantFrom(...VALUES),
        fc.jsonValue(),
        fc.string({ unit: 'binary' }),
      );
      const keys = fc.constantFrom(...parameters(tool), 'unknown');
      await fc.assert(
        fc.asyncProperty(fc.dictionary(keys, any, { maxKeys: 4 }), async (input) => {
          expectSoon(await tried(tool, { ...USUAL[name], ...input }, where), name);
        }),
        { numRuns: runs(8, 500) },
      );
    });
  },
);
