import { fold } from '../../../src/contextWindow/fold';
import { balance } from '../../../src/contextWindow/account/balance';
import { measure as measureWindow } from '../../../src/contextWindow/account/measure';
import { toRequest } from '../../../src/contextWindow/request/request';
import { timelineOf } from '../../support/timelineOf';
import { WindowHistory } from '../../../src/contextWindow/history';
import { budgetOf } from '../../support/drawing';
import { estimate } from '../../support/player';
import { measure } from '../support/costs';
import { COURSE } from '../support/course';
import { longLog } from '../support/longLog';

// Queries of a window that does not change.

const { events } = longLog();
const window = fold(events);
const history = new WindowHistory(events);
history.windowAfter(COURSE.steps);
let step = 0;

/** Shows twenty steps, each this far from the one before it. */
function travel(apart: number): void {
  for (let times = 0; times < 20; times += 1) {
    step = (step + apart) % COURSE.steps;
    history.windowBefore(step + 1);
  }
}

measure((time) => {
  time('build the next request', () => void toRequest(window));
  time('build it as JSON', () => JSON.stringify(toRequest(window)).length);
  time('draw up the account', () => {
    balance(window, measureWindow(window, estimate), budgetOf(100_000));
  });
  time('draw the whole timeline', () => void timelineOf(events, window));
  time('travel to 20 steps anywhere', () => travel(3_571));
  time('travel back 20 steps', () => travel(COURSE.steps - 1));
});
