import { describe, expect, it } from 'vitest';
import { measure } from '../../src/contextWindow/account/measure';
import { whyTooLarge } from '../../src/contextWindow/account/balance';
import { scratchpadTool } from '../../src/tools/scratchpadTool';
import { todo } from '../../src/tools/todo';
import { estimate } from '../support/player';
import { calls, ECHO, says, scriptedAgent } from '../support/scriptedAgent';
import { smallBudget } from '../support/smallBudget';
import { resultsOf } from './support/resultsOf';

const facts = (count: number) =>
  Array.from({ length: count }, (_, at) => `${at} ${'fact '.repeat(50)}`);

/** The input budget is 10,000 tokens, so the notes have at most 500. */
const agentThat = (...notes: readonly object[]) =>
  scriptedAgent({
    script: [
      ...notes.map((input, at) => calls([{ id: `toolu_${at}`, name: 'update_scratchpad', input }])),
      says('Done.'),
    ],
    deps: { tools: [ECHO, scratchpadTool([]), todo] },
  });

describe('notes of more than 5 % of the input budget', () => {
  it('are refused with what to shorten, and the former ones stay', async () => {
    const agent = agentThat(
      { key_facts: facts(3) },
      { key_facts: facts(20), current_step: 'Now.' },
    );
    await agent.run('look');
    const [, refused] = resultsOf(agent);
    expect(refused).toMatchObject({ isError: true });
    expect(refused!.text).toMatch(
      /^update_scratchpad stored nothing: the notes would have ≈ [\d,]+ tokens, and at most 500 fit, 5 % of the input budget\. Shorten Key facts \(≈ [\d,]+\) and Current step \(≈ \d+\)\.$/,
    );
    expect(agent.session.window.scratchpad.keyFacts).toEqual(facts(3));
    expect(agent.session.window.scratchpad.currentStep).toBe('');
  });

  it('may become shorter step by step', async () => {
    const former = { ...agentThat().session.window.scratchpad, keyFacts: facts(30) };
    const agent = agentThat({ key_facts: facts(25) }, { key_facts: facts(26) });
    agent.session.append({ type: 'scratchpadUpdated', scratchpad: former, byUser: true });
    await agent.run('look');
    expect(resultsOf(agent).map(({ isError }) => isError)).toEqual([false, true]);
    expect(agent.session.window.scratchpad.keyFacts).toHaveLength(25);
  });
});

it('a request that does not fit names the notes among its heaviest parts', () => {
  const agent = agentThat();
  const { session } = agent;
  const scratchpad = { ...session.window.scratchpad, keyFacts: facts(30) };
  const window = { ...session.window, scratchpad, shownScratchpad: facts(30).join('\n') };
  expect(whyTooLarge(window, measure(window, estimate), smallBudget())).toMatch(
    /Heaviest: the agent's notes: ≈ [\d,]+;/,
  );
});
