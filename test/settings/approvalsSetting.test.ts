import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApprovalRule } from '../../src/contextWindow/approvalRule';
import { APPROVALS, storedRule } from '../../src/settings/approvalsSetting';
import { runs } from '../support/runs';

const word = fc.stringMatching(/^[a-z*' -]{0,8}[a-z]$/);
const made = { by: word, at: fc.integer({ min: 0, max: 4e12 }) };

/** Any rule that outlasts its session. */
const anyRule: fc.Arbitrary<ApprovalRule> = fc
  .record(
    {
      decision: fc.constantFrom('allow' as const, 'deny' as const),
      subject: fc.oneof(
        fc.constant({ kind: 'edits' as const }),
        fc.constant({ kind: 'sandbox' as const }),
        word.map((pattern) => ({ kind: 'command' as const, pattern })),
        fc.domain().map((host) => ({ kind: 'host' as const, host })),
        word.map((tool) => ({ kind: 'tool' as const, tool })),
      ),
      workspace: word,
      ...made,
    },
    { requiredKeys: ['decision', 'subject'] },
  )
  .map((rule) => ({
    ...rule,
    decision: rule.subject.kind === 'sandbox' ? 'allow' : rule.decision,
    scope: rule.workspace === undefined ? 'always' : 'workspace',
  }));

describe('approval rules in the settings', () => {
  it('are read back as stored', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 4 }), (rules) => {
        expect(APPROVALS.parse(JSON.parse(JSON.stringify(rules.map(storedRule))))).toEqual(rules);
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  it.each([
    ['no subject', { decision: 'allow' }],
    ['two subjects', { decision: 'allow', edits: true, command: 'ls' }],
    ['a command and a host', { decision: 'allow', command: 'ls', host: 'a.example' }],
    ['a denied sandbox', { decision: 'deny', sandbox: true }],
    ['a blank command', { decision: 'allow', command: ' ' }],
    ['an unknown decision', { decision: 'maybe', edits: true }],
    ['an unknown field', { decision: 'allow', edits: true, until: 'tomorrow' }],
    ['an invalid time', { decision: 'allow', edits: true, at: 'soon' }],
  ])('are refused with %s', (_what, rule) => {
    expect(APPROVALS.safeParse([rule]).success).toBe(false);
  });
});
