import { describe, expect, it } from 'vitest';
import { progressLine } from '../../../src/cli/run';
import { amountText } from '../../../src/contextWindow/amount';
import { accountOf, fullnessText, type Account } from '../../../src/editor/session/derive';
import { fails, says, scriptedAgent, steps, type ScriptedAgent } from '../../support/scriptedAgent';
import { inspectedOf, viewNow } from './support/inspectedScene';
import { estimate } from '../../support/player';
import { smallBudget } from '../../support/smallBudget';

const BUDGET = smallBudget();

const accountNow = ({ session }: ScriptedAgent) => accountOf(session.window, BUDGET, estimate);

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** The tokens in the window according to each surface. */
function expectOneNumber(agent: ScriptedAgent, { balance, measured }: Account): void {
  const { used, reserved, categories, headroom } = balance;
  expect(sumOf(Object.values(categories))).toBe(used.tokens);
  expect(sumOf(measured.parts.map(({ tokens }) => tokens))).toBe(used.tokens);
  expect(used.tokens + headroom + sumOf(Object.values(reserved))).toBe(12_000);
  const percent = Math.round((used.tokens / balance.inputBudget) * 100);
  expect(fullnessText(balance)).toBe(`${used.exact ? '' : '≈ '}${percent} %`);
  const view = viewNow(inspectedOf(agent.session.window, BUDGET), estimate);
  expect(view.balance).toEqual(balance);
  const { tools, system, scratchpad } = categories;
  const ofBlocks = sumOf(view.blocks.map(({ tokens }) => tokens.tokens));
  expect(ofBlocks + tools + system + scratchpad).toBe(used.tokens);
}

describe('the tokens in the window', () => {
  it('B17: are the same in panel, status bar and log at every request, passes included', async () => {
    const asked: number[] = [];
    const agent = scriptedAgent({
      script: steps(40, 1_400),
      onEvent: ({ type }) => {
        if (type !== 'askStarted') return;
        const account = accountNow(agent);
        asked.push(account.balance.used.tokens);
        expectOneNumber(agent, account);
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger.length).toBeGreaterThan(1);
    const logged = agent.session.events.flatMap((event) =>
      event.type === 'replyReceived' ? [event.tiers!] : [],
    );
    expect(logged.map(({ system, working, archive }) => system + working + archive)).toEqual(asked);
  });

  it('B17: are the same on the command line as in the panel for a pass', async () => {
    let before = '';
    const lines: string[] = [];
    const agent = scriptedAgent({
      script: steps(40, 1_400),
      onEvent: (event) => {
        if (event.type === 'passStarted') before = amountText(accountNow(agent).balance.used);
        if (event.type !== 'passFinished') return;
        const after = accountNow(agent).balance.used;
        expect(Math.abs(after.tokens - event.pass.after.tokens)).toBeLessThan(400);
        const line = progressLine(event)!;
        expect(line).toContain(`: ${before} -> ${amountText(event.pass.after)} tokens`);
        lines.push(line);
      },
    });
    await agent.run('look');
    expect(lines.length).toBeGreaterThan(1);
  });

  it('B17: are compared everywhere with the budget that an overflow lowered, as the trigger does', async () => {
    const agent = scriptedAgent({
      script: [
        ...steps(5, 1_400).slice(0, -1),
        fails({ type: 'overflow', message: 'prompt is too long' }),
        says('Done.'),
      ],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const account = accountNow(agent);
    expect(account.balance.inputBudget).toBe(9_000);
    expect(account.balance.reserved.steppedDown).toBe(1_000);
    expect(agent.session.window.ledger.at(0)!.pass.budget.inputBudget).toBe(9_000);
    expectOneNumber(agent, account);
  });
});
