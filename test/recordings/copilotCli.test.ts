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

  it('loses its oldest messages by a truncation, whose card is a compaction without a summary', () => {
    const cut = (left: number, removed: number) =>
      event('session.truncation', {
        tokenLimit: 128_000,
        messagesRemovedDuringTruncation: removed,
        postTruncationMessagesLength: left,
        performedBy: 'BasicTruncator',
      });
    const talk = [
      START,
      asked('Go'),
      said('One', ['t1']),
      came('t1', 'a'),
      asked('On'),
      said('Two'),
    ];
    const more = [asked('And?'), said('Three')];
    // Kept: the newest prompt and the reply to it.
    expect(drawn(jsonl(...talk, cut(2, 3), ...more))).toEqual([
      'prompt Go',
      'reply One bash(t1)=a',
      'prompt On',
      'reply Two',
      'compacted  keeping 2 3',
      'prompt And?',
      'reply Three',
    ]);
    const kept = drawn(jsonl(...talk, cut(3, 2), cut(3, 0), ...more)).filter((one) =>
      one.startsWith('compacted'),
    );
    // The result stays without its call; one that removed nothing has no card.
    expect(kept).toEqual(['compacted  keeping 2 3']);
    const again = drawn(jsonl(...talk, cut(1, 4), cut(9, 1), ...more));
    expect(again.filter((one) => one.startsWith('compacted'))).toEqual([
      'compacted  keeping 3',
      'compacted ',
    ]);
    expect(transcriptOf(jsonl(...talk, cut(2, 3), ...more)).windowTokens).toBe(128_000);
    const cleared = event('session.context_cleared', { messagesCleared: 4 });
    expect(drawn(jsonl(...talk, cleared, ...more))).toContain('compacted ');
  });

  it('has what was charged for a summary, and who asked for it', () => {
    const compactionTokensUsed = { model: 'small', inputTokens: 90, outputTokens: 9 };
    const lines = jsonl(
      START,
      asked('Go'),
      said('One'),
      event('session.compaction_start', { trigger: 'manual' }),
      event('session.compaction_complete', {
        success: true,
        summaryContent: 'So far.',
        compactionTokensUsed,
      }),
      asked('On'),
      event('session.resume', {}),
      said('Two'),
    );
    const { entries } = transcriptOf(lines);
    expect(entries[2]).toMatchObject({ type: 'compacted', summary: 'So far.', byUser: true });
    expect(entries[4]).toMatchObject({
      resumed: true,
      otherCharges: [{ model: 'small', usage: { inputTokens: 90, outputTokens: 9 } }],
    });
  });

  it('has one reply for the pieces of a response, with its usage once', () => {
    const usage = { inputTokens: 90, outputTokens: 9, apiCallId: 'a1' };
    const { entries } = transcriptOf(
      jsonl(
        START,
        asked('Go'),
        said('One.', [], { apiCallId: 'a1', chunkIndex: 0, chunkCount: 2 }),
        said('Two.', ['t1'], { apiCallId: 'a1', chunkIndex: 1, chunkCount: 2 }),
        event('session.usage_record', { usage }),
        came('t1', 'a'),
        // Some servers give every response the same name.
        said('Three.', [], { apiCallId: 'a1' }),
      ),
    );
    expect(entries.map(({ type }) => type)).toEqual(['prompt', 'reply', 'reply']);
    expect(entries[2]).toMatchObject({ usage: { inputTokens: 90 } });
    expect(entries[1]).toMatchObject({ usage: { inputTokens: 90 }, results: [{ text: 'a' }] });
  });

  it('leaves out the events of a sub-agent, and marks what no user typed', () => {
    const ofAgent = (line: object) => ({ ...line, agentId: 'agent-1' });
    const lines = jsonl(
      START,
      asked('Go'),
      ofAgent(asked('Count.')),
      ofAgent(said('Inner', ['t9'])),
      ofAgent(came('t9', 'inner')),
      ofAgent(event('session.truncation', { messagesRemovedDuringTruncation: 1 })),
      said('Done'),
      asked('A skill.', { source: 'skill-pdf' }),
      asked('Go on.', { isAutopilotContinuation: true }),
      asked('Thanks', { source: 'user' }),
      said('Fine'),
    );
    const { entries, notes } = transcriptOf(lines);
    expect(
      entries.map((entry) =>
        entry.type === 'prompt' ? [entry.text, entry.byAgent === true] : entry.type,
      ),
    ).toEqual([
      ['Go', false],
      'reply',
      ['A skill.', true],
      ['Go on.', true],
      ['Thanks', false],
      'reply',
    ]);
    expect(notes).toContain('3 subagent lines skipped.');
  });
});
