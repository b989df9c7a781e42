import { fold } from '../../../src/contextWindow/fold';
import { measure } from '../support/costs';
import { longLog } from '../support/longLog';

// The cost of folding a whole log: ten times the steps should be ten times the work.

const { events } = longLog();

measure((time) => time('fold the log', () => void fold(events)));
