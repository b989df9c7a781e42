import { describe, expect, it } from 'vitest';
import { callKindOf } from '../../../src/contextWindow/callEffect';
import { labelOfCall } from '../../../src/contextWindow/label';
import type { JsonValue } from '../../../src/contextWindow/json';
import type { ToolUseId } from '../../../src/contextWindow/block';
import { sentenceOf } from '../../../webview/kit/callWords';

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
