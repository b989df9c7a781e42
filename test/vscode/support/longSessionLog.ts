import type { ToolUseId } from '../../../src/contextWindow/block';
import { entered, type NewEvent, type SessionEvent } from '../../../src/contextWindow/event';

const MODEL = 'claude-sonnet-5-5';

/** Steps of each turn: with its prompt, a turn makes a hundred blocks. */
const STEPS = 99;

/** Names the file that step `step` of a long session reads. */
export const fileOf = (step: number): string => `src/part${step}.ts`;

/** The events of a session that ended normally, a hundred blocks in each turn. */
export function longSession(turns: number): readonly SessionEvent[] {
  const last = { turn: 0, step: 0, note: 0 };
  const events: SessionEvent[] = [];
  const append = (event: NewEvent) => {
    events.push(entered(event, Date.now(), last));
    if (event.type === 'promptSubmitted') last.turn += 1;
    if (event.type === 'replyReceived') last.step += 1;
  };
  append({ type: 'sessionStarted', version: 3, sessionId: 'long', pinTaskAnchor: true });
  append({ type: 'modelSet', model: MODEL });
  for (let turn = 1; turn <= turns; turn += 1) {
    const text = `Look at shelf ${turn} of the library.`;
    append({ type: 'promptSubmitted', text, admission: { form: 'whole' } });
    for (let step = 1; step < STEPS; step += 1) reads(append, last.step + 1);
    append(reply(last.step + 1, [{ type: 'text', text: `Shelf ${turn} is in order.` }]));
    append({ type: 'turnEnded', outcome: { type: 'finished' } });
  }
  return events;
}

/** A step that reads a file of about forty tokens. */
function reads(append: (event: NewEvent) => void, step: number): void {
  const id = `toolu_${step}` as ToolUseId;
  const use = { id, name: 'read_file', input: { path: fileOf(step) } };
  append(reply(step, [{ type: 'toolUse', use }]));
  append({
    type: 'toolFinished',
    toolUseId: id,
    text: `export const part${step} = ${step};\n`.repeat(4),
    isError: false,
    origin: 'ran',
    durationMs: 3,
    admission: { form: 'whole' },
  });
}

function reply(
  step: number,
  parts: Extract<NewEvent, { readonly type: 'replyReceived' }>['parts'],
): NewEvent {
  return {
    type: 'replyReceived',
    model: MODEL,
    parts,
    stopReason: parts.some(({ type }) => type === 'toolUse') ? 'tool_use' : 'end_turn',
    usage: {
      inputTokens: 10,
      cacheReadTokens: step * 80,
      cacheCreationTokens: 80,
      outputTokens: 30,
    },
    durationMs: 900,
    tiers: { system: 900, archive: step * 70, working: step * 10, exact: true },
  };
}
