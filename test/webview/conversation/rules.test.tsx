// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { ApprovalView, ApprovalRuleView } from '../../../src/editor/session/state';
import { conversation, step, tool, turn } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

const turns = [turn({ items: [step(1, '', [tool('t1', { state: 'waiting' })])] })];

function asked(facts: Partial<ApprovalView>): DrawnAgent {
  const approval: ApprovalView = {
    toolUseId: 't1',
    kind: 'command',
    title: 'Run a command',
    subject: 'npm run build',
    ...facts,
  };
  return drawAgent(conversation({ turns, activity: { state: 'awaitingApproval', approval } }));
}

function choose(agent: DrawnAgent, testId: string, value: string): void {
  const select = agent.get(testId) as HTMLSelectElement;
  act(() => {
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

const CHOICES = [{ text: 'npm run build' }, { text: 'npm run *' }];

describe('the scope of Allow', () => {
  it('is once by default', () => {
    const agent = asked({ choices: CHOICES });
    expect((agent.get('approval-scope') as HTMLSelectElement).value).toBe('once');
    expect(agent.all('approval-choice')).toEqual([]);
    expect(agent.text('approval-allow')).toBe('Allow');
    agent.click('approval-allow');
    expect(agent.wishes.at(-1)).toMatchObject({ type: 'answerApproval', approved: true });
    expect(agent.wishes.at(-1)).not.toHaveProperty('rule');
  });

  it('says what stops being asked, before the user allows it', () => {
    const agent = asked({ choices: CHOICES });
    choose(agent, 'approval-scope', 'workspace');
    expect(agent.text('approval-rule')).toBe(
      'Allow also stops further questions in this workspace: npm run build',
    );
    choose(agent, 'approval-choice', '1');
    expect(agent.text('approval-rule')).toContain('npm run *');
    expect(agent.text('approval-allow')).toBe('Allow in this workspace');
    agent.click('approval-allow');
    expect(agent.wishes.at(-1)).toMatchObject({ rule: { choice: 1, scope: 'workspace' } });
  });

  it('says what the sandbox prevents', () => {
    const choices = [
      ...CHOICES,
      { text: 'any command in the sandbox', means: 'they have no network.' },
    ];
    const agent = asked({ choices });
    choose(agent, 'approval-scope', 'session');
    choose(agent, 'approval-choice', '2');
    expect(agent.text('approval-rule')).toBe(
      'Allow also stops further questions in this session: any command in the sandbox: they have no network.',
    );
  });

  it('is not sent with Deny', () => {
    const agent = asked({ choices: CHOICES });
    choose(agent, 'approval-scope', 'always');
    agent.click('approval-deny');
    expect(agent.wishes.at(-1)).toMatchObject({ approved: false });
    expect(agent.wishes.at(-1)).not.toHaveProperty('rule');
  });

  it('is not offered if no rule could answer, and the card says why', () => {
    const agent = asked({ whyAsked: 'It writes to /etc/hosts.' });
    expect(agent.all('approval-scope')).toEqual([]);
    expect(agent.text('approval-why')).toBe('It writes to /etc/hosts.');
  });

  it('stands below what the command may destroy, which a screen reader hears with the card', () => {
    const agent = asked({ danger: 'It deletes folders and everything in them.', choices: CHOICES });
    const danger = agent.get('approval-danger');
    expect(danger.textContent).toBe('It deletes folders and everything in them.');
    expect(agent.get('approval').getAttribute('aria-describedby')).toBe(danger.id);
    expect(asked({}).all('approval-danger')).toEqual([]);
  });
});

describe('approval rules', () => {
  const rules: readonly ApprovalRuleView[] = [
    {
      name: 'a',
      decision: 'allow',
      subject: 'npm run *',
      where: 'in this session',
      by: 'ada',
      at: Date.UTC(2026, 0, 2, 12),
    },
    { name: 'b', decision: 'deny', subject: 'git push *', where: 'always' },
  ];

  it('are listed with what they allow or deny, their author and date', () => {
    const agent = drawAgent(conversation({ rules }));
    expect(agent.text('rules')).toContain('2 approval rules');
    const [first, second] = agent.all('rule').map(({ textContent }) => textContent!);
    expect(first).toMatch(/^Allowed in this session: npm run \* by ada, .*2026/);
    expect(second).toMatch(/^Denied always: git push \* Revoke$/);
  });

  it('are revoked one by one', () => {
    const agent = drawAgent(conversation({ rules }));
    agent.click(agent.all('revoke-rule')[1]!);
    expect(agent.wishes.at(-1)).toMatchObject({ type: 'revokeRule', name: 'b' });
  });

  it('are named in the row of a call that they allowed', () => {
    const done = tool('t1', { allowedBy: ['allowed always: npm run *'] });
    const agent = drawAgent(conversation({ turns: [turn({ items: [step(1, '', [done])] })] }));
    expect(agent.text('tool-allowed')).toBe('Rule: allowed always: npm run *');
  });
});

describe('further edits of the reply', () => {
  const further = [
    { toolUseId: 't2', kind: 'edit', subject: 'b.ts', added: 3, removed: 1 },
    { toolUseId: 't3', kind: 'create', subject: 'c.ts', added: 9, removed: 0 },
  ] as const;

  it('are listed with their lines and diffs, and share the answer only if the user ticks the box', () => {
    const agent = asked({ kind: 'edit', title: 'Edit', subject: 'a.ts', further });
    expect(agent.all('further-edit').map(({ textContent }) => textContent)).toEqual([
      'Edit b.ts+3−1Open diff',
      'Create c.ts+9−0Open diff',
    ]);
    agent.click(agent.all('further-diff')[1]!);
    expect(agent.wishes.at(-1)).toEqual({ type: 'openDiff', toolUseId: 't3' });
    agent.click('approval-together');
    agent.click('approval-allow');
    expect(agent.wishes.at(-1)).toMatchObject({ approved: true, together: true });
  });

  it('wait for their own answer by default', () => {
    const agent = asked({ kind: 'edit', title: 'Edit', subject: 'a.ts', further });
    agent.click('approval-allow');
    expect(agent.wishes.at(-1)).not.toHaveProperty('together');
  });
});

describe('a proposal that the user edited in its diff', () => {
  it("says that Allow writes the user's version", () => {
    const agent = asked({ kind: 'edit', title: 'Edit', subject: 'a.ts', revised: true });
    expect(agent.text('approval-revised')).toMatch(/^You edited the proposal in its diff/);
  });
});
