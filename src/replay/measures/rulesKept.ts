import { systemText } from '../../contextWindow/request/request';
import type { WindowRequest } from '../../contextWindow/request/blockMessages';
import { findRules } from '../../contextWindow/standingRules/findRules';
import { isInWindow } from '../../contextWindow/block';
import type { RuleChange } from '../../contextWindow/event';
import type { ContextWindow } from '../../contextWindow/window';
import { NOTHING, plus, type Share } from './grounding';

/**
 * Measures how many of the standing rules each request still had verbatim: in a prompt or note, in
 * the rules block, in a summary, or in the system prompt with the project memory. Every request
 * counts every rule stated so far once, but for those that the user struck or switched off.
 */
export class RulesKept {
  readonly #rules = new Map<string, Set<number>>();
  #turns = 0;
  #isOn = true;
  #share = NOTHING;

  get share(): Share {
    return this.#share;
  }

  /** Records the rules of the next prompt. */
  prompted(text: string): void {
    this.#turns += 1;
    for (const rule of findRules(text).rules) {
      const turns = this.#rules.get(rule) ?? new Set();
      this.#rules.set(rule, turns.add(this.#turns));
    }
  }

  /** Records what the user decided about the rules. */
  changed(change: RuleChange): void {
    switch (change.type) {
      case 'standingRulesSet':
        this.#isOn = change.on;
        break;
      case 'standingRuleAdded':
        this.#rules.set(change.text, this.#rules.get(change.text) ?? new Set());
        break;
      case 'standingRuleStruck':
        this.#rules.delete(change.text);
        break;
    }
  }

  /** Records a request. */
  requested(window: ContextWindow, request: WindowRequest): void {
    if (this.#rules.size === 0 || !this.#isOn) return;
    // Most rules are in their prompt, so the long text is seldom searched.
    const whole = new Set(
      window.blocks.flatMap((block) =>
        (block.kind === 'prompt' || block.kind === 'anchor') &&
        isInWindow(block) &&
        block.admission.form === 'whole'
          ? [block.turn]
          : [],
      ),
    );
    let words: string | undefined;
    for (const [rule, turns] of this.#rules) {
      const isIn = [...turns].some((turn) => whole.has(turn));
      words ??= isIn ? undefined : wordsOf(window, request);
      const visible = isIn || words?.includes(rule) === true ? 1 : 0;
      this.#share = plus(this.#share, { visible, total: 1 });
    }
  }
}

/** What a request says, apart from calls and their results. */
function wordsOf({ preamble }: ContextWindow, { messages }: WindowRequest): string {
  const said = messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
  return [systemText(preamble), ...said].join('\n');
}
