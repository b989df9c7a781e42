import { expect } from './plainExpect';
import { isInWindow } from '../../src/contextWindow/block';
import { measure, weightOf } from '../../src/contextWindow/account/measure';
import { toRequest } from '../../src/contextWindow/request/request';
import type { WindowRequest } from '../../src/contextWindow/request/blockMessages';
import { findRules } from '../../src/contextWindow/standingRules/findRules';
import {
  RULES_SHARE,
  rulesText,
  standingRulesOf,
} from '../../src/contextWindow/standingRules/standingRules';
import type { ContextWindow } from '../../src/contextWindow/window';
import { estimate, type Played } from './player';

/** Invariants of the standing rules; each check throws if it is violated. */
export const RULES_INVARIANTS: Readonly<Record<string, (played: Played) => void>> = {
  'I14: every active rule that fits is in every request verbatim, where the list says': ({
    sent,
  }) => {
    for (const { window } of sent) {
      if (window.rules?.on !== true) continue;
      const request = toRequest(window);
      const { block, others } = wordsOf(request);
      const system = request.system.map(({ text }) => text).join('\n');
      for (const { text, place } of standingRulesOf(window)) {
        const isIn = (texts: readonly string[]) => texts.some((words) => words.includes(text));
        switch (place) {
          case 'prompt':
          case 'note':
            expect([place, text, isIn(others)]).toEqual([place, text, true]);
            break;
          case 'memory':
            expect(system).toContain(text);
            break;
          case 'block':
            expect(block.split('[The user struck these')[0]).toContain(`\n- ${text}\n`);
            break;
          case 'omitted':
            // The block is as full as its share allows.
            expect(block.length + text.length + 3).toBeGreaterThan(
              3 * RULES_SHARE * lastBudget(window) - 60,
            );
            break;
          case 'struck':
            // A note or the block says so, wherever a prompt still states it.
            if (isIn(others)) expect(isToldStruck(window, block, text)).toBe(true);
            break;
          case 'off':
            throw new Error('The rules are on.');
        }
      }
    }
  },

  'I14: the list has every rule of every prompt that was not undone': ({ sent }) => {
    for (const { window } of sent) {
      if (window.rules === undefined) continue;
      const listed = new Set(standingRulesOf(window).map(({ text }) => text));
      for (const block of window.blocks) {
        const isPrompt = block.kind === 'prompt' || block.kind === 'anchor';
        if (!isPrompt || block.state === 'undone') continue;
        for (const rule of findRules(block.text).rules) expect(listed).toContain(rule);
      }
    }
  },

  'I14: the block of rules takes at most 2 % of the input budget': ({ sent }) => {
    for (const { window } of sent) {
      const most = Math.ceil(0.02 * lastBudget(window));
      expect(estimate(rulesText(window))).toBeLessThanOrEqual(most);
      if (rulesText(window) === '') continue;
      expect(weightOf(measure(window, estimate), 'rules').tokens).toBeGreaterThan(0);
    }
  },
};

function lastBudget({ ledger }: ContextWindow): number {
  return ledger.at(-1)?.pass.budget.inputBudget ?? 0;
}

/** The block of rules, and the other texts of the user. */
function wordsOf({ messages }: WindowRequest): {
  readonly block: string;
  readonly others: readonly string[];
} {
  const texts = messages.flatMap(({ role, content }) =>
    content.flatMap((part) => (part.type === 'text' && role === 'user' ? [part.text] : [])),
  );
  const isBlock = (text: string) => text.startsWith('<standing_rules');
  expect(texts.filter(isBlock).length).toBeLessThan(2);
  return {
    block: texts.find(isBlock) ?? '',
    others: texts.filter(
      (text) => !isBlock(text) && !/^(?:\[The user struck this|<recalled )/.test(text),
    ),
  };
}

function isToldStruck(window: ContextWindow, block: string, text: string): boolean {
  const note = window.blocks.some(
    (one) =>
      one.kind === 'note' &&
      one.source.from === 'rule' &&
      one.source.how === 'struck' &&
      one.text === text &&
      isInWindow(one),
  );
  const isFull = block.length + text.length + 120 > 3 * RULES_SHARE * lastBudget(window);
  return note || isFull || (block.split('[The user struck these')[1] ?? '').includes(text);
}
