import { describe, expect, it } from 'vitest';
import { callKindOf } from '../../../src/contextWindow/callEffect';
import { labelOfCall } from '../../../src/contextWindow/label';
import type { JsonValue } from '../../../src/contextWindow/json';
import type { ToolUseId } from '../../../src/contextWindow/block';
import { saidLabel, sentenceOf, shortName } from '../../../webview/kit/callWords';

/** The sentence of a call that has run, or that is in the given state. */
function said(
  name: string,
  input: Readonly<Record<string, JsonValue>>,
  state: 'done' | 'running' | 'denied' = 'done',
): string {
  const use = { id: 'u1' as ToolUseId, name, input };
  const label = labelOfCall(use);
  const { verb, subject } = sentenceOf({ name, label, kind: callKindOf(use), state });
  return verb === undefined ? `(${name}) ${subject}` : `${verb} ${subject}`;
}

describe('a call as a sentence', () => {
  it('says what was done, is being done, or was to be done', () => {
    expect(said('read_file', { path: 'src/a.js' })).toBe('Read src/a.js');
    expect(said('run_command', { command: 'npm test' }, 'running')).toBe('Running npm test');
    expect(said('create_file', { path: 'b.js' }, 'denied')).toBe('Create b.js');
    const watcher = {
      name: 'run_command',
      label: 'run_command npm run dev',
      kind: 'command',
    } as const;
    const started = sentenceOf({ ...watcher, state: 'done', isBackground: true });
    expect(started).toEqual({ verb: 'Started', subject: 'npm run dev' });
  });

  it("names what Plimsoll's other tools are about", () => {
    expect(said('skill', { name: 'units' })).toBe('Used the skill units');
    expect(said('recall', { handle: 'step-3' })).toBe('Recalled step-3');
    expect(said('recall', {})).toBe('Recalled removed content');
    expect(said('diagnostics', { path: 'src/a.js' }, 'running')).toBe(
      'Looking for problems in src/a.js',
    );
    expect(said('diagnostics', {})).toBe('Looked for problems in the workspace');
    expect(said('read_output', { handle: 'cmd1' })).toBe('Read the output of cmd1');
    expect(said('update_scratchpad', { objective: 'x' })).toBe('Updated the notes');
    expect(said('ask_user', { question: 'Which one?' })).toBe('Asked you: Which one?');
  });

  it('has no verb for a tool that it does not know', () => {
    expect(said('weather', { name: 'Bergen' })).toBe('(weather) Bergen');
  });
});

describe('a block by its calls', () => {
  const saidBlock = (label: string, ...tools: readonly string[]) =>
    saidLabel({ label, tools, callKinds: tools.map((name) => callKindOf({ name, input: {} })) });

  it('is one sentence, which repeats no verb', () => {
    expect(saidBlock('read_file a.js 1-20, read_file b.js', 'read_file', 'read_file')).toBe(
      'Read a.js 1-20, b.js',
    );
    expect(saidBlock('search_text src, read_file b.js', 'search_text', 'read_file')).toBe(
      'Searched src, read b.js',
    );
    expect(saidBlock('run_command sort a, b, todo', 'run_command', 'todo')).toBe(
      'Ran sort a, b, updated the checklist',
    );
  });

  it('names tools of others as they are, and ends where its label is cut', () => {
    expect(saidBlock('mail_send bob, read_file a.js', 'mail_send', 'read_file')).toBe(
      'mail_send bob, read a.js',
    );
    expect(saidBlock('read_file a.js, read_fi…', 'read_file', 'read_file')).toBe('Read a.js, …');
    expect(saidBlock('read_file a.js, read_file b…', 'read_file', 'read_file')).toBe(
      'Read a.js, b…',
    );
  });

  it('says of a call that waits, failed or was denied what it was to do', () => {
    const of = (...callStates: readonly ('waiting' | 'failed' | 'denied' | 'done')[]) =>
      saidLabel({
        label: 'edit_file a.js, run_command npm test',
        tools: ['edit_file', 'run_command'],
        callKinds: ['edit', 'command'],
        callStates,
      });
    expect(of('done', 'failed')).toBe('Edited a.js, ran npm test');
    expect(of('waiting', 'waiting')).toBe('Edit a.js, run npm test');
    expect(of('failed', 'denied')).toBe('Edit a.js, run npm test');
    expect(of()).toBe('Edited a.js, ran npm test');
  });

  it('is short without folders: only the end of a long path, and no cd before a command', () => {
    const short = (label: string, tool: string) =>
      shortName({ label, tools: [tool], callKinds: [callKindOf({ name: tool, input: {} })] });
    expect(short('Read /Users/soph/work/cli/cmd/tests/overlap.go 3-9', 'Read')).toBe(
      'Read …/cmd/tests/overlap.go 3-9',
    );
    expect(short('Edit /Users/soph/work/cli/cmd/te…/overlap_test.go', 'Edit')).toBe(
      'Edited …/overlap_test.go',
    );
    expect(short('Bash cd /Users/soph/work/cli && npm test', 'Bash')).toBe('Ran npm test');
    expect(short('Bash cat ~/work/cli/cmd/a.go > /tmp/a', 'Bash')).toBe(
      'Ran cat …/cli/cmd/a.go > /tmp/a',
    );
    expect(short('Read C:\\work\\cli\\cmd\\tests\\a.go', 'Read')).toBe('Read …\\cmd\\tests\\a.go');
    const url = 'https://example.com/a/b/c/d/e';
    expect(short(`WebFetch ${url}`, 'WebFetch')).toBe(`Fetched ${url}`);
    expect(short('Read src/kit/parts/deep/a.ts', 'Read')).toBe('Read src/kit/parts/deep/a.ts');
    const prompt = { label: 'Prompt: look at /a/b/c/d/e.ts', kind: 'prompt' };
    expect(shortName(prompt)).toBe(prompt.label);
    expect(shortName({ label: 'Excerpts as of step 3: /a/b/c/d/e.ts', kind: 'excerpts' })).toBe(
      'Excerpts as of step 3: …/c/d/e.ts',
    );
  });

  it('is its label without calls', () => {
    expect(saidBlock('Reply: read_file is a tool')).toBe('Reply: read_file is a tool');
  });
});
