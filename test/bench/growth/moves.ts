import { textsOfBlocks } from '../../../src/contextWindow/account/guesses';
import { textsOf } from '../../../src/contextWindow/account/measure';
import { blocksInWindow } from '../../../src/contextWindow/window';
import { BlockMovements } from '../../../src/editor/contextPanel/blocks/moves';
import { agentSettings, validWith } from '../../editor/contextPanel/support/inspecting';
import { CachedEstimator } from '../../../src/model/workerEstimator';
import { measure } from '../support/costs';
import { HostedSession } from '../support/hostedSession';
import { longLog, TOKEN_CHARS } from '../support/longLog';

// The cost of the numbers on the buttons of the rows in sight, after a step. All texts are counted.

/** Most rows of a large panel. */
const VISIBLE = 40;

const { events, log } = longLog();
const { session } = new HostedSession('context', events);
const settings = agentSettings(validWith({ windowTokens: 6_000_000 }));
const estimator = new CachedEstimator('claude-sonnet-5-5', (texts) =>
  Promise.resolve(texts.map((text) => Math.ceil(text.length / TOKEN_CHARS))),
);

/** The oldest blocks after the task, which a pass has removed if there was one, or the newest. */
function rows(count: number): readonly string[] {
  const half = Math.ceil(count / 2);
  const oldest = session.window.blocks.slice(1, 1 + half).map(({ id }) => id);
  const newest = blocksInWindow(session.window).slice(half - count);
  return [...oldest, ...(count === half ? [] : newest.map(({ id }) => id))];
}

function moves(count: number): number {
  const movements = new BlockMovements(() => estimator);
  movements.watch(rows(count));
  return Object.keys(
    movements.of(session.window, { settings, estimate: estimator.estimate }, []).moves,
  ).length;
}

await estimator.warm(textsOf(session.window));
for (const { block } of session.window.ledger.flatMap(({ former }) => former))
  await estimator.warm(textsOfBlocks([block]));

measure((time) => {
  session.append(log.reply());
  session.append(log.result());
  time('the numbers of a row', () => void moves(1));
  time(`the numbers of ${VISIBLE} rows`, () => void moves(VISIBLE));
});
