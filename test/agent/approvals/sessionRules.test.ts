import { expect, it } from 'vitest';
import { sessionRules } from '../../../src/agent/approvals/rules';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { rules } from './support/rules';

it('takes only rules of the session from a log, whatever scope an event claims', () => {
  const [rule] = rules('+ npm test');
  const events = (['session', 'workspace', 'always'] as const).map((scope): SessionEvent => ({
    at: 1,
    type: 'ruleSet',
    rule: { ...rule!, scope },
  }));
  expect(sessionRules(events).map(({ scope }) => scope)).toEqual(['session']);
});
