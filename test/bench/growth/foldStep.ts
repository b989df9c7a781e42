import { entered, type NewEvent } from '../../../src/contextWindow/event';
import { applyEvent, fold } from '../../../src/contextWindow/fold';
import { measure } from '../support/costs';
import { COURSE } from '../support/course';
import { longLog } from '../support/longLog';

// The cost of folding one more event.

const { events, log } = longLog();
let window = fold(events);
const take = (event: NewEvent): void => {
  window = applyEvent(window, entered(event, 0, window));
};

measure((time) => {
  // Twenty steps, because one is too short to be timed.
  const steps = Array.from({ length: 20 }, () => [log.reply(), log.result()]).flat();
  time('fold 20 more steps', () => steps.forEach(take));
  if (COURSE.passEvery === undefined) return;
  const pass = log.pass();
  time('fold one more pass', () => take(pass));
});
