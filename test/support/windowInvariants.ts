import { expect } from './plainExpect';
import {
  isInWindow,
  isReminder,
  type Block,
  type BlockState,
  type ReplyPart,
} from '../../src/contextWindow/block';
import { recallText } from '../../src/contextWindow/blockText';
import { latestPrompt, latestStep, type ContextWindow } from '../../src/contextWindow/window';
import { applyEvent, EMPTY_WINDOW, fold } from '../../src/contextWindow/fold';
import { balance, CATEGORIES } from '../../src/contextWindow/account/balance';
import { CACHE_LIVES } from '../../src/contextWindow/account/promptCache';
import { measure } from '../../src/contextWindow/account/measure';
import { toRequest } from '../../src/contextWindow/request/request';
import type { Action } from '../../src/contextWindow/plan';
import { admittedPrompt } from '../../src/contextWindow/request/placeholder';
import { admittedText } from '../../src/contextWindow/truncate';
import { readSignature } from '../../src/offline/rules/thinkingBinding';
import { validateRequest } from '../../src/offline/rules/validateRequest';
import { reasonText } from '../../src/contextWindow/reasons';
import { RULES_INVARIANTS } from './rulesInvariants';
import { PASS_INVARIANTS } from './passInvariants';
import { estimate, type Played } from './player';
import { thoughtsOf } from './thoughts';
import { EXCERPTS_INVARIANTS } from './excerptsInvariants';
import type { MessagePart, WindowRequest } from '../../src/contextWindow/request/blockMessages';

const requestOf = remembering(toRequest);

