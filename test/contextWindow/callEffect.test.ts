import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../src/contextWindow/block';
import {
  callKindOf,
  covers,
  callEffectOf,
  overlap,
  pathOf,
} from '../../src/contextWindow/callEffect';

const call = (name: string, input: Record<string, unknown>) => ({
  id: 'tu' as ToolUseId,
  name,
  input,
});
const effect = (name: string, input: Record<string, unknown>) => callEffectOf(call(name, input));

describe('callKindOf', () => {
  it.each([
    ['Read Grep Glob Edit MultiEdit Write Bash', 'read search list edit edit write command'],
    ['TodoWrite WebFetch WebSearch Task', 'scratchpad fetch search agent'],
    ['shell apply_patch update_plan', 'command edit scratchpad'],
    ['execute_command browser_action new_task mcp__a__b', 'command fetch agent other'],
    ['str_replace_editor execute_bash', 'edit command'],
    ['shell_command run_shell_command', 'command command'],
    ['read_files editor run_commands', 'read edit command'],
  ])('recognises %s', (tools, kinds) => {
    const told = tools.split(' ').map((name) => callKindOf({ name, input: {} }));
    expect(told.join(' ')).toBe(kinds);
  });

  it('recognises purposes that no effect expresses', () => {
    expect(effect('apply_patch', { input: '*** Begin Patch' })).toEqual({ kind: 'other' });
    expect(effect('Task', { prompt: 'x' })).toEqual({ kind: 'other' });
    expect(callKindOf({ name: 'str_replace_editor', input: { command: 'view' } })).toBe('read');
  });
});

const APART = ['ls', { command: 'git', args: ['log', '-1'] }, { args: [] }];
const READ_LINES = { kind: 'read', path: 'a', lines: { first: 3, last: 9 } };

const PATCH = '*** Begin Patch\n*** Update File: /a b.ts\n@@\n-x\n+y\n*** End Patch';

