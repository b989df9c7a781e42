import { rungGains } from '../../src/contextWindow/passes/rungGains';
import { expect } from './plainExpect';
import {
  isInWindow,
  type AnchorBlock,
  type Block,
  type SummaryBlock,
} from '../../src/contextWindow/block';
import { firstOfNewest, latestPrompt, type ContextWindow } from '../../src/contextWindow/window';
import { applyEvent, EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { weighBlock } from '../../src/contextWindow/account/guesses';
import { measure, scratchpadGrowth } from '../../src/contextWindow/account/measure';
import type { Pass } from '../../src/contextWindow/plan';
import { gapLines } from '../../src/contextWindow/request/gapLines';
import { excerptsText } from '../../src/contextWindow/request/placeholder';
import { toRequest } from '../../src/contextWindow/request/request';
import { rulesText } from '../../src/contextWindow/standingRules/standingRules';
import { mayLeave } from '../../src/contextWindow/tier';
import { passTitle } from '../../src/contextWindow/passes/passName';
import { whyNotUndone } from '../../src/contextWindow/passes/undoPass';
import { COUNTED_SHARE, estimate, type Played } from './player';
import { passesOf, windowsOf } from './passWindows';
import { expectReasonsHold } from './reasonsHold';
import { thoughtsOf } from './thoughts';

/** Invariants of every pass and its undo; each check throws if it is violated. */
export const PASS_INVARIANTS: Readonly<Record<string, (played: Played) => void>> = {
  'I5: every pass that a policy decides makes the request strictly smaller': (played) => {
    const size = (window: ContextWindow) => JSON.stringify(toRequest(window)).length;
    for (const { before, pass, after } of passesOf(played.events)) {
      if (pass.trigger === 'byHand') continue;
      // A limit on turns applies even if gap line and rules take more tokens than the turns did.
      const { gapLines: gap, rules = 0 } = pass.overhead!;
      const line = pass.trigger === 'cap' ? Math.max(0, gap) + Math.max(0, rules) : 0;
      expect(pass.after.tokens - line).toBeLessThan(pass.before.tokens);
      // Removed blocks may have been counted; excerpts are estimated, at less for the same text.
      const drift = Math.ceil((pass.overhead!.excerpts ?? 0) * (countedShare(before, pass) - 1));
      if (pass.after.tokens + drift < pass.before.tokens - 300) {
        expect(size(after)).toBeLessThan(size(before));
      }
    }
  },

  'the newest turns stay verbatim, unless everything older could not make enough room': ({
    events,
    settings: { keepRecentTurns, excerptShare },
  }) => {
    for (const { before, pass, after } of passesOf(events)) {
      const keeps = pass.policy === 'ladder' || pass.policy === 'summarise';
      if (!keeps || pass.trigger === 'byHand') continue;
      const sizeOf = new Map(pass.decisions.map((one) => [one.blockId, one.before.tokens]));
      const blockOf = new Map(before.blocks.map((block) => [block.id, block]));
      const largest = Math.min(2_000, Math.max(200, pass.budget.inputBudget * 0.04));
      // What the pass adds: gap lines, summaries at their largest, the scratchpad, and the rules of
      // prompts and notes that leave.
      const { rules = 0 } = pass.overhead!;
      const lines = [...gapLines(after).values()].reduce((sum, line) => sum + estimate(line), 0);
      const broughtIn =
        lines +
        Math.max(0, rules) +
        pass.summaries.length * largest +
        Math.max(0, scratchpadGrowth(before, measure(before, estimate), estimate));
      for (const { blockId, action, reason, recentTurn } of pass.decisions) {
        const block = blockOf.get(blockId)!;
        const isWords = !['summary', 'note', 'excerpts'].includes(block.kind);
        if (!isWords || block.turn < firstOfNewest(before, keepRecentTurns)) continue;
        if (action === 'keep' || action === 'trim' || reason.rule.startsWith('shorten')) continue;
        expect(recentTurn).toMatchObject({ turn: block.turn, kept: keepRecentTurns });
        const older = before.blocks.filter(
          (other) => mayLeave(before, other) && (other.turn < block.turn || other.kind === 'note'),
        );
        const free = older.reduce((sum, { id }) => sum + (sizeOf.get(id) ?? 0), 0);
        // Up to four fifths of what may be removed is kept free for excerpts, and the reason says so.
        if (recentTurn!.withExcerpts === true) expect(excerptShare).toBeDefined();
        const aim = recentTurn!.withExcerpts === true ? pass.target * 0.2 : pass.target;
        expect(pass.before.tokens + broughtIn - free).toBeGreaterThan(aim);
      }
    }
  },

  'I2: a task of more than its share is shortened before a newest turn is touched': ({
    events,
    settings: { keepRecentTurns },
  }) => {
    for (const { before, pass, after } of passesOf(events)) {
      const keeps = pass.policy === 'ladder' || pass.policy === 'summarise';
      if (!keeps || !['highWatermark', 'manual', 'overflow'].includes(pass.trigger)) continue;
      const task = before.blocks.find(({ kind, pinned }) => kind === 'anchor' && pinned);
      if (task === undefined) continue;
      const decisionOf = new Map(pass.decisions.map((one) => [one.blockId, one]));
      const first = firstOfNewest(before, Math.max(1, keepRecentTurns));
      const others = before.blocks.filter((block) => mayLeave(before, block));
      const isNewest = ({ kind, turn }: Block) =>
        kind !== 'note' && kind !== 'excerpts' && turn >= first;
      const isTouched = others.filter(isNewest).some(({ id }) => {
        const { action, reason } = decisionOf.get(id)!;
        return action !== 'keep' && action !== 'trim' && !reason.rule.startsWith('shorten');
      });
      const older = others
        .filter((block) => !isNewest(block))
        .reduce((sum, { id }) => sum + decisionOf.get(id)!.before.tokens, 0);
      if (!isTouched || pass.before.tokens - older <= pass.target) continue;
      const { inputBudget, lowTokens } = pass.budget;
      const share = Math.min(inputBudget / 4, lowTokens / 2);
      const { admission, text } = after.blocks.find(({ id }) => id === task.id) as AnchorBlock;
      // It is cut by estimate; counts may be larger.
      if (admission.form === 'truncated') expect(admission.capTokens).toBeLessThanOrEqual(share);
      else expect(estimate(text)).toBeLessThanOrEqual(share);
    }
  },

  'I6, I9: a step that loses its thinking in a pass has a decision of that pass': ({ events }) => {
    for (const { before, pass, after } of passesOf(events)) {
      const acted = new Set(
        pass.decisions.flatMap(({ action, blockId }) => (action === 'keep' ? [] : [blockId])),
      );
      const afterOf = new Map(after.blocks.map((block) => [block.id, block]));
      for (const block of before.blocks) {
        if (!isInWindow(block) || thoughtsOf(block).length === 0) continue;
        if (thoughtsOf(afterOf.get(block.id)!).length === 0) expect(acted).toContain(block.id);
      }
    }
  },

  'every pass has one decision for every block in the window before or after it': ({ events }) => {
    for (const { before, pass, after } of passesOf(events)) {
      const told = before.blocks.filter((block) => {
        const now = after.blocks.find(({ id }) => id === block.id);
        const isTaken = now?.state === 'undone' && block.state !== 'undone';
        return isInWindow(block) || isTaken || (now !== undefined && isInWindow(now));
      });
      expect(pass.decisions.map(({ blockId }) => blockId)).toEqual(told.map(({ id }) => id));
    }
  },

  'I4, I9: a pass by hand does one thing to one block, and brings in only what fits': ({
    events,
  }) => {
    for (const { before, pass, after } of passesOf(events)) {
      if (pass.trigger !== 'byHand' || pass.undonePrompt !== undefined) continue;
      const done = pass.decisions.filter(({ action }) => action !== 'keep' && action !== 'trim');
      expect(done).toHaveLength(1);
      const [{ action, blockId, reason }] = done as [Pass['decisions'][number]];
      expect(reason.rule).toMatch(/ByUser$/);
      if (action === 'restore') {
        expect(measure(after, estimate).used.tokens).toBeLessThanOrEqual(pass.budget.inputBudget);
      }
      const others = ({ blocks }: ContextWindow) =>
        blocks.filter(({ id }) => id !== blockId).map(withoutThoughts);
      expect(others(after)).toEqual(others(before));
    }
  },

  'I12: a summary names the steps it stands for, and no other': ({ events }) => {
    for (const { pass, after } of passesOf(events)) {
      for (const { id } of pass.summaries) {
        const steps = new Set<number>();
        const take = (one: string): void => {
          const block = after.blocks.find((other) => other.id === one)!;
          if (block.kind === 'step') steps.add(block.step);
          if (block.kind === 'summary') block.covers.forEach(take);
        };
        take(id);
        const summary = after.blocks.find((block) => block.id === id) as SummaryBlock;
        const named = (summary.steps ?? []).flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, at) => first + at),
        );
        expect(named).toEqual([...steps].toSorted((a, b) => a - b));
      }
    }
  },

  'an undone prompt cuts the tail of the window and nothing else': ({ events }) => {
    for (const { before, pass, after } of passesOf(events)) {
      if (pass.undonePrompt === undefined) continue;
      const at = before.blocks.findIndex(({ id }) => id === `prompt-${pass.undonePrompt!.turn}`);
      const prompt = before.blocks.at(at);
      expect(['anchor', 'prompt']).toContain(prompt?.kind);
      expect(prompt?.state).not.toBe('undone');
      expect(pass.undonePrompt.through ?? pass.undonePrompt.turn).toBe(latestPrompt(before)?.turn);
      expect(new Set(after.blocks.slice(at).map(({ state }) => state))).toEqual(
        new Set(['undone']),
      );
      expect(measure(after, estimate).used.tokens).toBe(pass.after.tokens);
      // Kept blocks stay the same, except thinking if scratchpad or rules are shown again.
      const head = ({ blocks }: ContextWindow) => blocks.slice(0, at);
      const isRulesChange = rulesText(after) !== rulesText(before);
      if (pass.undonePrompt.showsScratchpad === true || isRulesChange) {
        expect(head(after).map(withoutThoughts)).toEqual(head(before).map(withoutThoughts));
      } else {
        expect(head(after)).toEqual(head(before));
        expect(sentParts(before).slice(0, sentParts(after).length)).toEqual(sentParts(after));
        expect(pass.cache.rewrittenTokens).toBe(0);
      }
    }
  },

  'I12: every reason is true of its block': ({ events, settings }) => {
    for (const { before, pass } of passesOf(events)) expectReasonsHold(before, pass, settings);
  },

  'I12: a pass moves the window by what it says, and its decisions add up to that': ({
    events,
  }) => {
    for (const { before, pass, after } of passesOf(events)) {
      expect(pass.before.tokens).toBe(measure(before, estimate).used.tokens);
      expect(pass.after.tokens).toBe(measure(after, estimate).used.tokens);
      const { summaries, scratchpad, gapLines, rules = 0, excerpts = 0 } = pass.overhead!;
      const decided = pass.decisions.reduce(
        (sum, one) => sum + one.after.tokens - one.before.tokens,
        0,
      );
      expect(decided + summaries + scratchpad + gapLines + rules + excerpts).toBe(
        pass.after.tokens - pass.before.tokens,
      );
    }
  },

  'I12: the rungs of a pass have every changed block once, and add up to what it freed': ({
    events,
  }) => {
    for (const { pass } of passesOf(events)) {
      const gains = rungGains(pass);
      if (pass.trigger === 'byHand') {
        expect(gains).toEqual([]);
        continue;
      }
      const sum = (of: 'blocks' | 'tokens') => gains.reduce((all, gain) => all + gain[of], 0);
      expect(sum('blocks')).toBe(pass.decisions.filter(({ action }) => action !== 'keep').length);
      expect(sum('tokens')).toBe(pass.before.tokens - pass.after.tokens);
      expect(new Set(gains.map(({ rung }) => rung)).size).toBe(gains.length);
    }
  },

  'I12: a pass and its undo give back the same tokens, part by part, but for lost thinking': ({
    events,
  }) => {
    for (const { before, pass, after } of passesOf(events)) {
      if (whyNotUndone(after, pass.number) !== undefined) continue;
      const undone = applyEvent(after, { at: 0, type: 'passUndone', number: pass.number });
      expectSameTokens(before, undone);
    }
  },

  'a block that is restored is as it came in, but for its thinking': ({ events }) => {
    const windows = windowsOf(events);
    const hasTaken = events.some(
      (event) => event.type === 'passApplied' && event.pass.undonePrompt !== undefined,
    );
    // The same log without any pass, in which nothing was removed.
    let whole = EMPTY_WINDOW;
    events.forEach((event, index) => {
      if (!event.type.startsWith('pass')) whole = applyEvent(whole, event);
      if (event.type !== 'passApplied') return;
      const after = windows[index + 1]!;
      for (const { action, blockId } of event.pass.decisions) {
        if (action !== 'restore') continue;
        const restored = after.blocks.find(({ id }) => id === blockId)!;
        // A log without passes lacks everything that passes added.
        if (restored.kind === 'summary') continue;
        if (restored.kind === 'excerpts') {
          const brought = after.ledger.find(({ pass }) => pass.excerpts?.id === blockId)!.pass
            .excerpts!;
          expect([restored.state, restored.text]).toEqual(['whole', excerptsText(brought)]);
          continue;
        }
        const admitted = whole.blocks.find(({ id }) => id === blockId)!;
        // The task may be a different prompt in a session in which one was undone.
        const { kind, pinned } = hasTaken ? restored : admitted;
        expect(withoutThoughts(restored)).toEqual(
          withoutThoughts({ ...admitted, kind, pinned } as Block),
        );
      }
    });
  },

  'an undone pass gives back what it took, and takes its summaries out': ({ events }) => {
    const windows = windowsOf(events);
    events.forEach((event, index) => {
      if (event.type !== 'passUndone') return;
      const [before, after] = [windows[index]!, windows[index + 1]!];
      if (whyNotUndone(before, event.number) !== undefined) {
        expect(after.blocks).toEqual(before.blocks);
        return;
      }
      const { former, pass } = before.ledger.find((entry) => entry.pass.number === event.number)!;
      const blockOf = new Map(after.blocks.map((block) => [block.id, block]));
      for (const { block } of former) {
        expect([block.state, 'trimmed']).toContain(blockOf.get(block.id)!.state);
      }
      for (const { id } of pass.summaries) expect(blockOf.get(id)!.state).toBe('evicted');
      expect(whyNotUndone(after, event.number)).toBe(`${passTitle(pass)} is already undone.`);
    });
  },
};

