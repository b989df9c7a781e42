import { CHANGELOG, DECK_PLAN_EDIT, LOAD_LINE_EDIT, REGRESSIONS } from './demoEdits';
import type { ScriptedStep } from './demoScript';

/** Second half of the task: both fixes with a test run behind each, then the regression checks. */
export const REPAIR: readonly ScriptedStep[] = [
  {
    say: 'The first fix: a season whose start lies after its end runs over new year.',
    calls: [{ name: 'edit_file', input: LOAD_LINE_EDIT }],
    finding: 'Edited src/loadLine.js: isWithin has a branch for seasons over new year.',
  },
  {
    say: 'Everything again. I expect kind A to be gone and kind B to stay.',
    calls: [{ name: 'run_command', input: { command: 'npm test', timeout_seconds: 120 } }],
    expect: '51 passed, 9 failed',
    finding:
      'After the first fix npm test gave 51 passed, 9 failed; only deckPlan and ledger still failed.',
  },
  {
    say: 'From 24 failures to **9**, and all of the rest are about weight. On to kind B.',
    calls: [
      {
        name: 'update_scratchpad',
        input: {
          key_facts: [
            'npm test: 36/24 at the start, 51 passed and 9 failed after fix A',
            'Cause A fixed: isWithin in src/loadLine.js',
            'Kind B: decks loaded beyond limitTonnes (suite deckPlan, ledger in months 05, 07, 08, 12)',
            'test/run.js picks up every file in test/; --only takes suite names',
          ],
          current_step: 'Kind B: find where an item is given a deck',
        },
      },
    ],
  },
  {
    say: 'The deck plan and the limits it should keep:',
    calls: [
      { name: 'read_file', input: { path: 'src/deckPlan.js' } },
      { name: 'read_file', input: { path: 'src/vessel.js' } },
    ],
    finding:
      'src/deckPlan.js: hasRoom adds the item to the metres but compares the tonnes without it.',
  },
  {
    say: '`hasRoom` adds the item to the *metres*, but not to the *tonnes*. Before I believe it, the checks:',
    calls: [{ name: 'read_file', input: { path: 'test/deckPlan.js' } }],
    finding:
      'test/deckPlan.js: loading to the limit exactly is allowed; what would break it goes to the next deck or stays behind.',
  },
  {
    say: 'A wrong weight could look the same, so I rule out the way there: units, manifest, stability.',
    calls: [
      { name: 'read_file', input: { path: 'src/units.js' } },
      { name: 'read_file', input: { path: 'src/manifest.js' } },
      { name: 'read_file', input: { path: 'src/stability.js' } },
    ],
    finding:
      'src/units.js, src/manifest.js and src/stability.js are sound: weights are converted once and rounded to kilograms.',
  },
  {
    say: 'Those are sound. Who else reads the limit?',
    calls: [{ name: 'search_text', input: { pattern: 'limitTonnes', path: 'src' } }],
    finding: 'limitTonnes decides only in hasRoom; report and deckLoad just print it.',
  },
  {
    say: 'One real voyage as a cross-check: `V-250505`, where the ledger leaves the shelter deck 20.99 t and we leave it none.',
    calls: [
      {
        name: 'read_file',
        input: { path: 'fixtures/ledger-2025.json', start_line: 1245, end_line: 1300 },
      },
    ],
    finding:
      'Ledger voyage V-250505: truck SRK-00349 of 20.99 t belongs on the shelter deck, because main would reach 318 of 300 t.',
  },
  {
    say: 'Truck `SRK-00349` weighs 20.99 t and would bring *main* from 297.2 to 318.2 of 300 t. Exactly this comparison. The two suites alone:',
    calls: [
      {
        name: 'run_command',
        input: { command: 'node test/run.js --only deckPlan,ledger', timeout_seconds: 60 },
      },
    ],
    expect: '15 passed, 9 failed',
    finding: 'Suites deckPlan and ledger alone before the second fix: 15 passed, 9 failed.',
  },
  {
    say: 'The loading sheet prints these numbers with the vendored table printer. A look, so that rounding there misleads nobody:',
    calls: [
      { name: 'read_file', input: { path: 'src/report.js' } },
      { name: 'read_file', input: { path: 'vendor/gridprint.min.js' } },
    ],
    finding:
      'src/report.js and vendor/gridprint.min.js only format; nothing there decides about weight.',
  },
  {
    say: 'It only formats. The second fix: compare with the item on board, rounded like every other sum.',
    calls: [{ name: 'edit_file', input: DECK_PLAN_EDIT }],
    finding: 'Edited src/deckPlan.js: hasRoom compares the tonnes with the item on board.',
  },
  {
    say: 'And everything again:',
    calls: [{ name: 'run_command', input: { command: 'npm test', timeout_seconds: 120 } }],
    key: 'greenRun',
    expect: '60 passed, 0 failed',
    finding: 'After the second fix npm test gave 60 passed, 0 failed.',
  },
  {
    say: 'Green. Still to do are the regression checks and the changelog.',
    calls: [
      {
        name: 'update_scratchpad',
        input: {
          key_facts: [
            'npm test: 36/24 at the start, 51/9 after fix A, 60/0 after fix B',
            'Cause A fixed: isWithin in src/loadLine.js',
            'Cause B fixed: hasRoom in src/deckPlan.js',
          ],
          decisions: [
            'Fix A in isWithin itself, so that winter and tropical seasons both gain',
            'Fix B rounds with round3 before comparing, so that a deck can be loaded to its limit exactly',
          ],
          current_step: 'test/regressions.js and CHANGELOG.md, then the last run',
        },
      },
    ],
  },
  {
    say: 'The regression checks should use only the public API. What does it export, and is the first fix written as I remember it?',
    calls: [
      { name: 'read_file', input: { path: 'src/index.js' } },
      { name: 'read_file', input: { path: 'src/loadLine.js', start_line: 28, end_line: 50 } },
      { name: 'read_file', input: { path: 'src/voyage.js' } },
    ],
    finding: 'src/index.js exports markFor and planDecks, which is all the regression checks need.',
  },
  {
    say: 'Three checks: the turn of the year, the last day of a winter, and a deck one kilogram short of its limit.',
    calls: [{ name: 'create_file', input: REGRESSIONS }],
    finding: 'Created test/regressions.js with three checks over the public API.',
  },
  {
    say: 'The changelog, one line for each fix.',
    calls: [{ name: 'create_file', input: CHANGELOG }],
    finding: 'Created CHANGELOG.md with both fixes.',
  },
  {
    say: 'The last run has to show the three new checks as well.',
    calls: [{ name: 'run_command', input: { command: 'npm test', timeout_seconds: 120 } }],
    expect: '63 passed, 0 failed',
    finding: 'Last run of npm test: 63 passed, 0 failed.',
  },
  {
    say: 'Done; a last note in case there are questions.',
    calls: [
      {
        name: 'update_scratchpad',
        input: {
          key_facts: [
            'npm test: 63 passed, 0 failed (60 old checks, 3 new)',
            'Cause A fixed in src/loadLine.js (isWithin), cause B in src/deckPlan.js (hasRoom)',
            'New files: test/regressions.js, CHANGELOG.md',
          ],
          current_step: 'Finished',
          blockers: [],
        },
      },
    ],
  },
];
