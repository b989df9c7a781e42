import { expect } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/model';
import type { Session } from '../../../../src/agent/session';
import { measure } from '../../../../src/contextWindow/account/measure';
import { excludeByHand } from '../../../../src/contextWindow/passes/byHand';
import { pricePass } from '../../../../src/contextWindow/passes/pipeline';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { estimate } from '../../../support/player';
import { scriptedAgent, type Options, type Turn } from '../../../support/scriptedAgent';
import { smallBudget } from '../../../support/smallBudget';
import { bytes, inspecting, lookedAt, repliesOf, shownFor } from './inspecting';

/** An agent with the answered requests, and the panel's view of its session. */
export function watched({ script, ...options }: Options) {
  const answered: ModelRequest[] = [];
  const watch =
    (turn: Turn): Turn =>
    (request) => {
      const result = turn(request);
      if (result.ok) answered.push(request);
      return result;
    };
  const agent = scriptedAgent({ ...options, script: script.map(watch) });
  const { inspection } = inspecting(() => lookedAt(agent.session));
  return { agent, answered, inspection };
}

/** Expects every step to show exactly the bytes that were sent for it. */
export function expectAsSent({ agent, answered, inspection }: ReturnType<typeof watched>): void {
  const replies = repliesOf(agent.session.events);
  expect(replies).toHaveLength(answered.length);
  for (const [index, { step }] of replies.entries()) {
    expect(shownFor(inspection, step)).toBe(bytes(answered[index]!));
    expect(inspection.requestAt(step)!.notes).toEqual([]);
  }
}

/** Changes a block by hand, and returns whether that was possible. */
export function changeByHand(
  session: Session,
  change: typeof excludeByHand,
  id: string | undefined,
): boolean {
  const { window } = session;
  const budget = smallBudget();
  const measured = measure(window, estimate);
  const changed = change(
    { window, measured, budget, estimate, settings: POLICY_SETTINGS },
    id ?? 'none',
  );
  const plan = changed.ok ? changed.plan : undefined;
  if (plan !== undefined) {
    session.append({
      type: 'passApplied',
      pass: pricePass(plan, [], window, estimate),
    });
  }
  return plan !== undefined;
}
