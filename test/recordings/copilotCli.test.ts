import { describe, expect, it } from 'vitest';
import { drawn, jsonl, transcriptOf } from './support/drawnTranscript';

const event = (type: string, data: object) => ({
  type,
  data,
  timestamp: '2026-11-22T01:02:03.004Z',
});
const START = event('session.start', { producer: 'copilot-agent' });
const asked = (content: string, more: object = {}) => event('user.message', { content, ...more });
const said = (content: string | null, ids: readonly string[] = [], more: object = {}) =>
  event('assistant.message', {
    model: 'claude-sonnet-4.6',
    content,
    toolRequests: ids.map((id) => ({ toolCallId: id, name: 'bash', arguments: { command: id } })),
    outputTokens: 7,
    ...more,
  });
const came = (toolCallId: string, content: string, more: object = {}) =>
  event('tool.execution_complete', {
    toolCallId,
    success: true,
    result: { content, detailedContent: `${content} in detail` },
    ...more,
  });

describe('a Copilot CLI session', () => {
  it('of version 1.0.102 has the usage of each request', () => {
    const usage = {
      inputTokens: 9_000,
      outputTokens: 20,
      cacheReadTokens: 500,
      cacheWriteTokens: 0,
    };
    const lines = jsonl(
      START,
      asked('Go'),
      event('session.usage_record', { usage: { ...usage, apiCallId: 'a1' } }),
      event('session.usage_record', { usage: 7 }),
      said('Hm.', [], { apiCallId: 'a1' }),
      said('Done.', [], { apiCallId: 'a2' }),
    );
    const [, first, second] = transcriptOf(lines).entries;
    const counted = {
      inputTokens: 8_500,
      cacheCreationTokens: 0,
      cacheReadTokens: 500,
      outputTokens: 20,
    };
    expect(first).toMatchObject({ usage: counted });
    expect(second).not.toHaveProperty('usage');
  });

  it('has the system prompt, the prompts, the calls and their results', () => {
    const lines = jsonl(
      START,
      event('session.model_change', { newModel: 'gpt-5' }),
      event('system.message', { role: 'system', content: 'You are Copilot.' }),
      event('hook.start', {}),
      asked('Go', { transformedContent: '<now>12:00</now>\n\nGo' }),
      said('', ['c1', 'c2'], { reasoningText: 'Hm.' }),
      came('c2', 'b'),
      came('c1', 'a'),
      said('Done.', [], { model: null }),
    );
    expect(drawn(lines)).toEqual(['prompt Go', 'reply bash(c1)=a bash(c2)=b', 'reply Done.']);
    const { system, entries, notes } = transcriptOf(lines);
    expect(system).toBe('You are Copilot.');
    expect(entries[0]!.at).toBe(Date.parse('2026-11-22T01:02:03.004Z'));
    expect(entries[2]).toMatchObject({ model: 'gpt-5' });
    expect(notes).toEqual([
      '1 injected text skipped.',
      '1 thinking block skipped: thinking is signed for the server that wrote it.',
    ]);
  });

  it('has no usage, since no event says what a request held', () => {
    const { entries } = transcriptOf(jsonl(asked('Go'), said('Gone.')));
    expect(entries[1]).not.toHaveProperty('usage');
  });

  it('has failed results, and omits what subagents said', () => {
    const lines = jsonl(
      asked('Go'),
      said('', ['c1']),
      said('I am a subagent.', ['s1'], { parentToolCallId: 'c1' }),
      came('s1', 'x', { parentToolCallId: 'c1' }),
      came('c1', '', { success: false, result: null, error: { message: 'It was stopped' } }),
    );
    expect(drawn(lines)).toEqual(['prompt Go', 'reply bash(c1)!It was stopped']);
    expect(transcriptOf(lines).notes).toEqual(['2 subagent lines skipped.']);
  });

  it('omits one line that has another shape, and names it', () => {
    const nameless = event('assistant.message', { toolRequests: [{ toolCallId: 'c1' }] });
    const { entries, notes } = transcriptOf(jsonl(asked('Go'), nameless, said('Gone.')));
    expect(entries).toHaveLength(2);
    expect(notes[0]).toMatch(/^Line 2 left out; .*data: toolRequests\.0\.name: a call needs/);
  });
});
