import { ruleName, type ApprovalRule } from '../../contextWindow/approvalRule';
import type { SessionEvent } from '../../contextWindow/event';

/** The rules that hold in a session alone, as its log tells them; the newest last. */
export function sessionRules(events: readonly SessionEvent[]): readonly ApprovalRule[] {
  const rules = new Map<string, ApprovalRule>();
  for (const event of events) {
    if (event.type !== 'ruleSet' && event.type !== 'ruleRevoked') continue;
    rules.delete(ruleName(event.rule));
    if (event.type === 'ruleSet') rules.set(ruleName(event.rule), event.rule);
  }
  return [...rules.values()];
}
