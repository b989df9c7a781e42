/** Lines of a session as Claude Code records it, made for a test. */
const line = (value: object) => `${JSON.stringify({ sessionId: 'recorded', ...value })}\n`;

/** Most tokens that a recorded request reports: the agent's window was not larger. */
const MOST_INPUT = 150_000;

/** The user's words. */
export const prompt = (text: string, more: object = {}): string =>
  line({ uuid: `said ${text}`, type: 'user', message: { content: text }, ...more });

/** The agent compacted its window. */
export const compaction = (): string =>
  line({ uuid: 'boundary', type: 'system', subtype: 'compact_boundary' }) +
  prompt('This session goes on: every file was looked at.', { isCompactSummary: true });

/** Steps of an agent that reads one file in each, of about a thousand tokens. */
export function steps(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => readAgain(from + index, from + index));
}

/** The step with this number, which reads the file of a step, an earlier one or its own. */
export function readAgain(read: number, number: number): string {
  const id = `toolu_${number}`;
  const input = { file_path: `src/file${read}.js` };
  const message = {
    id: `msg_${number}`,
    model: 'claude-sonnet-4-5',
    content: [{ type: 'tool_use', id, name: 'Read', input }],
    usage: { input_tokens: Math.min(900 * number, MOST_INPUT), output_tokens: 40 },
  };
  const content = `export const port${read} = ${read};\n`.repeat(100);
  const result = { content: [{ type: 'tool_result', tool_use_id: id, content }] };
  return (
    line({ uuid: `reply ${number}`, type: 'assistant', message }) +
    line({ uuid: `result ${number}`, type: 'user', message: result })
  );
}
