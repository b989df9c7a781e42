import { entered, type NewEvent, type SessionEvent } from '../../../../src/contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../../../../src/contextWindow/fold';
import type { ToolUseId } from '../../../../src/contextWindow/block';
import type { Inspected } from '../../../../src/editor/session/inspected';
import { Inspection, INTRO_SEEN } from '../../../../src/editor/contextPanel/inspection';
import { inspectedOf } from '../../../editor/contextPanel/support/inspectedScene';
import { budgetOf } from '../../../support/drawing';

const USAGE = { inputTokens: 40, cacheCreationTokens: 400, outputTokens: 60 };

const estimate = (text: string) => Math.ceil(text.length / 4);

/** A session of this many steps that each read a file; nothing is evicted. */
export function longSession(steps: number): Inspected {
  let window = EMPTY_WINDOW;
  const events: SessionEvent[] = [];
  const append = (event: NewEvent) => {
    const whole = entered(event, events.length, window);
    window = applyEvent(window, whole);
    events.push(whole);
  };
  append({ type: 'sessionStarted', version: 3, sessionId: 'long', pinTaskAnchor: true });
  append({ type: 'modelSet', model: 'claude-sonnet-5-5' });
  for (let step = 1; step <= steps; step += 1) {
    if (step % 40 === 1) {
      const text = `Look at part ${Math.ceil(step / 40)} of the library`;
      append({ type: 'promptSubmitted', text, admission: { form: 'whole' } });
    }
    const use = {
      id: `toolu_${step}` as ToolUseId,
      name: 'read_file',
      input: { path: `src/part${step}.ts` },
    };
    append({
      type: 'replyReceived',
      model: 'claude-sonnet-5-5',
      parts: [{ type: 'toolUse', use }],
      stopReason: 'tool_use',
      usage: { ...USAGE, cacheReadTokens: step * 90 },
      durationMs: 900,
      tiers: { system: 900, archive: step * 70, working: 1_200, exact: true },
    });
    append({
      type: 'toolFinished',
      toolUseId: use.id,
      text: `export const part${step} = ${step};\n`.repeat(8),
      isError: step % 97 === 0,
      origin: 'ran',
      durationMs: 3,
      admission: { form: 'whole' },
    });
  }
  return inspectedOf(window, budgetOf(4_000_000), { events });
}

/** Derives a session's state as the host does. */
export function inspectionOf(inspected: Inspected): Inspection {
  const services = {
    access: { estimator: { estimate, warm: () => Promise.resolve() } },
    context: {
      globalState: { get: (key: string) => key === INTRO_SEEN },
      workspaceState: { get: () => [] },
    },
    demoAuthor: 'offline demo script',
  };
  return new Inspection(services, { inspected }, { filesNow: async () => undefined });
}
