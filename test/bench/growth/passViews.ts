import { fold } from '../../../src/contextWindow/fold';
import { passViews } from '../../../src/editor/contextPanel/ledger/derive';
import { measure } from '../support/costs';
import { longLog } from '../support/longLog';

// What the ledger of a session with very many passes costs at each publish.

const window = fold(longLog().events);
const nobody = { by: { offline: true } } as const;

measure((time) => {
  // A copy of a window without anything that was derived from it.
  const another = { ...window };
  time('draw the ledger', () => void passViews(another, () => nobody));
});
