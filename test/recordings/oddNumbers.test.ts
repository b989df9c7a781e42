import { describe, expect, it } from 'vitest';
import { recordedChargesOf } from '../../src/sessions/transcript';
import { assistant, text, user } from './support/claudeCodeLines';
import { jsonl, transcriptOf } from './support/drawnTranscript';

/** What the only reply was charged for. */
function chargesOf(recording: unknown) {
  return transcriptOf(recording).entries.flatMap((entry) =>
    entry.type === 'reply' ? recordedChargesOf(entry) : [],
  );
}

const claude = (input_tokens: unknown, output_tokens: unknown = 5) =>
  jsonl(user('Go'), assistant('m1', text('Done.'), {}, { input_tokens, output_tokens }));

const opencode = (created: unknown, cost: unknown, reasoning: unknown = 0) => ({
  info: { id: 'ses_1' },
  messages: [
    { info: { role: 'user', time: { created } }, parts: [text('Go')] },
    {
      info: { role: 'assistant', modelID: 'm', time: { created } },
      parts: [
        text('Done.'),
        { type: 'step-finish', cost, tokens: { input: 9, output: 5, reasoning } },
      ],
    },
  ],
});

describe('a number that is none of a recording', () => {
  it.each([1e308, 1e21, -3, 0.5, '7', null, Number.MAX_SAFE_INTEGER])(
    'counts no tokens: %s',
    (tokens) => {
      expect(chargesOf(claude(tokens))).toMatchObject([
        { usage: { inputTokens: 0, outputTokens: 5 } },
      ]);
      expect(chargesOf(claude(tokens, tokens))).toEqual([]);
      // A damaged part leaves the rest.
      expect(chargesOf(opencode(1, 1, tokens))).toMatchObject([{ usage: { outputTokens: 5 } }]);
    },
  );

  it('is the size of no window', () => {
    const size = (model_context_window: unknown) => ({
      type: 'event_msg',
      payload: { type: 'task_started', model_context_window },
    });
    const says = (role: string, type: string) => ({
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type, text: 'Go' }] },
    });
    const sizeOf = (tokens: unknown) =>
      transcriptOf(
        jsonl(
          { type: 'session_meta', payload: { id: 's' } },
          size(tokens),
          says('user', 'input_text'),
          says('assistant', 'output_text'),
        ),
      ).windowTokens;
    expect([258_400, 1e308, -1, 0.5, '9'].map(sizeOf)).toEqual([
      258_400,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is neither a price nor a moment', () => {
    expect(chargesOf(opencode(1, 0.25))).toMatchObject([{ usd: 0.25 }]);
    expect(chargesOf(opencode(1, 1e300))[0]).not.toHaveProperty('usd', 1e300);
    const momentsOf = (created: unknown) =>
      transcriptOf(opencode(created, 0)).entries.map(({ at }) => at);
    expect(momentsOf(1_800_000_000_000)).toEqual([1_800_000_000_000, 1_800_000_000_000]);
    for (const odd of [1e308, 8.64e15 + 1, 'soon', null]) {
      expect(momentsOf(odd)).toEqual([undefined, undefined]);
    }
  });
});
