import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/contextWindow/block';
import { isInWindow } from '../../src/contextWindow/block';
import { withInputBudget } from '../../src/contextWindow/budget';
import {
  latestPrompt,
  latestStep,
  type ContextWindow,
} from '../../src/contextWindow/contextWindow';
import { fold } from '../../src/contextWindow/fold';
import { balance, CATEGORIES } from '../../src/contextWindow/ledger';
import { measure } from '../../src/contextWindow/measure';
import { admittedText } from '../../src/contextWindow/truncate';
import { recallText } from '../../src/contextWindow/blockText';
import {
  messagesOf,
  toRequest,
  type MessagePart,
  type WindowRequest,
} from '../../src/contextWindow/request';
import { actions, estimate, play, type Played } from '../support/randomSession';

const BUDGET = withInputBudget(
  {
    contextWindowTokens: 9_000,
    maxReplyTokens: 500,
    safetyHeadroomTokens: 250,
    toolResultHeadroomTokens: 250,
    highWatermark: 0.8,
    lowWatermark: 0.5,
  },
  8_000,
);

const RUNS = { numRuns: 150, seed: 20_261_121 };

function holds(check: (played: Played) => void): void {
  fc.assert(
    fc.property(actions, fc.boolean(), (script, compaction) => {
      check(play(script, BUDGET, compaction));
    }),
    RUNS,
  );
}

function parts(request: WindowRequest): readonly MessagePart[] {
  return request.messages.flatMap(({ content }) => content);
}

function withoutBreakpoints(request: WindowRequest): readonly string[] {
  return parts(request).map(({ ...part }) => {
    delete (part as { cache_control?: unknown }).cache_control;
    return JSON.stringify(part);
  });
}

