import { describe, expect, it } from 'vitest';
import { readFile } from '../../src/tools/files/readFile';
import { runCommand } from '../../src/tools/processes/runCommand';
import { toolbox } from '../../src/tools/toolbox';
import { scratchpadTool } from '../../src/tools/scratchpadTool';
import { errorOf } from './support/callTool';
import { tempFolder } from './support/tempFolder';

describe('the input of a tool', () => {
  it('is refused with the name of each missing, wrong or unknown parameter', async () => {
    const root = tempFolder();
    expect(await errorOf(readFile, {}, root)).toBe(
      'read_file was not run: "path" is missing (string).',
    );
    expect(await errorOf(readFile, { path: 7 }, root)).toBe(
      'read_file was not run: "path" must be of type string.',
    );
    expect(await errorOf(readFile, { path: 'a', start_line: 1.5 }, root)).toBe(
      'read_file was not run: "start_line" must be of type whole number.',
    );
    expect(await errorOf(readFile, { path: 'a', start_line: '3' }, root)).toContain('"start_line"');
    expect(await errorOf(readFile, { path: 'a', file_path: 'a' }, root)).toBe(
      'read_file was not run: unknown parameter "file_path"; it takes path, start_line, end_line.',
    );
    expect(await errorOf(readFile, { path: 'a', start_line: 0 }, root)).toContain(
      '"start_line": Too small',
    );
  });

  it('is refused with every problem in one message', async () => {
    expect(await errorOf(runCommand, { command: ' ', timeout_seconds: 601 }, tempFolder())).toMatch(
      /"command": must not be empty.*"timeout_seconds": Too big/,
    );
    expect(await errorOf(scratchpadTool([]), { key_facts: ['ok', 7] }, tempFolder())).toContain(
      '"key_facts.1" must be of type string',
    );
  });
});

describe('toolbox', () => {
  it('has a fixed order, for the prompt cache', () => {
    expect(toolbox([]).map(({ definition }) => definition.name)).toEqual([
      'read_file',
      'list_files',
      'search_text',
      'edit_file',
      'create_file',
      'move_file',
      'delete_file',
      'run_command',
      'read_output',
      'send_input',
      'stop_command',
      'fetch_url',
      'ask_user',
      'task',
      'todo',
      'update_scratchpad',
      'recall',
      'remember',
    ]);
  });

  it('omits tools that cannot work in these surroundings', () => {
    const names = toolbox([], { hasProblems: true, hasNetwork: false }).map(
      ({ definition }) => definition.name,
    );
    expect(names).toContain('diagnostics');
    expect(names).not.toContain('fetch_url');
  });

  it('describes inputs as plain JSON schema objects', () => {
    for (const { definition } of toolbox([], { hasProblems: true })) {
      expect(definition.name).toMatch(/^[a-z_]{1,64}$/);
      expect(definition.description.length).toBeGreaterThan(80);
      expect(definition.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(definition.inputSchema['$schema']).toBeUndefined();
      expect(JSON.stringify(definition.inputSchema)).not.toContain('9007199254740991');
    }
    expect(readFile.definition.inputSchema).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path relative to the workspace root.' },
        start_line: {
          type: 'integer',
          minimum: 1,
          description: 'First line, counted from 1. Default 1.',
        },
        end_line: {
          type: 'integer',
          minimum: 1,
          description: 'Last line, included. Default: the last one.',
        },
      },
      required: ['path'],
      additionalProperties: false,
    });
  });
});
