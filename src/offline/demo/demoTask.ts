import { DEMO_TASK } from './demoPrompts';
import { DIAGNOSIS } from './demoTaskDiagnosis';
import { REPAIR } from './demoTaskRepair';
import type { ScriptedTurn } from './demoScript';

/** Turn 1: two bugs found in a noisy project, fixed, and the proof. */
export const TASK_TURN: ScriptedTurn = {
  prompt: DEMO_TASK,
  keywords: [/\b(fix|repair|mend)/, /\b(tests?|checks?|suites?)\b/],
  steps: [...DIAGNOSIS, ...REPAIR],
  answer: `All checks pass: **63 passed, 0 failed** (36 passed and 24 failed at the start).

There were two independent causes, both from the rewrite in release 2.3:

1. **Winter never began** (\`src/loadLine.js\`). \`isWithin\` wanted a day to be after the start *and* before the end of a
   season. Most winters run over new year, so no day was ever inside and ships got the summer mark in January, up to
   150 mm too deep.
2. **Decks were overloaded** (\`src/deckPlan.js\`). \`hasRoom\` compared what was on the deck *before* the next item, so the
   item that broke the limit was still taken.

\`\`\`js
// src/loadLine.js
if (season.from <= season.to) return monthDay >= season.from && monthDay <= season.to;
return monthDay >= season.from || monthDay <= season.to;

// src/deckPlan.js
const tonnes = round3(deck.usedTonnes + item.tonnes);
return metres <= deck.laneMetres && tonnes <= deck.limitTonnes;
\`\`\`

| file | change |
| --- | --- |
| \`src/loadLine.js\` | seasons over new year |
| \`src/deckPlan.js\` | limit checked with the item on board |
| \`test/regressions.js\` | new, three checks |
| \`CHANGELOG.md\` | new, both fixes |

Existing tests, the ledger and the public API are as they were.`,
};
