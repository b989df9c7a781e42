import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../src/agent/tool';
import { decide } from '../../../src/agent/approvals/decide';
import type { ApprovalRule } from '../../../src/contextWindow/approvalRule';
import { FACTS, rules } from './support/rules';

describe('an edit under rules', () => {
  const edit: ApprovalRequest = { kind: 'edit', path: 'a.ts', before: 'a', after: 'b' };

  it('is allowed, denied, or asked about', () => {
    expect(decide(edit, [], FACTS)).toEqual({
      type: 'ask',
      choices: [{ subjects: [{ kind: 'edits' }], text: 'edits in the workspace' }],
    });
    expect(decide(edit, rules('+ edits'), FACTS)).toMatchObject({ type: 'allow' });
    expect(decide(edit, rules('+ edits', '- edits'), FACTS)).toMatchObject({ type: 'deny' });
    expect(decide(edit, rules('+ ls *'), FACTS)).toMatchObject({ type: 'ask' });
  });

  it('is always asked about if it outlasts the session', () => {
    const request = { ...edit, lasting: 'Git acts on this file.' };
    expect(decide(request, rules('+ edits'), FACTS)).toMatchObject({ type: 'ask' });
    expect(decide(request, rules('- edits'), FACTS)).toMatchObject({ type: 'deny' });
    const memory = { kind: 'memory', path: 'AGENTS.md', text: 'Do.' } as const;
    expect(decide(memory, rules('+ edits'), FACTS)).toMatchObject({ type: 'ask' });
  });

  it('always needs the user if it changes the memory of every project', () => {
    const request = { ...edit, profile: '/home/me/memory.md' };
    expect(decide(request, rules('+ edits'), FACTS)).toMatchObject({ type: 'ask' });
  });
});

describe('calls that are neither edits nor commands', () => {
  const answer = (request: ApprovalRequest, given: readonly ApprovalRule[]) =>
    decide(request, given, FACTS).type;
  const allowed = rules('+ edits');
  const host = (decision: 'allow' | 'deny', name: string): ApprovalRule => ({
    decision,
    subject: { kind: 'host', host: name },
    scope: 'session',
  });
  const page = { kind: 'fetch', url: 'https://a.example/x', host: 'a.example' } as const;

  it('follow the edit rules for a move, and always ask before a deletion', () => {
    const move = { kind: 'move', path: 'a', to: 'b' } as const;
    const removal = { kind: 'delete', path: 'a' } as const;
    expect(answer(move, allowed)).toBe('allow');
    expect(answer({ ...move, lasting: 'Git acts on this file.' }, allowed)).toBe('ask');
    expect(answer(removal, allowed)).toBe('ask');
    expect([answer(move, rules('- edits')), answer(removal, rules('- edits'))]).toEqual([
      'deny',
      'deny',
    ]);
  });

  it('ask separately before they type into a command', () => {
    const input = {
      kind: 'input',
      handle: 'cmd1',
      command: 'bash',
      text: 'ls',
      enter: true,
    } as const;
    expect(answer(input, [...allowed, ...rules('ls'), ...rules('bash')])).toBe('ask');
    expect(decide(input, allowed, FACTS)).toEqual({ type: 'ask', choices: [] });
  });

  it('fetch only from the host that a rule names', () => {
    expect(answer(page, [host('allow', 'a.example')])).toBe('allow');
    expect(answer(page, [host('allow', 'example')])).toBe('ask');
    expect(answer(page, [host('allow', 'a.example'), host('deny', 'a.example')])).toBe('deny');
    expect(answer(page, allowed)).toBe('ask');
    expect(decide(page, [], FACTS)).toEqual({
      type: 'ask',
      choices: [
        { subjects: [{ kind: 'host', host: 'a.example' }], text: 'fetching from a.example' },
      ],
    });
  });

  it('always ask if they are questions to the user', () => {
    const question = { kind: 'question', question: 'Which?', choices: [] } as const;
    expect(answer(question, allowed)).toBe('ask');
  });
});

describe('calls of third-party tools', () => {
  const request = {
    kind: 'tool',
    tool: 'mcp_a_echo',
    provider: 'MCP server a',
    input: '{}',
  } as const;
  const rule = (decision: 'allow' | 'deny', tool: string) =>
    ({ decision, subject: { kind: 'tool', tool }, scope: 'session' }) as const;

  it('are asked about, and a rule for this tool only is offered', () => {
    const decision = decide(request, [rule('allow', 'mcp_a_other'), ...rules('+ edits')], FACTS);
    expect(decision).toEqual({
      type: 'ask',
      choices: [{ text: 'calls of mcp_a_echo', subjects: [{ kind: 'tool', tool: 'mcp_a_echo' }] }],
    });
  });

  it('are allowed and denied by a rule with their name', () => {
    expect(decide(request, [rule('allow', 'mcp_a_echo')], FACTS)).toEqual({
      type: 'allow',
      rules: ['allowed in this session: calls of mcp_a_echo'],
    });
    expect(decide(request, [rule('deny', 'mcp_a_echo')], FACTS)).toEqual({
      type: 'deny',
      rule: 'denied in this session: calls of mcp_a_echo',
    });
  });
});
