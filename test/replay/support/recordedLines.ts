import type { ReplayPolicy } from '../../../src/replay/replaySettings';
import { jsonl, transcriptOf } from '../../recordings/support/drawnTranscript';
import { replayedTranscript, settingsOf } from './replayed';

/** The seconds of the previous line. */
let clock = 0;

/** Resets the next line to the first second. */
export const fromTheStart = () => void (clock = 0);

/** One line of a Claude Code session; each a second after the one before. */
export function line(type: 'user' | 'assistant', content: unknown, more: object = {}): object {
  clock += 1;
  const timestamp = new Date(clock * 1_000).toISOString();
  const { message, ...rest } = more as { readonly message?: object };
  return { type, timestamp, message: { role: type, content, ...message }, ...rest };
}

/** A prompt. */
export const asked = (text: string) => line('user', text);

/** A reply of text. */
export const said = (text: string, id: string) =>
  line('assistant', [{ type: 'text', text }], { message: { id, model: 'claude-opus-4-5' } });

/** A file read and its result. */
export const read = (id: string, result = 'text') => [
  line('assistant', [{ type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } }], {
    message: {
      id: `m-${id}`,
      model: 'claude-opus-4-5',
      usage: { input_tokens: 100, output_tokens: 5 },
    },
  }),
  line('user', [{ type: 'tool_result', tool_use_id: id, content: result }]),
];

/** The usage of a request of this many tokens, written to the cache or read from it. */
export const usage = (read: number, written = 0) => ({
  input_tokens: 0,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: read,
  output_tokens: 5,
});

/** A call of a tool and its result. */
export const call = (
  id: string,
  [name, input, result]: readonly [name: string, input: object, result: string],
  more: { readonly usage?: object; readonly isError?: true } = {},
) => [
  line('assistant', [{ type: 'tool_use', id, name, input }], {
    message: { id: `m-${id}`, model: 'claude-opus-4-5', usage: more.usage ?? usage(100) },
  }),
  line('user', [{ type: 'tool_result', tool_use_id: id, content: result, is_error: more.isError }]),
];

/** A compaction with a summary. */
export const summed = (text: string) => [
  { type: 'system', subtype: 'compact_boundary' },
  line('user', text, { isCompactSummary: true }),
];

/** A compaction without a summary. */
export const bare = { type: 'system', subtype: 'compact_boundary' };

/** A compaction that clears the results of these calls. */
export const cleared = (...ids: string[]) => ({
  type: 'system',
  subtype: 'microcompact_boundary',
  microcompactMetadata: { compactedToolIds: ids },
});

/** The lines, replayed. */
export function played(
  lines: readonly unknown[],
  policy: ReplayPolicy = 'recorded',
  inputBudget = 9_000,
) {
  const transcript = transcriptOf(jsonl(...lines.flat()), 'claude-code');
  return replayedTranscript(transcript, settingsOf(policy, inputBudget));
}