/** Invariants of every session; each check throws if it is violated. */
export const INVARIANTS: Readonly<Record<string, (played: Played) => void>> = {
  ...PASS_INVARIANTS,
  ...EXCERPTS_INVARIANTS,

  'I1: every tool_use is answered once, at the start of the next message': ({ sent }) => {
    for (const { window } of sent) {
      const { messages } = requestOf(window);
      const wrong = messages.find(({ role, content }, index) => {
        const uses = content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
        const next = messages[index + 1]?.content ?? [];
        const answered = next
          .slice(0, uses.length)
          .map((part) => (part.type === 'tool_result' ? part.tool_use_id : part.type));
        const results = next.filter(({ type }) => type === 'tool_result');
        return (
          role !== (index % 2 === 0 ? 'user' : 'assistant') ||
          answered.join() !== uses.join() ||
          results.length !== uses.length
        );
      });
      expect(wrong).toBeUndefined();
    }
  },

  'I1: a prompt beside an evicted result survives until it is evicted itself': ({ sent }) => {
    for (const { window } of sent) {
      const texts = new Set(
        parts(requestOf(window)).map((part) => (part.type === 'text' ? part.text : '')),
      );
      for (const block of window.blocks) {
        if (block.kind !== 'prompt' || !isInWindow(block)) continue;
        expect(texts).toContain(admittedPrompt(block));
      }
    }
  },

  'I2: the pinned task anchor is in every request, verbatim and labelled': ({ sent }) => {
    for (const { window } of sent) {
      const anchors = window.blocks.filter((block) => block.kind === 'anchor');
      expect(anchors).toHaveLength(1);
      const anchor = anchors[0]!;
      if (!anchor.pinned) continue;
      expect(isInWindow(anchor)).toBe(true);
      const labelled = parts(requestOf(window)).flatMap((part) =>
        part.type === 'text' && part.text.startsWith('<task_anchor') ? [part.text] : [],
      );
      expect(labelled).toHaveLength(1);
      expect(labelled[0]).toContain(admittedText(anchor.text, anchor.admission, anchor.id));
    }
  },

  'I3: the newest prompt is verbatim and is the last thing the user says': ({ sent }) => {
    for (const { window } of sent) {
      const prompt = latestPrompt(window) as Extract<Block, { kind: 'prompt' | 'anchor' }>;
      const said = requestOf(window)
        .messages.filter(({ role }) => role === 'user')
        .flatMap(({ content }) => content)
        .filter((part) => part.type === 'text' && !isNote(part.text));
      expect((said.at(-1) as { text: string }).text).toContain(
        admittedText(prompt.text, prompt.admission, prompt.id),
      );
    }
  },

  'I3: a reminder never stands between the newest prompt and the first reply to it': ({ sent }) => {
    for (const { window } of sent) {
      const behind = window.blocks.slice(
        window.blocks.findIndex((block) => block === latestPrompt(window)) + 1,
      );
      const reminder = behind.findIndex(isReminder);
      const reply = behind.findIndex(({ kind }) => kind === 'step');
      if (reminder !== -1) expect(reply).toBeGreaterThanOrEqual(0);
      if (reminder !== -1) expect(reply).toBeLessThan(reminder);
    }
  },

  'a reminder comes once: when the notes are old, and before each pass that takes newer steps': ({
    events,
    remindAfterSteps = 0,
  }) => {
    let [writtenAt, step, told] = [0, 0, new Set<string>()];
    let again = false;
    for (const event of events) {
      if (event.type === 'replyReceived') step = event.step;
      if (event.type === 'scratchpadUpdated') [writtenAt, told] = [step, new Set()];
      // The state before the prompt applies then: see the tests of undoing prompts.
      if (event.type === 'passApplied' && event.pass.undonePrompt !== undefined) return;
      if (event.type === 'passApplied') told.delete('pass');
      if (event.type === 'replyReceived') again = false;
      if (event.type !== 'noteAdded' || event.source.from !== 'reminder') continue;
      const { because, steps } = event.source;
      expect(remindAfterSteps).toBeGreaterThan(0);
      expect(steps).toBe(step - writtenAt);
      if (because === 'neededAgain') {
        expect(again).toBe(false);
        again = true;
        continue;
      }
      expect(steps).toBeGreaterThan(because === 'age' ? remindAfterSteps : 0);
      expect(told).not.toContain(because);
      told.add(because);
      told.add('age');
    }
  },

  'I4: a request fits the input budget, or only protected blocks are left': ({ sent }) => {
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
  },

  'I6: no thinking is sent behind an edit, and none that was dropped returns': ({ sent }) => {
    const dropped = new Set<string>();
    for (const { window } of sent) {
      const placeOf = new Map(window.blocks.map(({ id }, index) => [id, index]));
      for (const block of window.blocks) {
        if (block.kind === 'step' && block.thinkingDropped) dropped.add(block.id);
      }
      const thinks = (block: Block): boolean => thoughtsOf(block).length > 0;
      expect(window.blocks.find((block) => dropped.has(block.id) && thinks(block))).toBeUndefined();
      const thinking = [...window.blocks].flatMap((block, index) =>
        block.kind === 'step' && thinks(block) ? [{ step: block.step, index }] : [],
      );
      for (const { pass, former } of window.ledger) {
        const trimmed = new Set(
          pass.decisions.flatMap(({ action, blockId }) => (action === 'trim' ? [blockId] : [])),
        );
        const edit = Math.min(
          ...former.flatMap(({ block }) => (trimmed.has(block.id) ? [] : [placeOf.get(block.id)!])),
        );
        const behind = thinking.find(({ step, index }) => index >= edit && step < pass.beforeStep);
        expect(behind).toBeUndefined();
      }
    }
  },

  'I7: between edits each request begins with the parts of the one before': ({ sent }) => {
    sent.forEach(({ window, edited }, index) => {
      const before = sent[index - 1];
      if (before === undefined || edited) return;
      const [earlier, later] = [before.window, window].map((one) => withoutBreakpoints(one));
      expect(later!.slice(0, earlier!.length)).toEqual(earlier);
    });
  },

  'I8: categories, headroom and reserved add up to the context window': ({ sent }) => {
    for (const { window, budget } of sent) {
      for (const measured of [measure(window, estimate), measure(withBaseline(window), estimate)]) {
        const account = balance(window, measured, budget);
        const { reply, safety, toolResults, steppedDown } = account.reserved;
        const sum = CATEGORIES.reduce((total, category) => total + account.categories[category], 0);
        expect(sum).toBe(account.used.tokens);
        expect(sum + account.headroom + reply + safety + toolResults + steppedDown).toBe(
          budget.contextWindowTokens,
        );
        expect(Math.min(...Object.values(account.categories))).toBeGreaterThanOrEqual(0);
      }
    }
  },

  'I9: every block not whole in the window has rule, reason, numbers and a way back': ({
    window,
  }) => {
    for (const block of window.blocks) {
      if (block.state === 'whole') continue;
      const decision = window.decisions.get(block.id)!;
      expect(reasonText(decision).length).toBeGreaterThan(10);
      const { before, after } = decision;
      if (before.tokens > 0) expect(before.tokens).toBeGreaterThan(after.tokens);
      // An undone prompt returns only by an undo of that undo.
      if (block.state === 'undone') expect(recallText(window, block.id)).toBeUndefined();
      else expect(recallText(window, decision.wayBack!.handle)).toBeDefined();
      expect(decision.action).toBe(ACTION_BEHIND[block.state]);
    }
  },

  'I9: no decision is left behind for a block that is whole': ({ window }) => {
    for (const id of window.decisions.keys()) {
      expect(window.blocks.find((block) => block.id === id)?.state).not.toBe('whole');
    }
  },

  'I11: a session whose events come between those of another is what it is alone': ({ events }) => {
    let [one, other] = [EMPTY_WINDOW, EMPTY_WINDOW];
    events.forEach((event, index) => {
      one = applyEvent(one, event);
      // A fork of the same session at half its length: the same ids, another window.
      if (index % 2 === 0) other = applyEvent(other, events[index / 2]!);
      if (index % 8 === 0) measure(other, estimate);
    });
    expect(JSON.stringify(toRequest(one))).toBe(JSON.stringify(toRequest(fold(events))));
    const half = events.slice(0, Math.ceil(events.length / 2));
    expect(JSON.stringify(toRequest(other))).toBe(JSON.stringify(toRequest(fold(half))));
  },

  'I10: folding the log again gives the same next request': ({ events, window }) => {
    const again = fold(JSON.parse(JSON.stringify(events)) as typeof events);
    expect(JSON.stringify(toRequest(again))).toBe(JSON.stringify(toRequest(window)));
  },

  'I12: no whole turn leaves without a summary or a line that counts it': ({ sent }) => {
    for (const { window } of sent) {
      const told = new Set<number>();
      const covered = new Set<string>();
      const tells = (block: Block): void => {
        if (isOfTurn(block)) told.add(block.turn);
        if (block.kind !== 'summary') return;
        for (const id of block.covers) {
          if (covered.has(id)) continue;
          covered.add(id);
          window.blocks.filter((other) => other.id === id).forEach(tells);
        }
      };
      window.blocks.filter(isInWindow).forEach(tells);
      const turns = new Set(
        window.blocks.flatMap((block) =>
          isOfTurn(block) && block.state !== 'undone' ? [block.turn] : [],
        ),
      );
      const untold = [...turns].filter((turn) => !told.has(turn));
      const counted = parts(requestOf(window)).flatMap((part) => {
        if (part.type !== 'text') return [];
        const line = /^\[(\d+) whole turns? left the context window here\. Call recall /.exec(
          part.text,
        );
        return line === null ? [] : [Number(line[1])];
      });
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(untold.length);
    }
  },

  ...RULES_INVARIANTS,

  'the strict double accepts every request': ({ sent }) => {
    const others = sent
      .filter((_, index) => index % 4 === 0)
      .map(({ window }, index) => ({
        ...window,
        cacheLife: CACHE_LIVES[index % CACHE_LIVES.length],
      }));
    for (const window of [...sent.map((one) => one.window), ...others]) {
      const { system, tools, messages } = toRequest(withoutForeignThinking(window));
      const body = { model: 'claude-sonnet-5-5', max_tokens: 500, system, tools, messages };
      expect(validateRequest(JSON.parse(JSON.stringify(body)))?.message).toBeUndefined();
    }
  },
};

/** The last action on a block of each state. */
const ACTION_BEHIND: Readonly<Record<Exclude<BlockState, 'whole'>, Action>> = {
  truncated: 'truncate',
  trimmed: 'trim',
  cleared: 'clear',
  summarised: 'summarise',
  evicted: 'evict',
  undone: 'undoPrompt',
};

/**
 * Texts that Plimsoll adds between steps: a scratchpad changed by the user, project memory, a
 * reminder. They ask for nothing.
 */
function isNote(text: string): boolean {
  return [
    '<project_memory',
    '<recalled ',
    '[The user changed your scratchpad',
    '[The user adds a standing rule',
    '[The user struck this standing rule',
    '<standing_rules',
    '[Reminder, no request: ',
  ].some((start) => text.startsWith(start));
}

/** Computes something about a window, or a part of it, once for all checks. */
function remembering<K extends object, T>(workOut: (of: K) => T): (of: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (of) => {
    const found = known.get(of) ?? { value: workOut(of) };
    known.set(of, found);
    return found.value;
  };
}

function parts(request: WindowRequest): readonly MessagePart[] {
  return request.messages.flatMap(({ content }) => content);
}

/** The parts of a window's request as sent, without cache breakpoints. */
const withoutBreakpoints = remembering((window: ContextWindow): readonly string[] =>
  parts(requestOf(window)).map(({ ...part }) => {
    delete (part as { cache_control?: unknown }).cache_control;
    return JSON.stringify(part);
  }),
);

/**
 * The same window as if the API had counted it, with an odd number, so that shares must be rounded.
 */
function withBaseline(window: ContextWindow): ContextWindow {
  return {
    ...window,
    baseline: { tokens: 1_237, source: 'countTokens', blocks: Math.ceil(window.blocks.length / 2) },
  };
}

/** Another server signed recorded sessions, so the double could only refuse their thinking. */
function withoutForeignThinking(window: ContextWindow): ContextWindow {
  const blocks = window.blocks.mapped((block) =>
    block.kind === 'step' && hasForeignThinking(block.parts)
      ? { ...block, thinkingDropped: true }
      : block,
  );
  return { ...window, blocks };
}

const hasForeignThinking = remembering((parts: readonly ReplyPart[]): boolean =>
  parts.some(
    (part) =>
      part.type === 'redactedThinking' ||
      (part.type === 'thinking' && readSignature(part.signature) === undefined),
  ),
);

/** Summaries, notes and excerpts belong to no turn of their own. */
function isOfTurn({ kind }: Block): boolean {
  return kind !== 'note' && kind !== 'summary' && kind !== 'excerpts';
}
