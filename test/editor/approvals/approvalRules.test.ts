import { describe, expect, it } from 'vitest';
import { foldersAt, oneFolder, type WorkspaceFolders } from '../../../src/agent/workspaceFolders';
import type { Session } from '../../../src/agent/session';
import { APPROVALS } from '../../../src/settings/approvalsSetting';
import type { ApprovalRequest } from '../../../src/agent/tool';
import type { ToolUse, ToolUseId } from '../../../src/contextWindow/block';
import type { ApprovalRule } from '../../../src/contextWindow/approvalRule';
import type { NewEvent, SessionEvent } from '../../../src/contextWindow/event';
import { ApprovalRules } from '../../../src/editor/approvals/approvalRules';
import { loadShellGrammar, readShellCommand } from '../../../src/agent/approvals/shellCommand';
import { GRAMMAR } from '../../support/grammar';

const use = (id: string): ToolUse => ({
  id: id as ToolUseId,
  name: 'run_command',
  input: {},
});
const run = (command: string) => ({ kind: 'command', command, cwd: '/work' }) as const;
const EDIT: ApprovalRequest = { kind: 'edit', path: 'a.ts', before: 'a', after: 'b' };

/** The rules of a user in a workspace; `fault` says why settings cannot be stored. */
function scene({
  root = '/work',
  now = oneFolder(root),
  fault,
}: { root?: string; now?: WorkspaceFolders; fault?: string } = {}) {
  let stored: readonly ApprovalRule[] = [];
  const events: SessionEvent[] = [];
  const session = {
    append: (event: NewEvent) => void events.push({ ...event, at: 1 } as SessionEvent),
  } as unknown as Session;
  const settings = {
    get approvals() {
      return stored;
    },
  };
  const services = {
    access: { settings: { valid: { settings } }, refresh: async () => undefined },
    configuration: {
      storeSetting: async (_name: string, rules: unknown) => {
        if (fault === undefined) stored = APPROVALS.parse(rules);
        return fault;
      },
    },
    folders: { now },
    readCommand: async (command: string) =>
      readShellCommand(await loadShellGrammar(GRAMMAR), command),
    user: 'ada',
    now: () => 1_000,
  };
  const made = new ApprovalRules(services as never, { events, session, whyReadOnly: undefined });
  const answer = made.answer.bind(made);
  const rules = Object.assign(made, {
    /** The folders of the turn are those that are open, unless others are open by now. */
    answer: (
      call: ToolUse,
      request: ApprovalRequest,
      folders = services.folders.now,
      open: WorkspaceFolders | null = folders,
    ) => {
      Object.assign(services.folders, { now: open ?? undefined });
      return answer(call, request, folders);
    },
  });
  return { rules, events, stored: () => stored, elsewhere: (s: typeof stored) => (stored = s) };
}

