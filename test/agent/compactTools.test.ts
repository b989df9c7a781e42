import { describe, expect, it } from 'vitest';
import type { ToolUse, ToolUseId } from '../../src/contextWindow/block';
import { EMPTY_WINDOW } from '../../src/contextWindow/fold';
import {
  calledThrough,
  definitionsOf,
  isCompact,
  MORE_TOOLS,
  textsSent,
} from '../../src/agent/compactTools';
import { toolbox } from '../../src/tools/toolbox';
import { smallBudget } from '../support/smallBudget';
import { ECHO } from '../support/scriptedAgent';

const TOOLS = toolbox([], { hasProblems: true, hasProfile: true });
const OWN = ['read_file', 'list_files', 'search_text', 'edit_file', 'create_file', 'run_command'];

const use = (input: object, name = MORE_TOOLS): ToolUse => ({
  id: 'toolu_1' as ToolUseId,
  name,
  input: { ...input },
});

describe('the compact tool set', () => {
  it('keeps the tools of every step, and calls the others through one that lists them', () => {
    const names = definitionsOf(TOOLS, true).map(({ name }) => name);
    expect(names).toEqual([...OWN, 'update_scratchpad', 'recall', MORE_TOOLS]);
    const { holds = [], description } = definitionsOf(TOOLS, true).at(-1)!;
    expect([...names, ...holds].toSorted()).toEqual(
      [...TOOLS.map(({ definition }) => definition.name), MORE_TOOLS].toSorted(),
    );
    expect(description.split('\n').slice(1, 3)).toEqual([
      '- move_file(path, to): Moves or renames a file of the workspace and creates folders for it.',
      '- delete_file(path): Deletes a file of the workspace, to the trash if there is one.',
    ]);
    expect(description).toContain(
      '\n- todo(items: {text, state: "open"|"doing"|"done"}[]): Replaces the checklist in your notes',
    );
  });

  it('has schemas with names and types only', () => {
    expect(definitionsOf(TOOLS, true)[0]!.inputSchema).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string' },
        start_line: { type: 'integer' },
        end_line: { type: 'integer' },
      },
      required: ['path'],
    });
  });

  it('leaves two tools without a short description as they are', () => {
    const tools = [
      ...TOOLS.slice(0, 1),
      ECHO,
      { ...ECHO, definition: { ...ECHO.definition, name: 'b' } },
    ];
    expect(definitionsOf(tools, true).map(({ name }) => name)).toEqual(['read_file', 'echo', 'b']);
  });

  it('says what text each tool adds', () => {
    expect(textsSent(TOOLS, true).get('stop_command')).toMatch(/^- stop_command\(handle\): Stops /);
    expect(textsSent(TOOLS, true).get('read_file')).toContain('"input_schema":{"type":"object"');
    expect(textsSent(TOOLS, false).get('stop_command')).toContain('"input_schema"');
  });
});

describe('a window', () => {
  const small = { model: 'a', budget: smallBudget() };
  const large = { model: 'a', budget: smallBudget({ contextWindowTokens: 48_000 }) };
  const asked = {
    ...EMPTY_WINDOW,
    step: 1,
    model: 'a',
    preamble: { system: '', tools: definitionsOf(TOOLS, true) },
  };

  it('gets it below 48,000 tokens', () => {
    expect(isCompact(EMPTY_WINDOW, small)).toBe(true);
    expect(isCompact(EMPTY_WINDOW, large)).toBe(false);
  });

  it('keeps it when it is enlarged, until the model changes', () => {
    expect(isCompact(asked, large)).toBe(true);
    expect(isCompact(asked, { ...large, model: 'b' })).toBe(false);
    expect(isCompact({ ...asked, step: 0 }, large)).toBe(false);
  });
});

describe('a call of more_tools', () => {
  const path = { path: 'a.ts' };

  it.each([
    [{ tool: 'delete_file', input: path }, path],
    [{ tool: 'delete_file', input: '{"path":"a.ts"}' }, path],
    [{ tool: 'todo', input: {} }, {}],
  ])('%j is a call of that tool', (input, asked) => {
    const { tool: name } = input;
    expect(calledThrough(use(input), TOOLS)).toEqual({
      id: 'toolu_1',
      name,
      input: asked,
      via: MORE_TOOLS,
    });
  });

  it.each([
    {},
    { tool: 'delete_file' },
    { tool: 'format_disk', input: {} },
    { tool: 'delete_file', input: 'a.ts' },
    { tool: 'delete_file', input: [path] },
    { tool: 'delete_file', input: path, path: 'b.ts' },
    { tool: MORE_TOOLS, input: { tool: 'delete_file', input: path } },
  ])('%j stays as it is', (input) => {
    const call = use(input);
    expect(calledThrough(call, TOOLS)).toBe(call);
  });

  it('is the only one that names another tool', () => {
    const call = use({ tool: 'delete_file', input: path }, 'read_file');
    expect(calledThrough(call, TOOLS)).toBe(call);
  });
});