describe('invariants over random sessions', () => {
  it('play runs passes of every rung, so that the rest has something to check', () => {
    const rungs = new Set<string>();
    holds(({ window }) => {
      for (const { pass } of window.ledger) pass.rungs.forEach(({ rung }) => rungs.add(rung));
    });
    expect([...rungs].sort()).toEqual(['clear', 'compact', 'evict']);
  });

  it('I1: every tool_use is answered once, at the start of the next message', () => {
    holds(({ sent }) => {
      for (const { window } of sent) {
        const { messages } = toRequest(window);
        messages.forEach(({ role, content }, index) => {
          expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
          const uses = content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
          const next = messages[index + 1]?.content ?? [];
          const answered = next
            .slice(0, uses.length)
            .map((part) => (part.type === 'tool_result' ? part.tool_use_id : part.type));
          expect(answered).toEqual(uses);
          const results = next.filter(({ type }) => type === 'tool_result');
          expect(results).toHaveLength(uses.length);
        });
      }
    });
  });

  it('I1: a prompt beside an evicted result survives until it is evicted itself', () => {
    holds(({ sent }) => {
      for (const { window } of sent) {
        const texts = parts(toRequest(window)).map((part) =>
          part.type === 'text' ? part.text : '',
        );
        for (const block of window.blocks) {
          if (block.kind !== 'prompt' || !isInWindow(block)) continue;
          expect(texts).toContain(admittedText(block.text, block.admission, block.id));
        }
      }
    });
  });

  it('I2: the pinned task anchor is in every request, verbatim and labelled', () => {
    holds(({ sent }) => {
      for (const { window } of sent) {
        const anchor = window.blocks.find(({ kind }) => kind === 'anchor') as Extract<
          Block,
          { kind: 'anchor' }
        >;
        if (!anchor.pinned) continue;
        const first = toRequest(window).messages[0]!.content[0]!;
        const text = first.type === 'text' ? first.text : '';
        expect(text.startsWith('<task_anchor')).toBe(true);
        expect(text).toContain(admittedText(anchor.text, anchor.admission, anchor.id));
      }
    });
  });

  it('I3: the newest prompt is verbatim and is the last thing the user says', () => {
    holds(({ sent }) => {
      for (const { window } of sent) {
        const prompt = latestPrompt(window) as Extract<Block, { kind: 'prompt' | 'anchor' }>;
        const said = toRequest(window)
          .messages.filter(({ role }) => role === 'user')
          .flatMap(({ content }) => content)
          .filter((part) => part.type === 'text');
        expect((said.at(-1) as { text: string }).text).toContain(
          admittedText(prompt.text, prompt.admission, prompt.id),
        );
      }
    });
  });

  it('I4: a request fits the input budget, or only what is protected is left', () => {
    holds(({ sent }) => {
      for (const { window, budget, fits } of sent) {
        const used = measure(window, estimate).used.tokens;
        expect(fits).toBe(used <= budget.inputBudget);
        if (fits) continue;
        const free = window.blocks.filter(
          (block) =>
            isInWindow(block) &&
            !block.pinned &&
            block !== latestPrompt(window) &&
            block !== latestStep(window),
        );
        expect(free.map(({ id }) => id)).toEqual([]);
      }
    });
  });

  it('I5: every pass makes the request strictly smaller', () => {
    holds(({ events, window }) => {
      for (const { pass } of window.ledger) {
        expect(pass.after.tokens).toBeLessThan(pass.before.tokens);
        const at = events.findIndex((event) => event.type === 'passApplied' && event.pass === pass);
        const size = (upTo: number) =>
          JSON.stringify(toRequest(fold(events.slice(0, upTo)))).length;
        if (pass.after.tokens < pass.before.tokens - 300) {
          expect(size(at + 1)).toBeLessThan(size(at));
        }
      }
    });
  });

  it('I6: no thinking is sent behind an edit, and none that was dropped returns', () => {
    holds(({ sent }) => {
      const dropped = new Set<string>();
      for (const { window } of sent) {
        const blocks = window.blocks;
        const firstEdit = blocks.findIndex(
          (block) => !isInWindow(block) || block.state === 'cleared',
        );
        const thoughts = (block: Block) =>
          messagesOf(block).flatMap(({ content }) =>
            content.flatMap((part) => (part.type === 'thinking' ? [part.thinking] : [])),
          );
        blocks.forEach((block, index) => {
          if (block.kind === 'step' && block.thinkingDropped) dropped.add(block.id);
          const isOld =
            window.ledger.length > 0 &&
            block.kind === 'step' &&
            block.step < window.ledger.at(-1)!.pass.beforeStep;
          if (isInWindow(block) && firstEdit !== -1 && index > firstEdit && isOld) {
            expect(thoughts(block)).toEqual([]);
          }
          if (dropped.has(block.id) && isInWindow(block)) expect(thoughts(block)).toEqual([]);
        });
      }
    });
  });

  it('I7: between edits each request begins with the parts of the one before', () => {
    holds(({ sent }) => {
      sent.forEach(({ window, edited }, index) => {
        const before = sent[index - 1];
        if (before === undefined || edited) return;
        const [earlier, later] = [before.window, window].map((one) =>
          withoutBreakpoints(toRequest(one)),
        );
        expect(later!.slice(0, earlier!.length)).toEqual(earlier);
      });
    });
  });

  it('I8: categories, headroom and reserved add up to the context window', () => {
    holds(({ sent }) => {
      for (const { window, budget } of sent) {
        for (const measured of [
          measure(window, estimate),
          measure(withBaseline(window), estimate),
        ]) {
          const account = balance(window, measured, budget);
          const { reply, safety, toolResults, steppedDown } = account.reserved;
          const sum = CATEGORIES.reduce(
            (total, category) => total + account.categories[category],
            0,
          );
          expect(sum).toBe(account.used.tokens);
          expect(sum + account.headroom + reply + safety + toolResults + steppedDown).toBe(9_000);
          expect(Math.min(...Object.values(account.categories))).toBeGreaterThanOrEqual(0);
        }
      }
    });
  });

  it('I9: every block not whole in the window has rule, reason, numbers and a way back', () => {
    holds(({ window }) => {
      for (const block of window.blocks) {
        if (block.state === 'whole') continue;
        const decision = window.decisions.get(block.id)!;
        expect(decision.reason.length).toBeGreaterThan(10);
        const { before, after } = decision;
        if (before.tokens > 0) expect(before.tokens).toBeGreaterThan(after.tokens);
        expect(recallText(window, decision.wayBack!.handle)).toBeDefined();
      }
    });
  });

  it('I10: folding the log again gives the same next request', () => {
    holds(({ events, window }) => {
      const again = fold(JSON.parse(JSON.stringify(events)) as typeof events);
      expect(JSON.stringify(toRequest(again))).toBe(JSON.stringify(toRequest(window)));
    });
  });

  it('every pass has one decision for every block that was in the window', () => {
    holds(({ events }) => {
      events.forEach((event, index) => {
        if (event.type !== 'passApplied') return;
        const before = fold(events.slice(0, index)).blocks.filter(isInWindow);
        expect(event.pass.decisions.map(({ blockId }) => blockId)).toEqual(
          before.map(({ id }) => id),
        );
      });
    });
  });
});

/** The same window as if the API had counted it: an odd number, so that shares must be rounded. */
function withBaseline(window: ContextWindow): ContextWindow {
  return {
    ...window,
    baseline: { tokens: 1_237, source: 'countTokens', blocks: Math.ceil(window.blocks.length / 2) },
  };
}
