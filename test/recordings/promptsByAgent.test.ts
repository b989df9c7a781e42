import { describe, expect, it } from 'vitest';
import { assistant, text, user } from './support/claudeCodeLines';
import { jsonl, transcriptOf } from './support/drawnTranscript';

/** Which prompts an agent wrote. */
const byAgent = (recording: Parameters<typeof transcriptOf>[0]) =>
  transcriptOf(recording).entries.flatMap((entry) =>
    entry.type === 'prompt' ? [entry.byAgent === true] : [],
  );

const forked = jsonl(
  { type: 'system', subtype: 'compact_boundary', uuid: 'b', compactMetadata: {} },
  user('A summary.', { isCompactSummary: true, parentUuid: 'b' }),
  user('Go on.'),
  assistant('m1', text('Done.')),
);

describe('a prompt that an agent wrote', () => {
  it('is the summary that a forked session begins with', () => {
    expect(byAgent(forked)).toEqual([true, false]);
  });

  it('is each prompt of a sub-agent of Claude Code', () => {
    const inner = { isSidechain: true };
    expect(
      byAgent(
        jsonl(
          user('Count.', inner),
          assistant('m1', text('2'), inner),
          user('Again.', inner),
          assistant('m2', text('3'), inner),
        ),
      ),
    ).toEqual([true, true]);
  });

  it('is the report of a sub-agent that worked in the background', () => {
    const report = '<task-notification>Agent "Count" finished</task-notification>';
    expect(
      byAgent(
        jsonl(
          user('Count.', { origin: 'human' }),
          assistant('m1', text('I wait.')),
          user(report, { origin: { kind: 'task-notification' } }),
          assistant('m2', text('Done.')),
          user(report, { origin: { kind: 'human' } }),
          assistant('m3', text('Done.')),
        ),
      ),
    ).toEqual([false, true, false]);
  });

  it('is the first prompt of a sub-agent of Codex or OpenCode: the user may talk to it later', () => {
    const says = (role: string, words: string) => ({
      type: 'response_item',
      payload: {
        type: 'message',
        role,
        content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: words }],
      },
    });
    const lines = [
      says('user', 'Count.'),
      says('assistant', '2'),
      says('user', 'Again.'),
      says('assistant', '3'),
    ];
    const meta = (more: object) => ({ type: 'session_meta', payload: { id: 's', ...more } });
    const source = { subagent: { thread_spawn: { parent_thread_id: 'p' } } };
    expect(byAgent(jsonl(meta({ source }), ...lines))).toEqual([true, false]);
    expect(byAgent(jsonl(meta({ source: 'cli' }), ...lines))).toEqual([false, false]);
    // It begins with what the user said to its parent.
    const history_base = { thread_id: 'p', end_byte_offset: 9 };
    expect(byAgent(jsonl(meta({ source, history_base }), ...lines))).toEqual([false, false]);
    const messages = ['user', 'assistant', 'user', 'assistant'].map((role, index) => ({
      info: { role, time: { created: index } },
      parts: [{ type: 'text', text: 'Count.' }],
    }));
    expect(byAgent({ info: { id: 'ses_2', parentID: 'ses_1' }, messages })).toEqual([true, false]);
    expect(byAgent({ info: { id: 'ses_1' }, messages })).toEqual([false, false]);
  });
});