describe('approval rules', () => {
  it('deny in a workspace that has the folder of a denial, and allow only in exactly theirs', async () => {
    const client = scene({ root: '/ws/client' });
    const deny = (workspace: string): ApprovalRule => ({
      decision: 'deny',
      subject: { kind: 'command', pattern: 'git push' },
      scope: 'workspace',
      workspace,
    });
    const everywhere: ApprovalRule = { ...deny(''), decision: 'allow', scope: 'always' };
    const rules = [{ ...everywhere, workspace: undefined }, deny('/ws/client')];
    const push = { ...run('git push'), cwd: '/ws/client' };
    client.elsewhere(rules);
    expect((await client.rules.answer(use('t1'), push)).type).toBe('deny');
    const both = foldersAt(['/ws/client', '/ws/server']);
    expect((await client.rules.answer(use('t2'), push, both)).type).toBe('deny');
    const turned = foldersAt(['/ws/server', '/ws/client']);
    expect((await client.rules.answer(use('t3'), push, turned)).type).toBe('deny');
    const apart = oneFolder('/ws/server');
    const there = { ...push, cwd: '/ws/server' };
    expect((await client.rules.answer(use('t4'), there, apart)).type).toBe('allow');
  });

  it('are those of the folders that the turn began with, not of those that are open now', async () => {
    const both = foldersAt(['/ws/client', '/ws/server']);
    const client = oneFolder('/ws/client');
    const { rules, stored, elsewhere } = scene();
    elsewhere([
      { decision: 'allow', subject: { kind: 'edits' }, scope: 'workspace', workspace: both.id },
    ]);
    expect((await rules.answer(use('t1'), EDIT, both)).type).toBe('allow');
    expect((await rules.answer(use('t2'), EDIT, client, both)).type).toBe('ask');
    // So is a rule that is made from its question.
    expect(await rules.allow('t2', 0, 'workspace')).toBe(undefined);
    expect(stored().at(-1)).toMatchObject({ scope: 'workspace', workspace: '/ws/client' });
  });

  it('allow nothing more in a turn once the user has removed one of its folders, and still deny', async () => {
    const both = foldersAt(['/ws/client', '/ws/server']);
    const client = foldersAt(['/ws/client'], both);
    const { rules, elsewhere } = scene();
    elsewhere([
      { decision: 'allow', subject: { kind: 'edits' }, scope: 'always' },
      { decision: 'allow', subject: { kind: 'command', pattern: 'npm test' }, scope: 'always' },
      { decision: 'deny', subject: { kind: 'command', pattern: 'git push' }, scope: 'always' },
    ]);
    const check = { ...run('npm test'), cwd: '/ws/client' };
    const push = { ...run('git push'), cwd: '/ws/client' };
    for (const call of [EDIT, check]) {
      expect((await rules.answer(use('t1'), call, both)).type).toBe('allow');
      expect(await rules.answer(use('t2'), call, both, client)).toEqual({
        type: 'ask',
        why: 'You removed server from the workspace during this turn, so Plimsoll asks about every change until the turn ends.',
        choices: [],
      });
    }
    expect(await rules.answer(use('t3'), EDIT, both, null)).toHaveProperty('type', 'ask');
    expect((await rules.answer(use('t4'), push, both, client)).type).toBe('deny');
    const wipe = { ...run('rm -rf src'), cwd: '/ws/client' };
    expect(await rules.answer(use('t5'), wipe, both, client)).toHaveProperty('danger');
    // The next turn has the folders that are left.
    expect((await rules.answer(use('t6'), EDIT, client)).type).toBe('allow');
  });

  it('about edits in this session hold only for the folders they were given for', async () => {
    const one = scene({ root: '/ws/client' });
    await one.rules.answer(use('t1'), EDIT);
    expect(await one.rules.allow('t1', 0, 'session')).toBe(undefined);
    expect(one.events[0]).not.toHaveProperty('rule.workspace', expect.anything());
    expect((await one.rules.answer(use('t2'), EDIT)).type).toBe('allow');
    const both = foldersAt(['/ws/client', '/ws/server']);
    expect((await one.rules.answer(use('t3'), EDIT, both)).type).toBe('ask');
    expect(await one.rules.allow('t3', 0, 'session')).toBe(undefined);
    expect((await one.rules.answer(use('t4'), EDIT, both)).type).toBe('allow');
    expect((await one.rules.answer(use('t5'), EDIT)).type).toBe('allow');
    const three = foldersAt(['/ws/client', '/ws/server', '/ws/docs']);
    expect((await one.rules.answer(use('t6'), EDIT, three)).type).toBe('ask');
  });

  it('do not exist at first: Plimsoll asks, and offers rules', async () => {
    const { rules } = scene();
    expect(await rules.answer(use('t1'), run('npm run build && npm test'))).toEqual({
      type: 'ask',
      choices: [
        {
          text: 'npm run build and npm test',
          subjects: [
            { kind: 'command', pattern: 'npm run build' },
            { kind: 'command', pattern: 'npm test' },
          ],
        },
        {
          text: 'npm run * and npm test *',
          subjects: [
            { kind: 'command', pattern: 'npm run *' },
            { kind: 'command', pattern: 'npm test *' },
          ],
        },
      ],
    });
  });

  it('apply to the session on request, as events of its log', async () => {
    const { rules, events, stored } = scene();
    await rules.answer(use('t1'), run('npm run build'));
    expect(await rules.allow('t1', 1, 'session')).toBe(undefined);
    expect(events).toMatchObject([
      { type: 'ruleSet', rule: { scope: 'session', by: 'ada', at: 1_000 } },
    ]);
    expect(stored()).toEqual([]);
    expect(await rules.answer(use('t2'), run('npm run lint'))).toEqual({
      type: 'allow',
      rules: ['allowed in this session: npm run *'],
    });
    expect(rules.views).toMatchObject([
      { decision: 'allow', subject: 'npm run *', where: 'in this session', by: 'ada', at: 1_000 },
    ]);
    expect(await rules.revoke(rules.views[0]!.name)).toBe(undefined);
    expect(rules.views).toEqual([]);
    expect((await rules.answer(use('t3'), run('npm run lint'))).type).toBe('ask');
  });

  it('apply to the workspace only on request, in the settings', async () => {
    const here = scene();
    await here.rules.answer(use('t1'), EDIT);
    expect(await here.rules.allow('t1', 0, 'workspace')).toBe(undefined);
    expect(here.events).toEqual([]);
    expect(here.stored()).toMatchObject([{ scope: 'workspace', workspace: '/work' }]);
    expect((await here.rules.answer(use('t2'), EDIT)).type).toBe('allow');
    const other = scene({ root: '/other' });
    other.elsewhere(here.stored());
    expect((await other.rules.answer(use('t3'), EDIT)).type).toBe('ask');
    expect(other.rules.views).toEqual([]);
    expect(await here.rules.revoke(here.rules.views[0]!.name)).toBe(undefined);
    expect(here.stored()).toEqual([]);
  });

  it('for a workspace of one folder do not apply where there are more', async () => {
    const one = scene();
    await one.rules.answer(use('t1'), EDIT);
    await one.rules.allow('t1', 0, 'workspace');
    const more = scene({ now: foldersAt(['/work', '/other']) });
    more.elsewhere(one.stored());
    expect((await more.rules.answer(use('t2'), EDIT)).type).toBe('ask');
    await more.rules.allow('t2', 0, 'workspace');
    expect((await more.rules.answer(use('t3'), EDIT)).type).toBe('allow');
    const command = { ...run('npm test'), cwd: '/other' };
    await more.rules.answer(use('t4'), command);
    await more.rules.allow('t4', 0, 'workspace');
    expect(more.stored().at(-1)).toMatchObject({
      subject: { pattern: 'npm test', folder: '/other' },
      workspace: '/work:/other',
    });
    expect((await more.rules.answer(use('t5'), command)).type).toBe('allow');
  });

  it('are stored once, however often the user allows the same', async () => {
    const { rules, stored } = scene();
    for (const id of ['t1', 't2']) {
      await rules.answer(use(id), run('git status'));
      await rules.allow(id, 0, 'always');
    }
    expect(stored()).toHaveLength(1);
  });

  it('allow nothing that was not offered with the question', async () => {
    const { rules, stored, events } = scene();
    await rules.answer(use('t1'), run('git status'));
    for (const [id, choice] of [
      ['t1', 7],
      ['t0', 0],
    ] as const) {
      expect(await rules.allow(id, choice, 'always')).toMatch(/was not offered/);
    }
    expect([stored(), events]).toEqual([[], []]);
  });

  it('report why they could not be stored, and then do not apply', async () => {
    const { rules } = scene({ fault: 'The settings file is read-only.' });
    await rules.answer(use('t1'), run('git status'));
    expect(await rules.allow('t1', 0, 'always')).toBe(
      'The rule could not be stored in plimsoll.approvals: The settings file is read-only.',
    );
    expect((await rules.answer(use('t2'), run('git status'))).type).toBe('ask');
  });

  it('let any command run in the sandbox only, on request and if there is a sandbox', async () => {
    const { rules } = scene();
    const held = (command: string) => ({ ...run(command), sandbox: 'they have no network.' });
    const asked = await rules.answer(use('t1'), held('curl $(cat url)'));
    expect(asked).toMatchObject({
      why: expect.stringMatching(/^No rule can allow this/) as string,
      choices: [{ text: 'any command in the sandbox', means: 'they have no network.' }],
    });
    await rules.allow('t1', 0, 'session');
    expect(await rules.answer(use('t2'), held('rm -rf build > log.txt'))).toEqual({
      type: 'allow',
      rules: ['allowed in this session: any command in the sandbox'],
      inSandbox: true,
    });
    expect(await rules.answer(use('t3'), run('rm -rf build'))).toMatchObject({ type: 'ask' });
    expect(
      await rules.answer(use('t4'), { ...held('curl x'), outside: 'It failed.' }),
    ).toMatchObject({ type: 'ask', choices: [] });
  });

  it('explain why no rule can answer, and then offer none', async () => {
    const { rules } = scene();
    const answer = await rules.answer(use('t1'), run('echo $(date)'));
    expect(answer).toMatchObject({ type: 'ask', choices: [] });
    expect(answer).toHaveProperty('why', expect.stringMatching(/^No rule can allow this/));
  });
});
