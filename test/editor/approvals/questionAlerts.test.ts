import { beforeAll, describe, expect, it, vi } from 'vitest';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import type { ApprovalRequest } from '../../../src/agent/tool';
import type { ToolUseId } from '../../../src/contextWindow/block';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import type * as Questions from '../../../src/editor/approvals/questionAlerts';
import type { SessionRun } from '../../../src/editor/session/sessionRun';
import { settled } from '../support/controllerScene';

const told = vi.hoisted(() => ({ messages: [] as unknown[][], choice: undefined as unknown }));

vi.mock('vscode', () => ({
  Uri: { file: (path: string) => path },
  window: {
    state: { focused: true },
    showInformationMessage: async (...message: unknown[]) => {
      told.messages.push(message);
      return told.choice;
    },
  },
}));

let QuestionAlerts: typeof Questions.QuestionAlerts;

beforeAll(async () => {
  // Other tests of this worker may have loaded it with another mock.
  vi.resetModules();
  ({ QuestionAlerts } = await import('../../../src/editor/approvals/questionAlerts'));
});

const use = (id: string) => ({ id: id as ToolUseId, name: 'edit_file', input: {} });
const EDIT: ApprovalRequest = { kind: 'edit', path: 'a.ts', before: 'a', after: 'b' };

/** A session with this name. */
const run = (title: string) =>
  ({ window: { ...EMPTY_WINDOW, state: { title } } }) as unknown as SessionRun;

function scene(choice?: string) {
  told.messages = [];
  told.choice = choice;
  const state = { shown: run('The first'), isInSight: true, isInPlace: false };
  const other = run('The other');
  const badges: [number, string][] = [];
  const done: string[] = [];
  const named = (one: SessionRun): string => (one === other ? 'other' : 'first');
  const questions = new QuestionAlerts(
    { report: { run: (work) => void work() }, folders: { now: oneFolder('/work') } },
    {
      get run() {
        return state.shown;
      },
      showRun: async (one) => void done.push(`showed ${named(one as SessionRun)}`),
    },
    {
      proposals: {
        add: (id) => done.push(`added ${id}`),
        open: async (id) => done.push(`opened ${id}`) > 0,
        close: async (id) => void done.push(`closed ${id}`),
      },
      inPlace: {
        show: async (_, id) => state.isInPlace && done.push(`showed ${id} in place`) > 0,
        hide: async (id) => void (state.isInPlace && done.push(`hid ${id}`)),
      },
      answers: {
        answerElsewhere: async (id, approved, one) =>
          void done.push(`answered ${named(one!)} ${id} ${approved}`),
      },
      agentView: {
        get isLive() {
          return state.isInSight;
        },
        setBadge: (...badge) => badges.push(badge),
      },
      panel: {
        get isLive() {
          return state.isInSight;
        },
        inspection: { whyReadOnly: undefined },
        showCurrent: () => done.push('showed the present'),
        open: () => done.push('opened the panel'),
      },
    },
  );
  return { state, other, badges, done, questions };
}

describe('open questions', () => {
  it('mark the view, and show no notification while the user looks at it', async () => {
    const { state, badges, done, questions } = scene();
    const answered = questions.asked(state.shown, {
      type: 'approval',
      use: use('t1'),
      request: EDIT,
      further: [],
    });
    expect(badges.at(-1)).toEqual([1, 'Waiting for your answer: Edit']);
    await settled();
    expect(done).toEqual(['added t1', 'opened t1']);
    expect(told.messages).toEqual([]);
    answered();
    expect([badges.at(-1), done.at(-1)]).toEqual([[0, ''], 'closed t1']);
  });

  it('open no diff for an edit that is shown in its file, and remove it once answered', async () => {
    const { state, done, questions } = scene();
    state.isInPlace = true;
    const question = { type: 'approval', use: use('t1'), request: EDIT, further: [] } as const;
    const answered = questions.asked(state.shown, question);
    await settled();
    expect(done).toEqual(['added t1', 'showed t1 in place']);
    answered();
    expect(done.slice(2)).toEqual(['hid t1', 'closed t1']);
  });

  it('show one notification if the user looks elsewhere', async () => {
    const { state, done, questions } = scene('Allow');
    state.isInSight = false;
    questions.asked(state.shown, { type: 'approval', use: use('t1'), request: EDIT, further: [] });
    questions.outOfSight();
    await settled();
    expect(told.messages).toEqual([['Plimsoll asks: Edit a.ts?', 'Show', 'Allow', 'Deny']]);
    expect(done).toContain('answered first t1 true');
  });

  it('of a hidden session name it, and open no diff until it is shown', async () => {
    const { state, other, badges, done, questions } = scene('Show');
    questions.asked(state.shown, { type: 'approval', use: use('t1'), request: EDIT, further: [] });
    questions.asked(other, { type: 'approval', use: use('t2'), request: EDIT, further: [] });
    await settled();
    expect(told.messages).toEqual([['Plimsoll asks: Edit a.ts? (“The other”)', 'Show']]);
    expect(done).toContain('showed other');
    expect(done).not.toContain('opened t2');
    expect(badges.at(-1)).toEqual([
      2,
      'Waiting for your answer: Edit\nWaiting for your answer: Edit (in “The other”)',
    ]);
    state.shown = other;
    questions.sessionChanged();
    await settled();
    expect(done.at(-1)).toBe('opened t2');
    expect(badges.at(-1)?.[1]).toContain('Waiting for your answer: Edit (in “The first”)');
    questions.outOfSight();
    expect(told.messages).toHaveLength(1);
  });

  it('about a pass lead to the Context panel', async () => {
    const { other, badges, done, questions } = scene('Show');
    const answered = questions.asked(other, { type: 'pass' });
    await settled();
    expect(told.messages).toEqual([
      ['Plimsoll: a pass is waiting for your review in the Context panel (“The other”).', 'Show'],
    ]);
    expect(done).toEqual(['showed other', 'showed the present', 'opened the panel']);
    expect(badges.at(-1)).toEqual([1, 'Review this pass (in “The other”)']);
    answered();
    expect(badges.at(-1)).toEqual([0, '']);
  });
});