/**
 * The ratio of the counted weight of the changed blocks to their estimate. It exceeds the server's
 * ratio for one text, because the count also covers parts that belong to no block.
 */
function countedShare(before: ContextWindow, { decisions }: Pass): number {
  const changed = new Map(
    decisions.flatMap((one) =>
      one.action === 'keep' ? [] : [[one.blockId, one.before.tokens] as const],
    ),
  );
  const blocks = before.blocks.filter((block) => isInWindow(block) && changed.has(block.id));
  const counted = blocks.reduce((sum, { id }) => sum + (changed.get(id) ?? 0), 0);
  const estimated = blocks.reduce((sum, block) => sum + weighBlock(block, estimate), 0);
  return Math.max(COUNTED_SHARE, counted / Math.max(1, estimated));
}

/** Throws if the weight of a part changed, unless it is a step that lost its thinking. */
export function expectSameTokens(before: ContextWindow, after: ContextWindow): void {
  const [then, now] = [measure(before, estimate), measure(after, estimate)];
  const lost = new Set(
    before.blocks
      .filter((block) => isInWindow(block) && thoughtsOf(block).length > 0)
      .filter(({ id }) => thoughtsOf(after.blocks.find((block) => block.id === id)!).length === 0)
      .map(({ id }): string => id),
  );
  const kept = ({ parts }: typeof then) =>
    parts.filter(({ part }) => !lost.has(part)).map(({ part, tokens }) => [part, tokens]);
  expect(kept(now)).toEqual(kept(then));
  if (lost.size === 0) expect(now.used.tokens).toBe(then.used.tokens);
}

/** A block without the parts that an earlier change may alter. */
function withoutThoughts({ exactTokens: _size, ...block }: Block): object {
  const state = block.state === 'trimmed' ? 'whole' : block.state;
  return { ...block, state, ...(block.kind === 'step' ? { thinkingDropped: true } : {}) };
}

/** The parts of a window's request, without cache breakpoints. */
function sentParts(window: ContextWindow): readonly string[] {
  return toRequest(window).messages.flatMap(({ content }) =>
    content.map(({ ...part }) => {
      delete (part as { cache_control?: unknown }).cache_control;
      return JSON.stringify(part);
    }),
  );
}
