import { BackgroundCommands } from '../../src/agent/backgroundCommands';
import { describe, expect, it } from 'vitest';
import type { AgentSettings } from '../../src/agent/agentDeps';
import { requestNow } from '../../src/agent/nextRequest';
import { runManualPass } from '../../src/agent/runPass';
import { continueTurn, runTurn } from '../../src/agent/runTurn';
import type { SessionEvent } from '../../src/contextWindow/event';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { says, scriptedAgent, sizeOf, steps, type ScriptedAgent } from '../support/scriptedAgent';
import { smallBudget } from '../support/smallBudget';
import { currentSession, freesNothing } from '../editor/support/controllerScene';

const COMPACT = { ...POLICY_SETTINGS, policy: 'summarise' } as const;

const reloaded = ({ session }: ScriptedAgent) =>
  JSON.parse(JSON.stringify(session.events)) as SessionEvent[];

const nextOf = (agent: ScriptedAgent) => requestNow(agent.deps, agent.deps.settings());

/** The current session with a scripted agent; types text at a moment of a turn. */
function controllerOver(agent: ScriptedAgent, heard: (type: string) => void) {
  const seen = { textsChanged: 0, problem: undefined, bugs: [], warnings: [] };
  const current = currentSession(seen, () => agent.session);
  current.runTurnsWith({
    runTurn,
    continueTurn,
    compactNow: freesNothing,
    mayBegin: () => true,
    prepare: async () => ({ ok: true, parts: agent.deps }),
    background: (session) =>
      new BackgroundCommands(session, { changed: () => undefined, report: () => undefined }),
    now: () => 0,
  });
  current.follow({ heard: (_run, { type }) => heard(type) });
  return current;
}

describe('a session', () => {
  it('B10: sends the very same bytes after passes and a reload', async () => {
    const agent = scriptedAgent({ script: steps(60, 1_400) });
    await agent.run('look');
    expect(agent.session.window.ledger.length).toBeGreaterThan(1);
    const again = scriptedAgent({ script: [], events: reloaded(agent) });
    expect(JSON.stringify(nextOf(again))).toBe(JSON.stringify(nextOf(agent)));
    expect(again.session.window).toEqual(agent.session.window);
  });

  it('B10: has its former request again after the undo of a pass', async () => {
    const agent = scriptedAgent({ script: steps(14, 1_400), settings: { policy: COMPACT } });
    await agent.run('look');
    const before = JSON.stringify(nextOf(agent));
    const pass = runManualPass(agent.deps, agent.deps.settings(), agent.stop.signal);
    while ((await pass.next()).done !== true);
    expect(JSON.stringify(nextOf(agent))).not.toBe(before);
    agent.session.append({ type: 'passUndone', number: 1 });
    expect(JSON.stringify(nextOf(agent))).toBe(before);
  });

  it('B10: gets a prompt typed during a compaction once, after the turn in which it was typed', async () => {
    let typed = false;
    const agent = scriptedAgent({
      script: [...steps(20, 1_400), says('And that.')],
      settings: { policy: COMPACT },
      summariser: async (request) => {
        if (!typed) current.run.submit('typed meanwhile');
        typed = true;
        await new Promise((resolve) => setTimeout(resolve, 5));
        return says('What was done.')(request);
      },
    });
    let idle: () => void = () => undefined;
    const current = controllerOver(agent, (type) => {
      if (type === 'passFinished')
        expect(current.run.queued).toEqual([{ id: 1, text: 'typed meanwhile' }]);
    });
    const done = new Promise<void>((resolve) => (idle = resolve));
    agent.session.onEvent((event) => {
      if (event.type === 'turnEnded' && agent.session.window.turn === 2) idle();
    });
    current.run.submit('look');
    await done;
    const prompts = agent.session.events.flatMap((event) =>
      event.type === 'promptSubmitted' ? [event.text] : [],
    );
    expect(prompts).toEqual(['look', 'typed meanwhile']);
    const texts = JSON.stringify(agent.requests.at(-1)!.messages).split('typed meanwhile');
    expect(texts).toHaveLength(2);
    expect(JSON.stringify(agent.requests.slice(0, -1))).not.toContain('typed meanwhile');
  });

  it('B10: is independent of another session that runs at the same time', async () => {
    const options = (word: string) => ({
      script: steps(30, 1_400, word),
      summariser: says(`Summary of ${word}.`),
      settings: { policy: COMPACT, prepareTokens: 6_000 } satisfies Partial<AgentSettings>,
    });
    const alone = ['one', 'two'].map((word) => scriptedAgent(options(word)));
    for (const [index, agent] of alone.entries()) await agent.run(`Task ${index}.`);
    const beside = ['one', 'two'].map((word) => scriptedAgent(options(word)));
    await Promise.all(beside.map((agent, index) => agent.run(`Task ${index}.`)));
    for (const [index, agent] of beside.entries()) {
      expect(agent.session.window.ledger.length).toBeGreaterThan(0);
      expect(agent.requests).toEqual(alone[index]!.requests);
      expect(JSON.stringify(agent.requests)).not.toContain(index === 0 ? 'two_' : 'one_');
    }
  });

  it('B10: runs a pass before it asks if its new model has a smaller window', async () => {
    const settings: { -readonly [K in keyof AgentSettings]?: AgentSettings[K] } = {
      budget: smallBudget({ contextWindowTokens: 40_000 }),
    };
    const agent = scriptedAgent({
      script: [...steps(30, 1_400), says('On the small one.')],
      settings,
    });
    await agent.run('look');
    expect(sizeOf(agent.requests.at(-1)!)).toBeGreaterThan(12_000);
    expect(agent.session.window.ledger).toHaveLength(0);
    settings.model = 'claude-haiku-4-5';
    settings.budget = smallBudget();
    expect(await agent.run('go on')).toEqual({ type: 'finished' });
    expect(sizeOf(agent.requests.at(-1)!)).toBeLessThanOrEqual(10_000);
    expect(agent.requests).toHaveLength(32);
  });
});
