import { DEMO_TASK } from './demoPrompts';
import type { ScriptedStep, ScriptedTurn } from './demoScript';

/** First fix: a season whose start is after its end continues over new year. */
export const LOAD_LINE_EDIT = {
  path: 'src/loadLine.js',
  old_text: '  return monthDay >= season.from && monthDay <= season.to;',
  new_text: `  if (season.from <= season.to) return monthDay >= season.from && monthDay <= season.to;
  // The season runs over new year.
  return monthDay >= season.from || monthDay <= season.to;`,
};

/** Second fix: the limit is compared with the item on board. */
export const DECK_PLAN_EDIT = {
  path: 'src/deckPlan.js',
  old_text: '  return metres <= deck.laneMetres && deck.usedTonnes <= deck.limitTonnes;',
  new_text: `  const tonnes = round3(deck.usedTonnes + item.tonnes);
  return metres <= deck.laneMetres && tonnes <= deck.limitTonnes;`,
};

/** The suite that keeps both fixes. */
const REGRESSIONS = {
  path: 'test/regressions.js',
  content: `import { markFor, planDecks, vesselNamed } from '../src/index.js';
import { check, same, suite } from './harness.js';

suite('regressions', () => {
  check('winter holds on both sides of new year', () => {
    same(markFor('inner-sound', '2025-12-31', 84), 'W', 'New Year\\'s Eve');
    same(markFor('inner-sound', '2026-01-01', 84), 'W', 'New Year\\'s Day');
  });

  check('a winter over new year still ends in spring', () => {
    same(markFor('middle-sea', '2026-03-15', 84), 'W', 'last day of winter');
    same(markFor('middle-sea', '2026-03-16', 84), 'S', 'first day after it');
    same(markFor('middle-sea', '2026-12-15', 84), 'S', 'last day before the next');
  });

  check('one kilogram too much stays on the quay', () => {
    const teist = vesselNamed('Teist');
    const load = [
      { ref: 'TST-00001', kind: 'plant', tonnes: 40, lengthMetres: 10 },
      { ref: 'TST-00002', kind: 'plant', tonnes: 30.001, lengthMetres: 10 },
    ];
    const { decks, leftBehind } = planDecks(teist, load);
    same(decks[0].usedTonnes, 40, 'tonnes on deck');
    same(leftBehind.map((item) => item.ref), ['TST-00002'], 'left behind');
  });
});
`,
};

/** The changelog the task asks for. */
const CHANGELOG = {
  path: 'CHANGELOG.md',
  content: `# Changelog

## 2.3.1

- Fixed: seasons that run over new year were never in force, so ships got the summer mark in winter
  (\`isWithin\` in \`src/loadLine.js\`).
- Fixed: a deck took one more item than its weight limit allows (\`hasRoom\` in \`src/deckPlan.js\`).
- Added: regression checks for both in \`test/regressions.js\`.
`,
};

