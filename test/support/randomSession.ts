import fc from 'fast-check';
import type { BlockId, ReplyPart, ToolUseId } from '../../src/contextWindow/block';
import type { Budget } from '../../src/contextWindow/budget';
import type { ContextWindow } from '../../src/contextWindow/contextWindow';
import { effectiveBudget } from '../../src/contextWindow/stepDown';
import type { NewEvent, SessionEvent } from '../../src/contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { measure } from '../../src/contextWindow/measure';
import { resultHandle } from '../../src/contextWindow/placeholder';
import { ladder } from '../../src/contextWindow/policies/ladder';
import type { Trigger } from '../../src/contextWindow/plan';
import { settle } from '../../src/contextWindow/settle';
import { isOverHigh, isWorthwhile } from '../../src/contextWindow/trigger';
import { admit } from '../../src/contextWindow/truncate';
import { workNote } from '../../src/contextWindow/workNote';

/** Three characters a token: plain, and the same for every text. */
export const estimate = (text: string): number => Math.ceil(text.length / 3);

/** What may happen in a random session. */
export type Action =
  | { readonly type: 'prompt'; readonly chars: number }
  | {
      readonly type: 'step';
      readonly text: boolean;
      readonly thinking: boolean;
      readonly results: readonly { readonly chars: number; readonly isError: boolean }[];
    }
  | { readonly type: 'pin' | 'unpin'; readonly which: number }
  | { readonly type: 'notes'; readonly chars: number }
  | { readonly type: 'overflow' };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('prompt' as const),
      chars: fc.integer({ min: 1, max: 3_000 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('step' as const),
      text: fc.boolean(),
      thinking: fc.boolean(),
      results: fc.array(
        fc.record({
          chars: fc.integer({ min: 0, max: 12_000 }),
          isError: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('pin' as const, 'unpin' as const),
      which: fc.nat(40),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('notes' as const),
      chars: fc.integer({ min: 0, max: 600 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('overflow' as const) }) },
);

/** A session is a prompt and then whatever comes. */
export const actions: fc.Arbitrary<readonly Action[]> = fc
  .array(action, { minLength: 1, maxLength: 60 })
  .map((rest) => [{ type: 'prompt', chars: 200 }, ...rest]);

/** One request of a played session: the window it was built from, and the one before it. */
export interface Sent {
  readonly window: ContextWindow;
  readonly budget: Budget;
  /** True when a pass, a pin or an unpin came since the last request. */
  readonly edited: boolean;
  readonly fits: boolean;
}

export interface Played {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly sent: readonly Sent[];
}

/** Plays a session as the agent would, with passes when they are due, without any model. */
export function play(script: readonly Action[], budget: Budget, compaction: boolean): Played {
  const events: SessionEvent[] = [];
  const sent: Sent[] = [];
  let window = EMPTY_WINDOW;
  let edited = true;
  let ids = 0;
  const append = (event: NewEvent) => {
    const dated = { ...event, at: events.length } as SessionEvent;
    events.push(dated);
    window = applyEvent(window, dated);
  };
  const runPass = (trigger: Trigger) => {
    const measured = measure(window, estimate);
    const plan = ladder({
      window,
      measured,
      budget: effectiveBudget(window, budget),
      trigger,
      estimate,
      compaction,
    });
    if (!isWorthwhile(plan)) return;
    const summaries = plan.summaries.map((job) => ({
      id: job.summaryId,
      covers: job.covers,
      text: workNote(
        window.blocks.filter(({ id }) => job.covers.includes(id)),
        job.maxTokens,
        estimate,
      ),
      writtenBy: { by: 'workNote' as const, because: 'this is a test' },
    }));
    append({ type: 'passApplied', pass: settle(plan, summaries, window, measured, estimate) });
    edited = true;
  };
  const send = (): boolean => {
    if (isOverHigh(measure(window, estimate), effectiveBudget(window, budget)))
      runPass('highWatermark');
    const now = effectiveBudget(window, budget);
    const fits = measure(window, estimate).used.tokens <= now.inputBudget;
    sent.push({ window, budget: now, edited, fits });
    edited = false;
    return fits;
  };

  append({ type: 'sessionStarted', version: 1, sessionId: 'random', pinTaskAnchor: true });
  append({
    type: 'preambleSet',
    system: 'You are a coding agent.',
    tools: [{ name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object' } }],
  });
  for (const [index, act] of script.entries()) {
    switch (act.type) {
      case 'prompt': {
        const text = `prompt ${index} ${'word '.repeat(act.chars / 5)}`.trim();
        append({
          type: 'promptSubmitted',
          text,
          admission: admit(
            text,
            Math.floor(budget.inputBudget / 2),
            estimate,
            `prompt-${window.turn + 1}`,
          ),
        });
        break;
      }
      case 'step': {
        if (!send()) break;
        const uses = act.results.map((_, call) => ({
          id: `toolu_${++ids}` as ToolUseId,
          name: 'read_file',
          input: { path: `src/file${(index + call) % 7}.ts` },
        }));
        const parts: ReplyPart[] = [
          ...(act.thinking
            ? [
                {
                  type: 'thinking' as const,
                  thinking: `thought ${index}`,
                  signature: `sig ${index}`,
                },
              ]
            : []),
          ...(act.text ? [{ type: 'text' as const, text: `I look at ${index}.` }] : []),
          ...uses.map((use) => ({ type: 'toolUse' as const, use })),
        ];
        append({
          type: 'replyReceived',
          model: 'random',
          parts,
          stopReason: uses.length > 0 ? 'tool_use' : 'end_turn',
          usage: { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 5 },
          durationMs: 1,
        });
        const cap = Math.min(1_500, Math.floor(budget.inputBudget / 2 / Math.max(1, uses.length)));
        for (const [call, use] of uses.entries()) {
          const { chars, isError } = act.results[call]!;
          const text = `line of ${use.input.path}\n`.repeat(chars / 20);
          append({
            type: 'toolFinished',
            toolUseId: use.id,
            text,
            isError,
            origin: 'ran',
            durationMs: 1,
            admission: admit(text, cap, estimate, resultHandle(use.id)),
          });
        }
        break;
      }
      case 'pin':
      case 'unpin': {
        const block = window.blocks[act.which % window.blocks.length];
        if (block === undefined) break;
        append({
          type: act.type === 'pin' ? 'blockPinned' : 'blockUnpinned',
          blockId: block.id as BlockId,
        });
        edited = true;
        break;
      }
      case 'notes':
        append({
          type: 'scratchpadUpdated',
          scratchpad: { ...window.scratchpad, objective: 'x'.repeat(act.chars) },
        });
        break;
      case 'overflow':
        runPass('overflow');
        break;
    }
  }
  send();
  return { events, window, sent };
}
