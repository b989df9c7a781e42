import { LEGACY_PROMPT, NEW_DECK_PROMPT } from './demoPrompts';
import type { ScriptedTurn } from './demoScript';

/** Follow-up 1: a question about the legacy module. */
export const LEGACY_TURN: ScriptedTurn = {
  prompt: LEGACY_PROMPT,
  keywords: [/\b(legacy|port ?book)\b/],
  steps: [
    {
      say: 'First, who imports it.',
      calls: [
        { name: 'search_text', input: { pattern: 'portbook', glob: '**/*.js' } },
        { name: 'search_text', input: { pattern: 'seasonLabel', path: 'legacy' } },
      ],
      finding:
        'legacy/portbook.js is imported by src/tariff.js (harbourDues) and test/tariff.js (harbourDues, isWinterAt).',
    },
    {
      say: 'Now its functions, those on seasons above all, and what the tariff takes from it.',
      calls: [
        {
          name: 'read_file',
          input: { path: 'legacy/portbook.js', start_line: 1245, end_line: 1481 },
        },
        { name: 'read_file', input: { path: 'src/tariff.js' } },
        { name: 'read_file', input: { path: 'test/tariff.js' } },
      ],
      finding:
        'legacy/portbook.js: isWinterAt and winterDays handle new year; seasonLabel does not and prints "summer" in January.',
    },
  ],
  answer: `**Half of it has the bug.** There are three functions about seasons in \`legacy/portbook.js\`:

- \`isWinterAt\` is right: it has a branch for a winter whose start lies after its end.
- \`winterDays\` is right too: it adds the rest of the year.
- \`seasonLabel\` has **the same mistake** the load line had: both ends joined with *and*. For a North Sea port in January it
  says "summer". It is used by \`portCard\` in the same file, so a printed port card would be wrong.

Who depends on the module:

| importer | takes |
| --- | --- |
| \`src/tariff.js\` | \`harbourDues\` |
| \`test/tariff.js\` | \`harbourDues\`, \`isWinterAt\` |

So no planning and no price is affected today. The smallest repair lets the label ask the function that knows:

\`\`\`js
return isWinterAt(code, day) ? 'winter' : 'summer';
\`\`\`

I did not change it, since you only asked.`,
};

/** Follow-up 2: a question about extending the code. */
export const NEW_DECK_TURN: ScriptedTurn = {
  prompt: NEW_DECK_PROMPT,
  keywords: [/\b(motor(cycle|bike)s?|new deck|deck types?)\b/],
  steps: [
    {
      say: 'The decks belong to the vessels, the kinds to the manifest.',
      calls: [
        { name: 'read_file', input: { path: 'src/vessel.js' } },
        { name: 'read_file', input: { path: 'src/manifest.js', start_line: 1, end_line: 30 } },
      ],
      finding:
        'A deck is one record in FLEET of src/vessel.js; kinds of item are listed in KINDS of src/manifest.js.',
    },
    {
      say: 'A kind also needs a freight rate. Where are kinds named?',
      calls: [
        { name: 'search_text', input: { pattern: "'trailer'|trailer:", path: 'src' } },
        { name: 'read_file', input: { path: 'src/deckPlan.js' } },
      ],
      finding:
        'Kinds are named in src/manifest.js, src/tariff.js and the takes lists of src/vessel.js; src/deckPlan.js needs no change.',
    },
  ],
  answer: `Three places, and none of them is the planning itself:

1. **\`src/manifest.js\`**: add \`'motorcycle'\` to \`KINDS\`, or every such booking is refused as an unknown kind.
2. **\`src/tariff.js\`**: add a rate to \`CENTS_PER_METRE\`; without one \`freightCents\` throws.
3. **\`src/vessel.js\`**: give the vessel a deck that takes the kind. The order is from the keel upwards, and the weight limit
   is the deck's own:

\`\`\`js
{ name: 'gallery', takes: ['motorcycle'], laneMetres: 24, limitTonnes: 6, leverMetres: 4, heightMetres: 8.1 },
\`\`\`

\`src/deckPlan.js\` stays as it is: it reads \`takes\`, \`laneMetres\` and \`limitTonnes\` from the deck. Two things to know:

- Only decks whose \`takes\` names the kind are tried, lowest first. If motorcycles may also stand in the hold, add the kind there.
- A deck added to an existing ship shows up in her loading sheet and in the ledger comparison, which records tonnes by deck
  name: \`test/report.js\` (for the *Skarv*) and \`test/ledger.js\` would differ. A new vessel changes neither.`,
};