/** First half of the task: from "many checks fail" to two causes, the first of them certain. */
const DIAGNOSIS: readonly ScriptedStep[] = [
  {
    say: `Here is the plan:

1. get an overview and see the checks fail
2. sort the failures by cause
3. fix one cause at a time in \`src/\`, running the tests in between
4. add regression checks and the changelog

The goal goes on the scratchpad first, so that it outlives whatever leaves the window.`,
    calls: [
      {
        name: 'update_scratchpad',
        input: {
          objective:
            'All checks of npm test green: fix causes in src/, existing tests and public API untouched, new regression checks, new CHANGELOG.md.',
          current_step: 'Overview of the project',
        },
      },
    ],
  },
  {
    say: 'Which files are there?',
    calls: [{ name: 'list_files', input: {} }],
    finding:
      'The project is plain JavaScript: src/, test/ with its own runner, a legacy port book, a vendored table printer.',
  },
  {
    say: 'The README should say what the rules are; `package.json` says how the tests are run.',
    calls: [
      { name: 'read_file', input: { path: 'README.md' } },
      { name: 'read_file', input: { path: 'package.json' } },
    ],
    finding:
      'README.md: a deck limit is a limit; the ledger is the truth and must not be recorded again; 2.3 rewrote deckPlan and moved the seasons.',
  },
  {
    say: 'Now the tests. According to the README, their output is long.',
    calls: [{ name: 'run_command', input: { command: 'npm test', timeout_seconds: 120 } }],
    key: 'firstRun',
    expect: '36 passed, 24 failed',
    finding:
      'First run of npm test: 36 passed, 24 failed, in the suites deckPlan, ledger, loadLine and report.',
  },
  {
    say: 'The middle of that output was truncated, and the first failures are in it. I recall only that part.',
    calls: [{ name: 'recall', input: { handle: '@firstRun', offset: 36000, limit: 4500 } }],
    optional: true,
    finding:
      'The deckPlan failures are about weight: decks carry more than their limit (low 114 instead of at most 100).',
  },
  {
    say: 'There seem to be **two kinds** of failure: wrong marks in winter, and too many tonnes on a deck. I note that.',
    calls: [
      {
        name: 'update_scratchpad',
        input: {
          key_facts: [
            'npm test at the start: 36 passed, 24 failed',
            'Kind A: mark S where W, WNA or T is expected (suites loadLine, report, ledger in winter months)',
            'Kind B: decks loaded beyond limitTonnes (suite deckPlan, ledger in months 05, 07, 08, 12)',
            'The ledger must not be recorded again (README)',
          ],
          current_step: 'Kind A: find where the mark is decided',
        },
      },
    ],
  },
  {
    say: 'Before I trust the output, I look at how the runner and the assertions work:',
    calls: [
      { name: 'read_file', input: { path: 'test/run.js' } },
      { name: 'read_file', input: { path: 'test/harness.js' } },
    ],
    finding:
      'test/run.js takes --only with suite names and runs every file in test/, so a new suite needs no registration.',
  },
  {
    say: 'Kind A first. What exactly does the `loadLine` suite expect?',
    calls: [{ name: 'read_file', input: { path: 'test/loadLine.js' } }],
    finding:
      'test/loadLine.js: every zone whose season crosses new year fails; southern-ocean and coral-islands, within one year, pass.',
  },
  {
    say: 'The zones that pass have their season within one year. The ones that fail cross new year. The code:',
    calls: [
      { name: 'read_file', input: { path: 'src/loadLine.js' } },
      { name: 'read_file', input: { path: 'src/zones.js' } },
    ],
    finding:
      'src/loadLine.js: isWithin requires monthDay >= from and <= to, which no day meets when from is after to.',
  },
  {
    say: '`isWithin` joins both ends with *and*; for 11-01 to 03-31 no day can pass. Is the rule implemented anywhere else?',
    calls: [
      {
        name: 'search_text',
        input: { pattern: 'isWithin|isWinterAt|season', glob: '**/*.js' },
      },
    ],
    finding: 'Seasons are also handled in legacy/portbook.js, where release 2.2 had them.',
  },
  {
    say: 'The old port book knows seasons too, and the ledger was recorded while it still decided. I read the whole module once.',
    calls: [{ name: 'read_file', input: { path: 'legacy/portbook.js' } }],
    finding:
      'legacy/portbook.js: nearly 1,500 lines, mostly a table of ports; the functions are at the end.',
  },
  {
    say: 'The table of ports is most of it. The part on seasons is near the end.',
    calls: [
      {
        name: 'read_file',
        input: { path: 'legacy/portbook.js', start_line: 1075, end_line: 1110 },
      },
      {
        name: 'read_file',
        input: { path: 'legacy/portbook.js', start_line: 1310, end_line: 1375 },
      },
    ],
    finding:
      'legacy/portbook.js isWinterAt had the right rule: when start is after end, a day belongs if it is after start or before end.',
  },
  {
    say: 'There it is: `isWinterAt` joins both ends with *or* for a winter that crosses new year. That branch was lost in the move. The suite alone, for its trace before the fix:',
    calls: [
      {
        name: 'run_command',
        input: { command: 'node test/run.js --only loadLine,report', timeout_seconds: 60 },
      },
    ],
    expect: '10 passed, 9 failed',
    finding: 'Suites loadLine and report alone: 10 passed, 9 failed, all of kind A.',
  },
  {
    say: 'Does the ledger agree? It contains the recorded voyages.',
    calls: [{ name: 'read_file', input: { path: 'fixtures/ledger-2025.json' } }],
    finding:
      'fixtures/ledger-2025.json: 120 voyages with bookings and what release 2.2 planned; winter voyages are recorded with W or WNA.',
  },
  {
    say: 'The first voyage, in January, was recorded with **WNA**, so the old rule is correct. How does the suite compare, and how was the ledger made?',
    calls: [
      { name: 'read_file', input: { path: 'test/ledger.js' } },
      { name: 'read_file', input: { path: 'tools/record-ledger.js' } },
    ],
    finding:
      'test/ledger.js compares mark, draughts, tonnes on each deck, items left behind and permission to sail, month by month.',
  },
  {
    say: 'Cause A is certain. I note it before the first edit.',
    calls: [
      {
        name: 'update_scratchpad',
        input: {
          key_facts: [
            'npm test at the start: 36 passed, 24 failed',
            'Cause A: isWithin in src/loadLine.js has no branch for seasons over new year (from > to); isWinterAt in legacy/portbook.js has it',
            'Kind B: decks loaded beyond limitTonnes (suite deckPlan, ledger in months 05, 07, 08, 12)',
            'test/run.js picks up every file in test/; --only takes suite names',
          ],
          decisions: ['Fix A in isWithin itself, so that winter and tropical seasons both gain'],
          current_step: 'Edit src/loadLine.js, then run everything',
        },
      },
    ],
  },
];

