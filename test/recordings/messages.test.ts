import { describe, expect, it } from 'vitest';
import { drawn, refusalOf, transcriptOf } from './support/drawnTranscript';

describe('a Messages API request', () => {
  it('is read with its system prompt, tools and model', () => {
    const transcript = transcriptOf({
      model: 'claude-x',
      max_tokens: 100,
      system: [
        { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Be right.' },
      ],
      tools: [
        { name: 'read', description: 'Reads', input_schema: { type: 'object' } },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: 'x' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'A' }] },
            { type: 'text', text: 'And b?' },
          ],
        },
        { role: 'system', content: 'A hint' },
      ],
    });
    expect(transcript).toEqual({
      format: 'messages',
      system: 'Be brief.\nBe right.',
      tools: [{ name: 'read', description: 'Reads', inputSchema: { type: 'object' } }],
      entries: [
        { type: 'prompt', text: 'Go' },
        {
          type: 'reply',
          model: 'claude-x',
          parts: [
            { type: 'text', text: 'I look.' },
            { type: 'toolUse', use: { id: 't1', name: 'read', input: { path: 'a' } } },
          ],
          results: [{ toolUseId: 't1', text: 'A', isError: false, origin: 'ran' }],
        },
        { type: 'prompt', text: 'And b?' },
      ],
      notes: [
        '1 server-side tool skipped.',
        '1 thinking block skipped: thinking is signed for the server that wrote it.',
        '1 system message after the first prompt skipped.',
      ],
    });
  });

  it('is read from its messages alone, on one line or many', () => {
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Gone.' },
    ];
    for (const written of [JSON.stringify(messages), JSON.stringify(messages, null, 2)]) {
      expect(drawn(written)).toEqual(['prompt Go', 'reply Gone.']);
    }
    const oneEach = `[\n${messages.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
    expect(drawn(oneEach)).toEqual(['prompt Go', 'reply Gone.']);
  });

  it('has summaries by the API as compactions, and documents as text or attachments', () => {
    const recording = [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A page' } },
          { type: 'document', source: { media_type: 'application/pdf', data: 'JVBERi0' } },
          { type: 'container_upload', file_id: 'f' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'compaction', content: 'So far' },
          { type: 'text', text: 'On.' },
        ],
      },
    ];
    expect(drawn(recording)).toEqual([
      'prompt A page [document application/pdf 7]',
      'compacted So far',
      'reply On.',
    ]);
    expect(transcriptOf(recording).notes).toEqual(['1 part of an unknown kind skipped.']);
  });

  it('omits prompts without text', () => {
    const recording = [
      { role: 'user', content: 'Go' },
      { role: 'user', content: ' ' },
      { role: 'assistant', content: 'Gone.' },
    ];
    expect(drawn(recording)).toEqual(['prompt Go', 'reply Gone.']);
    expect(transcriptOf(recording).notes).toEqual(['1 empty prompt skipped.']);
  });

  it('names the message that has another shape', () => {
    const wrong = JSON.stringify([
      { role: 'user', content: 'Go' },
      { role: 'judge', content: '' },
    ]);
    expect(refusalOf(wrong, 'messages')).toMatch(
      /line 1, as a messages recording: messages\.1\.role: /,
    );
  });
});