describe('callEffectOf', () => {
  it.each<[string, string, Record<string, unknown>, object]>([
    ['Plimsoll', 'read_file', { path: 'a.ts' }, { kind: 'read', path: 'a.ts' }],
    ['Plimsoll', 'edit_file', { path: 'a.ts', old_text: 'x', new_text: 'y' }, { kind: 'edit' }],
    ['Plimsoll', 'create_file', { path: 'a.ts', text: '' }, { kind: 'write', path: 'a.ts' }],
    ['Plimsoll', 'run_command', { command: 'ls' }, { kind: 'command', command: 'ls' }],
    ['Plimsoll', 'search_text', { pattern: 'x', path: 'src' }, { kind: 'search', path: 'src' }],
    ['Plimsoll', 'recall', { handle: 'tu' }, { kind: 'recall', handle: 'tu' }],
    ['Plimsoll', 'update_scratchpad', {}, { kind: 'scratchpad' }],
    ['Claude Code', 'Read', { file_path: '/a.ts' }, { kind: 'read', path: '/a.ts' }],
    ['Claude Code', 'MultiEdit', { file_path: '/a.ts', edits: [] }, { kind: 'edit' }],
    ['Claude Code', 'NotebookEdit', { notebook_path: '/a.ipynb' }, { kind: 'edit' }],
    ['Claude Code', 'Bash', { command: 'ls' }, { kind: 'command', command: 'ls' }],
    ['Claude Code', 'TodoWrite', { todos: [] }, { kind: 'scratchpad' }],
    ['Claude Code', 'Glob', { pattern: '*.ts' }, { kind: 'list' }],
    ['Cline', 'write_to_file', { path: 'a.ts', content: '' }, { kind: 'write' }],
    ['Cline', 'replace_in_file', { path: 'a.ts', diff: '' }, { kind: 'edit', replacements: [] }],
    ['Cline', 'execute_command', { command: 'ls' }, { kind: 'command' }],
    ['Gemini', 'replace', { file_path: 'a.ts', old_string: 'x' }, { kind: 'edit' }],
    ['Gemini', 'read_file', { absolute_path: '/a.ts' }, { kind: 'read', path: '/a.ts' }],
    ['Cursor', 'read_file', { target_file: 'a.ts' }, { kind: 'read', path: 'a.ts' }],
    ['Cline', 'read_files', { files: [{ path: 'a', start_line: 3, end_line: 9 }] }, READ_LINES],
    ['Cline', 'read_files', { files: [{ path: 'a' }, { path: 'b' }] }, { kind: 'other' }],
    ['Cline', 'run_commands', { commands: ['ls', 'pwd'] }, { command: 'ls; pwd' }],
    ['Cline', 'run_commands', { commands: APART }, { command: 'ls; git log -1; {"args":[]}' }],
    ['codex', 'shell', { command: ['bash', '-lc', 'ls'] }, { command: 'bash -lc ls' }],
    ['codex', 'apply_patch', { input: PATCH }, { kind: 'edit', path: '/a b.ts' }],
    ['the API', 'str_replace_based_edit_tool', { command: 'view', path: 'a' }, { kind: 'read' }],
    ['the API', 'str_replace_based_edit_tool', { command: 'create', path: 'a' }, { kind: 'write' }],
    ['the API', 'str_replace_based_edit_tool', { command: 'insert', path: 'a' }, { kind: 'edit' }],
    ['any', 'mcp__tracker__get_issue', { path: 'x' }, { kind: 'other', path: 'x' }],
  ])('%s: %s %j', (_, name, input, what) => {
    expect(effect(name, input)).toMatchObject(what);
  });

  it.each<[Record<string, unknown>, object | undefined]>([
    [
      { start_line: 3, end_line: 9 },
      { first: 3, last: 9 },
    ],
    [{ start_line: 3 }, { first: 3 }],
    [{ end_line: 9 }, { first: 1, last: 9 }],
    [
      { offset: 10, limit: 5 },
      { first: 10, last: 14 },
    ],
    [
      { offset: 0, limit: 5 },
      { first: 1, last: 5 },
    ],
    [{ limit: 5 }, { first: 1, last: 5 }],
    [{ offset: 10 }, { first: 10 }],
    [{ view_range: [3, -1] }, { first: 3 }],
    [{ view_range: [3, 9] }, { first: 3, last: 9 }],
    [{}, undefined],
  ])('gives for %j the lines %j', (range, lines) => {
    const read = effect('read', { path: 'a.ts', ...range });
    expect('lines' in read ? read.lines : undefined).toEqual(lines);
  });

  it('finds every replacement of an edit, one or many', () => {
    const one = effect('edit_file', { path: 'a', old_text: 'x', new_text: 'y' });
    expect(one).toMatchObject({ replacements: [{ before: 'x', after: 'y' }] });
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
      { old_string: '', new_string: 'd' },
      'nonsense',
    ];
    expect(effect('MultiEdit', { file_path: 'a', edits })).toMatchObject({
      replacements: [
        { before: 'a', after: 'b' },
        { before: 'c', after: '' },
      ],
    });
  });

  it('is `other` without a path, and a recall may name no handle', () => {
    expect(effect('read_file', {})).toEqual({ kind: 'other' });
    expect(pathOf(call('run_command', { command: 'x' }))).toBeUndefined();
    expect(effect('recall', {})).toEqual({ kind: 'recall' });
    expect(effect('recall', { pattern: 'x' })).toEqual({ kind: 'recall', pattern: 'x' });
    expect(effect('recall', { pattern: 'x', is_regex: true })).toEqual({
      kind: 'recall',
      pattern: 'x',
      isRegex: true,
    });
    expect(effect('recall', { is_regex: true })).toEqual({ kind: 'recall' });
  });
});

describe('line ranges', () => {
  it('cover the ranges inside them; no range is the whole file', () => {
    expect(covers(undefined, { first: 3, last: 9 })).toBe(true);
    expect(covers({ first: 3, last: 9 }, { first: 3, last: 9 })).toBe(true);
    expect(covers({ first: 3, last: 9 }, { first: 2, last: 9 })).toBe(false);
    expect(covers({ first: 3, last: 9 }, { first: 3, last: 10 })).toBe(false);
    expect(covers({ first: 1, last: 99 }, undefined)).toBe(false);
    expect(covers({ first: 1 }, undefined)).toBe(true);
  });

  it('overlap if they share at least one line', () => {
    expect(overlap({ first: 3, last: 9 }, { first: 9, last: 12 })).toBe(true);
    expect(overlap({ first: 3, last: 9 }, { first: 10 })).toBe(false);
    expect(overlap(undefined, { first: 10 })).toBe(true);
  });
});
