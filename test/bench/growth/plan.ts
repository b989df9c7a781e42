import { measure as measureWindow, textsOf } from '../../../src/contextWindow/account/measure';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { piecesOf, regionText } from '../../../src/contextWindow/files/regions';
import { applyEvent, EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import { passToRun } from '../../../src/contextWindow/passes/pipeline';
import { toRequest } from '../../../src/contextWindow/request/request';
import { CachedEstimator } from '../../../src/model/workerEstimator';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { budgetOf } from '../../support/drawing';
import { measure, MOST_ROUNDS } from '../support/costs';
import { COURSE } from '../support/course';
import { longLog, TOKEN_CHARS } from '../support/longLog';

// The cost of planning a pass with excerpts, as the agent does before a request. The window has
// grown event by event, and its texts are counted. Each plan is of a window a few steps longer than
// the one before, so whatever the two share is cached.

/** The numbers of a step in the table of `growth.mjs` for a course without passes. */
const STEP_MESSAGES = 2;
const STEP_TOKENS = 565;

const estimator = new CachedEstimator('claude-sonnet-5-5', (texts) =>
  Promise.resolve(texts.map((text) => Math.ceil(text.length / TOKEN_CHARS))),
);
const estimate = estimator.estimate;

/** The newest windows, which are planned one after another. */
const windows: ContextWindow[] = [];
let window = EMPTY_WINDOW;
for (const event of longLog().events) {
  window = applyEvent(window, event);
  if (event.type !== 'toolFinished') continue;
  windows.push(window);
  if (windows.length > 2 * MOST_ROUNDS) windows.shift();
}
for (const each of windows) await estimator.warm(textsOf(each));
await estimator.warm([...window.files.values()].flatMap(piecesOf).map(regionText));

/** Without passes, the plan starts from the whole session. */
const isWhole = COURSE.passEvery === undefined;
if (isWhole) {
  check('messages', toRequest(window).messages.length, STEP_MESSAGES);
  check('tokens', measureWindow(window, estimate).used.tokens, STEP_TOKENS);
}

/** Without a budget, the window is exactly full. */
function plan(inputBudget?: number): void {
  const of = windows.shift() as ContextWindow;
  const measured = measureWindow(of, estimate);
  const budget = budgetOf(inputBudget ?? measured.used.tokens);
  const input = { window: of, measured, budget, estimate, settings: POLICY_SETTINGS };
  const planned = passToRun({ ...input, trigger: 'highWatermark' });
  if (isWhole && planned?.plan.excerpts === undefined) throw new Error('The plan shows no files.');
}

/** Throws if the sessions do not match the numbers in the table's description. */
function check(what: string, found: number, each: number): void {
  const said = each * COURSE.steps;
  if (Math.abs(found / said - 1) > 0.03)
    throw new Error(`${COURSE.steps} steps have ${found} ${what}, and not about ${said}.`);
}

let isFirst = true;
measure((time) => {
  time(isFirst ? 'the first plan of all' : 'plan a pass of a full window', () => plan());
  isFirst = false;
  if (isWhole) time('plan a pass to 100,000 tokens', () => plan(100_000));
});