/** Second half of the task: both fixes, each followed by a test run, then the regression checks. */
const REPAIR: readonly ScriptedStep[] = [
  {
    say: 'The first fix: a season whose start is after its end crosses new year.',
    calls: [{ name: 'edit_file', input: LOAD_LINE_EDIT }],
    finding: 'Edited src/loadLine.js: isWithin has a branch for seasons over new year.',
  },
  {
    say: 'All tests again. I expect kind A to be gone and kind B to remain.',
    calls: [{ name: 'run_command', input: { command: 'npm test', timeout_seconds: 120 } }],
    expect: '51 passed, 9 failed',
    finding:
      'After the first fix npm test gave 51 passed, 9 failed; only deckPlan and ledger still failed.',
  },
  {
    say: 'From 24 failures to **9**, all about weight. Now kind B.',
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
    say: 'The deck plan and its limits:',
    calls: [
      { name: 'read_file', input: { path: 'src/deckPlan.js' } },
      { name: 'read_file', input: { path: 'src/vessel.js' } },
    ],
    finding:
      'src/deckPlan.js: hasRoom adds the item to the metres but compares the tonnes without it.',
  },
  {
    say: '`hasRoom` adds the item to the *metres*, but not to the *tonnes*. Before I rely on that, I read the checks:',
    calls: [{ name: 'read_file', input: { path: 'test/deckPlan.js' } }],
    finding:
      'test/deckPlan.js: loading to the limit exactly is allowed; what would break it goes to the next deck or stays behind.',
  },
  {
    say: 'A wrong weight could look the same, so I check where weights come from: units, manifest, stability.',
    calls: [
      { name: 'read_file', input: { path: 'src/units.js' } },
      { name: 'read_file', input: { path: 'src/manifest.js' } },
      { name: 'read_file', input: { path: 'src/stability.js' } },
    ],
    finding:
      'src/units.js, src/manifest.js and src/stability.js are correct: weights are converted once and rounded to kilograms.',
  },
  {
    say: 'Those are correct. What else reads the limit?',
    calls: [{ name: 'search_text', input: { pattern: 'limitTonnes', path: 'src' } }],
    finding: 'limitTonnes decides only in hasRoom; report and deckLoad just print it.',
  },
  {
    say: 'One real voyage as a cross-check: `V-250505`, where the ledger puts 20.99 t on the shelter deck and we put none.',
    calls: [
      {
        name: 'read_file',
        input: { path: 'fixtures/ledger-2025.json', start_line: 1245, end_line: 1300 },
      },
    ],
    finding:
      'Ledger voyage V-250505: truck SRK-00349 of 20.99 t belongs on the shelter deck, because main would exceed its 300 t with it.',
  },
  {
    say: 'Truck `SRK-00349` weighs 20.99 t and would bring *main* from 297.2 to 318.2 of 300 t. That is exactly this comparison. The two suites alone:',
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
    say: 'The loading sheet prints these numbers with the vendored table printer. I check that its rounding does not mislead:',
    calls: [
      { name: 'read_file', input: { path: 'src/report.js' } },
      { name: 'read_file', input: { path: 'vendor/gridprint.min.js' } },
    ],
    finding:
      'src/report.js and vendor/gridprint.min.js only format; they decide nothing about weight.',
  },
  {
    say: 'It only formats. The second fix: compare with the item on board, rounded like every other sum.',
    calls: [{ name: 'edit_file', input: DECK_PLAN_EDIT }],
    finding: 'Edited src/deckPlan.js: hasRoom compares the tonnes with the item on board.',
  },
  {
    say: 'All tests again:',
    calls: [{ name: 'run_command', input: { command: 'npm test', timeout_seconds: 120 } }],
    key: 'greenRun',
    expect: '60 passed, 0 failed',
    finding: 'After the second fix npm test gave 60 passed, 0 failed.',
  },
  {
    say: 'Green. The regression checks and the changelog remain.',
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
    say: 'The regression checks should use only the public API. What does it export, and is the first fix as I remember it?',
    calls: [
      { name: 'read_file', input: { path: 'src/index.js' } },
      { name: 'read_file', input: { path: 'src/loadLine.js', start_line: 28, end_line: 50 } },
      { name: 'read_file', input: { path: 'src/voyage.js' } },
    ],
    finding: 'src/index.js exports markFor and planDecks, which is all the regression checks need.',
  },
  {
    say: 'Three checks: around new year, the last day of a winter, and a deck one kilogram below its limit.',
    calls: [{ name: 'create_file', input: REGRESSIONS }],
    finding: 'Created test/regressions.js with three checks over the public API.',
  },
  {
    say: 'The changelog, one line per fix.',
    calls: [{ name: 'create_file', input: CHANGELOG }],
    finding: 'Created CHANGELOG.md with both fixes.',
  },
  {
    say: 'The last run must show the three new checks as well.',
    calls: [{ name: 'run_command', input: { command: 'npm test', timeout_seconds: 120 } }],
    expect: '63 passed, 0 failed',
    finding: 'Last run of npm test: 63 passed, 0 failed.',
  },
  {
    say: 'Done; a last note for later questions.',
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
