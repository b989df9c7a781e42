import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { haveSameWords } from '../../../src/contextWindow/account/guesses';
import { measure, weightOf } from '../../../src/contextWindow/account/measure';
import { isInWindow, type Block, type BlockId } from '../../../src/contextWindow/block';
import { restoreByHand } from '../../../src/contextWindow/passes/byHand';
import { movementOf, windowAfter } from '../../../src/contextWindow/passes/movement';
import { passApplied } from '../../../src/contextWindow/passes/pipeline';
import { policyFacts } from '../../../src/contextWindow/passes/rungs/policyInput';
import { whyNotUndone } from '../../../src/contextWindow/passes/undoPass';
import { POLICY_NAMES } from '../../../src/contextWindow/plan';
import { type ContextWindow, findBlock, type LedgerEntry } from '../../../src/contextWindow/window';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { budgetOf } from '../../support/drawing';
import { estimate } from '../../support/player';
import { passesOf } from '../../support/passWindows';
import { actions, playSmall, settingsOf, type Action } from '../../support/randomSession';
import { runs } from '../../support/runs';

const sessions = fc
  .tuple(actions, settingsOf, fc.constantFrom(...POLICY_NAMES))
  .map(([script, settings, policy]) => playSmall(script, policy, settings).sent);

/** Windows whose newest count is newer than some passes. */
const windowsOf = (sent: typeof sessions extends fc.Arbitrary<infer S> ? S : never) =>
  sent.filter((_, at) => (sent.length - 1 - at) % 6 === 0).map(({ window }) => window);

/** The window after the user has restored a block; undefined if that is refused. */
function restored(window: ContextWindow, id: BlockId): ContextWindow | undefined {
  const budget = budgetOf(1_000_000);
  const facts = policyFacts({ window, budget, estimate, settings: POLICY_SETTINGS });
  const by = restoreByHand(facts, id);
  return by.ok && by.plan !== undefined
    ? windowAfter(window, [passApplied(facts, by.plan, [])])
    : undefined;
}

/** What a pass recorded about a block that it changed in a form with the same words. */
function recordedIn(entry: LedgerEntry, after: ContextWindow, id: BlockId): number | undefined {
  const former = entry.former.find(({ block }) => block.id === id)?.block;
  const now = findBlock(after, id)!;
  return former !== undefined && isInWindow(former) && haveSameWords(former, now)
    ? entry.pass.decisions.find(({ blockId }) => blockId === id)?.before.tokens
    : undefined;
}

/** Whether the last official count covers the block in a form with the same words. */
function isCountedAs({ baseline }: ContextWindow, form: Block): boolean {
  const counted = baseline?.counted?.blocks.find(({ id }) => id === form.id);
  return counted !== undefined && isInWindow(counted) && haveSameWords(counted, form);
}

/** Whether a pass before this one was undone after the last official count. */
const isEarlierUndone = ({ ledger, baseline }: ContextWindow, at: number) =>
  ledger.slice(0, at).some(({ undone, pass: { number } }) => {
    const then = baseline?.counted?.ledger.find(({ pass }) => pass.number === number);
    return undone === true && then !== undefined && then.undone !== true;
  });

/** Whether the words of a block changed at some time while it was in the window. */
function hasChangedForm(
  sent: readonly { readonly window: ContextWindow }[],
  window: ContextWindow,
  id: BlockId,
): boolean {
  const isMoved = window.handChanges.some(({ blockId, former }) => [blockId, former].includes(id));
  if (isMoved) return true;
  const counted = window.baseline?.counted?.blocks.find((block) => block.id === id);
  const forms = [counted, ...sent.map((other) => findBlock(other.window, id))].filter(
    (form) => form !== undefined && isInWindow(form),
  );
  return forms.some((form) => form !== undefined && !haveSameWords(form, forms[0]!));
}

const weight = (window: ContextWindow, id: BlockId) =>
  weightOf(measure(window, estimate), id).tokens;

const RUNS = { numRuns: runs(20, 200) };

