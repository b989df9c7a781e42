import { fold } from '../../../src/contextWindow/fold';
import { passViews } from '../../../src/editor/contextPanel/ledger/derive';
import { measure } from '../support/costs';
import { longLog } from '../support/longLog';

// The cost of the ledger at each publish, in a session with very many passes.

const window = fold(longLog().events);
const nobody = { by: { offline: true } } as const;

measure((time) => {
  // A copy of the window, for which nothing is cached.
  const another = { ...window };
  time(
    'draw the ledger',
    () =>
      void passViews(
        another,
        () => nobody,
        () => undefined,
      ),
  );
});
