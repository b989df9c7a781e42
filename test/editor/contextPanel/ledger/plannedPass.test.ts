import { rungGains } from '../../../../src/contextWindow/passes/rungGains';
import { describe, expect, it } from 'vitest';
import { type PolicyName, POLICY_NAMES } from '../../../../src/contextWindow/plan';
import { compactNow } from '../../../../src/editor/session/compactNow';
import { decisionView } from '../../../../src/editor/contextPanel/ledger/derive';
import type { ValidSettings } from '../../../../src/settings/windowBudget';
import { scriptedAgent, steps } from '../../../support/scriptedAgent';
import { agentSettings, inspecting, lookedAt, SMALL, validWith } from '../support/inspecting';

/** The panel of a session with this many steps and no pass. */
async function filled(count: number, context: Parameters<typeof validWith>[0] = {}) {
  const valid = validWith({ ...SMALL, summariser: 'off', ...context });
  const roomy = validWith({ windowTokens: 100_000, prepareWatermark: 0 });
  let inForce: ValidSettings = roomy;
  const agent = scriptedAgent({ script: steps(count, 1_400) });
  const deps = { ...agent.deps, settings: () => agentSettings(inForce) };
  Object.assign(agent.deps, { settings: deps.settings });
  await agent.run('look');
  inForce = valid;
  const { inspection } = inspecting(() => lookedAt(agent.session, valid));
  const room = async () => {
    const passing = compactNow(deps, agent.stop.signal);
    for (let next = await passing.next(); ; next = await passing.next()) {
      if (next.done === true) return next.value;
    }
  };
  return { inspection, room, session: agent.session };
}

describe('a preview', () => {
  const local = POLICY_NAMES.filter((name) => name !== 'summarise');
  it.each(local.flatMap((policy) => [4, 17, 26].map((count) => [policy, count] as const)))(
    'says what Compact Now would do: %s with %i steps',
    async (policy, count) => {
      const { inspection, room, session } = await filled(count, {
        policy,
        maxMessages: 12,
        keepTurns: 2,
      });
      const before = session.window;
      const preview = (await inspection.preview())!;
      expect(session.window).toBe(before);
      const made = await room();
      expect(made.ok).toBe(preview.whyNothing === undefined);
      const pass = session.window.ledger.at(-1)?.pass;
      if (!made.ok || pass === undefined) {
        expect([pass, preview.decisions]).toEqual([undefined, []]);
        return;
      }
      expect(preview).toMatchObject({
        trigger: pass.trigger,
        policy: pass.policy,
        before: pass.before,
        after: pass.after,
        target: pass.target,
        rungs: rungGains(pass),
      });
      const [kept, changed] = [true, false].map((isKept) =>
        pass.decisions.filter(({ action }) => (action === 'keep') === isKept).map(decisionView),
      );
      expect(preview.decisions).toEqual(changed);
      expect(preview.kept).toEqual(kept);
      expect(changed!.length).toBeGreaterThan(0);
    },
  );

  it('names the blocks that a summary would replace, without its text', async () => {
    const { inspection, room, session } = await filled(26, {
      policy: 'summarise',
      summariser: 'workNote',
    });
    const preview = (await inspection.preview())!;
    await room();
    const { decisions } = session.window.ledger.at(0)!.pass;
    const what = (all: readonly { readonly blockId: string; readonly action: string }[]) =>
      all.filter(({ action }) => action !== 'keep').map(({ blockId, action }) => [blockId, action]);
    expect(what(preview.decisions)).toEqual(what(decisions));
    expect(what(decisions)).not.toEqual([]);
    expect(session.window.ledger.at(0)!.pass.after.tokens).toBeLessThanOrEqual(
      preview.after.tokens,
    );
  });

  it('gives the same reason as Compact Now if nothing would be removed', async () => {
    const { inspection, room } = await filled(0);
    const why = (await inspection.preview())!.whyNothing!;
    const { message } = await room();
    const reason = /: (.*)\.$/;
    expect(reason.exec(why)?.[1]).toBe(reason.exec(message)?.[1]);
    expect(why).toBe(
      'Nothing would be removed: the remaining blocks must stay, or removing them would free nothing.',
    );
  });

  it('is absent for a policy that only replays use', async () => {
    const { session } = await filled(3);
    const policy: PolicyName = 'clairvoyant';
    const { inspection } = inspecting(() => ({ ...lookedAt(session), policy }));
    expect(await inspection.preview()).toBeUndefined();
    expect(inspection.view().next.type).toBe('notWorkedOut');
  });

  it('leaves the ledger, the log and the next request unchanged', async () => {
    const { inspection, session } = await filled(17);
    const before = JSON.stringify([session.events, inspection.requestAt('next')]);
    await inspection.preview();
    inspection.view();
    expect(JSON.stringify([session.events, inspection.requestAt('next')])).toBe(before);
  });
});