describe('a block that comes back', () => {
  it('weighs what the pass had recorded that removed it, whatever was counted since (I15)', () => {
    let tried = 0;
    fc.assert(
      fc.property(sessions, (sent) => {
        for (const window of windowsOf(sent)) {
          if (window.baseline === undefined) continue;
          for (const { id } of window.blocks.filter((block) => !isInWindow(block))) {
            const after = restored(window, id);
            const entry = window.ledger.findLast(({ former }) =>
              former.some(({ block }) => block.id === id && isInWindow(block)),
            );
            if (after === undefined || entry === undefined) continue;
            const recorded = recordedIn(entry, after, id);
            if (recorded === undefined || isCountedAs(window, findBlock(after, id)!)) continue;
            expect([id, weight(after, id)]).toEqual([id, recorded]);
            tried += 1;
          }
        }
      }),
      RUNS,
    );
    expect(tried).toBeGreaterThan(20);
  });

  it('weighs as much when its pass is undone, and so does every block that the pass kept', () => {
    let tried = 0;
    fc.assert(
      fc.property(sessions, (sent) => {
        for (const window of windowsOf(sent)) {
          if (window.baseline === undefined) continue;
          for (const [at, entry] of window.ledger.toArray().entries()) {
            const { number } = entry.pass;
            if (entry.undone === true || whyNotUndone(window, number) !== undefined) continue;
            if (isEarlierUndone(window, at)) continue;
            const after = windowAfter(window, [{ type: 'passUndone', number }]);
            const later = window.ledger.slice(at + 1).flatMap(({ former }) => former);
            const changed = new Set(later.map(({ block }) => block.id));
            for (const { blockId, action, before } of entry.pass.decisions) {
              const id = blockId;
              const now = findBlock(after, id);
              if (changed.has(id) || now === undefined || !isInWindow(now)) continue;
              // Thinking that was removed since does not return with the undo.
              if (now.kind === 'step' && now.thinkingDropped) continue;
              if (hasChangedForm(sent, window, id)) continue;
              const isSame =
                action === 'keep'
                  ? haveSameWords(findBlock(window, id)!, now)
                  : recordedIn(entry, after, id) !== undefined;
              if (!isSame || before.tokens === 0) continue;
              expect([number, id, weight(after, id)]).toEqual([number, id, before.tokens]);
              tried += 1;
            }
          }
        }
      }),
      RUNS,
    );
    expect(tried).toBeGreaterThan(50);
  });
});

const SETTINGS = {
  summaries: true,
  maxMessages: 20,
  keepTurns: 2,
  keepRecentTurns: 0,
  maxHistoryTurns: 0,
};

describe('the undo of a pass', () => {
  it('moves the window by what the pass freed, once the API has counted what it left', () => {
    const step: Action = {
      type: 'step',
      text: true,
      thinking: false,
      counted: true,
      results: [{ chars: 4_000, isError: false }],
    };
    const script: readonly Action[] = [
      { type: 'prompt', chars: 100 },
      ...Array.from({ length: 12 }, () => step),
    ];
    const { window } = playSmall(script, 'ladder', SETTINGS);
    const { pass } = window.ledger.at(-1)!;
    const tokens = Math.ceil(measure(window, estimate).used.tokens * 1.07);
    // The pass is counted before anything else happens.
    const left = windowAfter(window, [{ type: 'windowCounted', tokens, source: 'countTokens' }]);
    const { before, after } = movementOf(
      left,
      [{ type: 'passUndone', number: pass.number }],
      estimate,
    );
    expect(after.tokens - before.tokens).toBeGreaterThan(1_000);
    expect(after.tokens - before.tokens).toBe(pass.before.tokens - tokens);
  });
});

describe('a change by hand', () => {
  it('moves the window by what it says, also if a pass was undone since the last count', () => {
    const step = (chars: number, thinking = false): Action => ({
      type: 'step',
      text: true,
      thinking,
      counted: true,
      results: [{ chars, isError: false }],
    });
    // Sizes at which rounding a weight a second time would add a token.
    for (const chars of [2_020, 2_160, 2_300, 2_480]) {
      const { events } = playSmall(
        [
          { type: 'prompt', chars: 100 },
          ...[4_000, 2_000, 100].map((each) => step(each)),
          { type: 'pass', trigger: 'manual' },
          step(chars, true),
          step(100),
          { type: 'undo', which: 0 },
          { type: 'prompt', chars: 50 },
          { type: 'byHand', how: 'clear', which: 3 },
        ],
        'ladder',
        { ...SETTINGS, summaries: false },
      );
      const { pass, after } = passesOf(events).find((one) => one.pass.trigger === 'byHand')!;
      expect([chars, pass.after.tokens]).toEqual([chars, measure(after, estimate).used.tokens]);
    }
  });

  it('gains nothing by what two counts of a block differ by', () => {
    const step = (counted: boolean, chars: number, thinking = false): Action => ({
      type: 'step',
      text: true,
      thinking,
      counted,
      results: [{ chars, isError: false }],
    });
    // A pass weighed the second step before the first count, and removed its thinking.
    const { window } = playSmall(
      [
        { type: 'prompt', chars: 100 },
        step(false, 900),
        step(false, 60, true),
        step(false, 100),
        { type: 'byHand', how: 'exclude', which: 1 },
        step(true, 100),
        step(true, 100),
        { type: 'byHand', how: 'clear', which: 1 },
      ],
      'ladder',
      { ...SETTINGS, summaries: false },
    );
    // Its result is shorter than a placeholder, so clearing it is refused.
    expect(findBlock(window, 'step-2' as BlockId)!.state).toBe('trimmed');
    expect(window.ledger.length).toBe(1);
  });
});
