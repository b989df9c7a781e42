import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../src/agent/tool';
import { decide } from '../../src/approvals/decide';
import type { Rule } from '../../src/approvals/rules';

const rule = (decision: Rule['decision']): readonly Rule[] => [
  { decision, subject: { kind: 'edits' }, scope: 'session' },
  { decision: 'allow', subject: { kind: 'command', pattern: 'echo *' }, scope: 'session' },
];

const answer = (request: ApprovalRequest, rules: readonly Rule[]) =>
  decide(request, rules, { isInside: () => true }).type;

const written = (path: string) =>
  decide({ kind: 'command', command: '', cwd: '/' }, rule('allow'), {
    isInside: () => true,
    reading: {
      ok: true,
      parts: [{ words: ['echo', 'x'], redirects: [{ path, writes: true }], assignments: [] }],
    },
  });

describe('what outlasts the session', () => {
  const edit = { kind: 'edit', path: 'AGENTS.md', before: 'a', after: 'b' } as const;
  const lasting = { ...edit, lasting: 'Every later session is told it.' };

  it('is asked about where edits are allowed, and denied where they are denied', () => {
    expect(answer(edit, rule('allow'))).toBe('allow');
    expect(answer(lasting, rule('allow'))).toBe('ask');
    expect(answer(lasting, rule('deny'))).toBe('deny');
    expect(answer({ kind: 'memory', path: 'AGENTS.md', text: 'x' }, rule('allow'))).toBe('ask');
  });

  it('is not written by redirection because edits are allowed', () => {
    expect(written('out.txt').type).toBe('allow');
    expect(written('sub/AGENTS.md')).toMatchObject({
      type: 'ask',
      why: 'It writes to sub/AGENTS.md, which outlasts the session.',
    });
  });
});
