import { beforeAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../../src/cli/replayFiles';
import { allIdentifiers } from '../../src/replay/measures/statedIdentifiers';
import { REPLAY_POLICIES, type ReplayPolicy } from '../../src/replay/replaySettings';
import type { Totals } from '../../src/replay/tally';
import { isSoak, runs } from '../support/runs';
import { RECORDINGS, shareOfEdits, SIMPLER, totalsUnder } from './support/realRecordings';

/** Validating a request takes longer than making it, so `npm test` validates one in twenty. */
const ONE_IN = runs(20, 1);

/** Says why the API would reject a request, for the requests that are validated. */
function refusalOfSome(): typeof refusalOf {
  let made = 0;
  return (body) => (made++ % ONE_IN === 0 ? refusalOf(body) : undefined);
}

/** The policies that keep to the budget; `npm test` has time for three of them. */
const POLICIES = isSoak
  ? REPLAY_POLICIES.filter((policy) => policy !== 'none' && policy !== 'recorded')
  : (['ladder', 'tokenBudget', 'clairvoyant'] as const);

describe.skipIf(RECORDINGS.length === 0)('real recordings in a window of 64,000 tokens', () => {
  const found = new Map<ReplayPolicy, readonly Totals[]>();

  beforeAll(
    async () => {
      for (const policy of POLICIES)
        found.set(policy, await totalsUnder(policy, 64_000, refusalOfSome()));
    },
    runs(120_000, 3_600_000),
  );

  it.each(POLICIES)(
    '%s: every request fits, is valid, and shows the task and the newest prompt',
    (policy) => {
      for (const totals of found.get(policy)!) {
        expect(totals).toMatchObject({
          overBudget: 0,
          invalid: 0,
          anchorMissing: 0,
          latestAskMissing: 0,
        });
      }
    },
  );

  it('recorded: every request is valid, whatever the recorded agent removed', async () => {
    const all = await totalsUnder('recorded', 200_000, refusalOfSome());
    expect(all.map(({ invalid, anchorMissing }) => invalid + anchorMissing)).toEqual(
      all.map(() => 0),
    );
  });

  it('none: all facts of the prompts are visible, and nothing was removed before it was answered', async () => {
    const all = await totalsUnder('none', 64_000);
    const told = all.map(({ identifiers }) => allIdentifiers(identifiers));
    expect(told.map(({ visible }) => visible)).toEqual(told.map(({ total }) => total));
    const lost = all.map((one) => one.repeatedCalls.lost + one.unansweredQuestions.lost);
    expect(lost).toEqual(all.map(() => 0));
    // Otherwise the others would have nothing to show.
    const seen = (of: (totals: Totals) => number) => all.reduce((sum, one) => sum + of(one), 0);
    expect(seen(({ identifiers }) => allIdentifiers(identifiers).total)).toBeGreaterThan(100);
    expect(seen(({ repeatedCalls }) => repeatedCalls.total)).toBeGreaterThan(5);
    expect(seen(({ unansweredQuestions }) => unansweredQuestions.total)).toBeGreaterThan(50);
  });

  const edits = (policy: ReplayPolicy) => shareOfEdits(found.get(policy)!);

  it('the ladder shows more edits than the simpler policies', () => {
    for (const policy of SIMPLER.filter((one) => found.has(one)))
      expect(edits('ladder'), policy).toBeGreaterThan(edits(policy));
  });

  it('the ladder is at least half-way from the newest that fit to the best possible result', () => {
    const halfWay = (edits('tokenBudget') + edits('clairvoyant')) / 2;
    expect(edits('ladder')).toBeGreaterThanOrEqual(halfWay);
  });
});
