import { describe, expect, it } from 'vitest';
import type { ApprovalRule } from '../../../src/contextWindow/approvalRule';
import { narrowedRulesNotice } from '../../../src/editor/approvals/approvalRules';
import { rules } from '../../agent/approvals/support/rules';

/** A user with stored rules, and what Plimsoll remembers of them. */
function user() {
  const values = new Map<string, unknown>();
  const globalState = {
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
  return (approvals: readonly ApprovalRule[]) =>
    narrowedRulesNotice({
      access: { settings: { valid: { settings: { approvals } } } },
      context: { globalState },
    } as never);
}

describe('the notice about rules that cover less now', () => {
  it('names each open permission once, and is never shown again', () => {
    const noticeFor = user();
    const stored = rules('+ git *', '+ npm test', '- rm *', '+ npm run *', '+ edits');
    expect(noticeFor(stored)).toBe(
      'git *, npm run *: approval rules like these now cover only options that are known to do no harm. Plimsoll asks about everything else.',
    );
    expect(noticeFor(stored)).toBeUndefined();
  });

  it('is not shown to a user without such rules, now or later', () => {
    const noticeFor = user();
    expect(noticeFor(rules('+ npm test'))).toBeUndefined();
    expect(noticeFor(rules('+ npm run *'))).toBeUndefined();
  });
});
