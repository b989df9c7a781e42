import type { ScriptedStep } from './demoScript';

/** First half of the task: from "many checks fail" to two causes, the first of them certain. */
export const DIAGNOSIS: readonly ScriptedStep[] = [
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
    say: 'What is there?',
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
    say: 'Now the tests. The README warns that the output is long.',
    calls: [{ name: 'run_command', input: { command: 'npm test', timeout_seconds: 120 } }],
    key: 'firstRun',
    expect: '36 passed, 24 failed',
    finding:
      'First run of npm test: 36 passed, 24 failed, in the suites deckPlan, ledger, loadLine and report.',
  },
  {
    say: 'The middle of that output was left out of the window, and the first failures are in it. I recall just that part.',
    calls: [{ name: 'recall', input: { handle: '@firstRun', offset: 36000, limit: 4500 } }],
    optional: true,
    finding:
      'The deckPlan failures are about weight: decks carry more than their limit (low 114 instead of at most 100).',
  },
  {
    say: 'There seem to be **two kinds** of failure: wrong marks in winter, and too many tonnes on a deck. I keep that.',
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
    say: 'How the runner and the assertions work, before I trust what they print:',
    calls: [
      { name: 'read_file', input: { path: 'test/run.js' } },
      { name: 'read_file', input: { path: 'test/harness.js' } },
    ],
    finding:
      'test/run.js takes --only with suite names and picks up every file in test/, so a new suite needs no registration.',
  },
  {
    say: 'Kind A first. What exactly does the `loadLine` suite want?',
    calls: [{ name: 'read_file', input: { path: 'test/loadLine.js' } }],
    finding:
      'test/loadLine.js: every zone whose season runs over new year fails; southern-ocean and coral-islands, within one year, pass.',
  },
  {
    say: 'The zones that pass have their season inside one year. The ones that fail run over new year. The code:',
    calls: [
      { name: 'read_file', input: { path: 'src/loadLine.js' } },
      { name: 'read_file', input: { path: 'src/zones.js' } },
    ],
    finding:
      'src/loadLine.js: isWithin asks for monthDay >= from and <= to at once, which no day meets when from is after to.',
  },
  {
    say: '`isWithin` joins both ends with *and*; for 11-01 to 03-31 no day can pass. Is the rule written anywhere else?',
    calls: [
      {
        name: 'search_text',
        input: { pattern: 'isWithin|isWinterAt|season', glob: '**/*.js' },
      },
    ],
    finding: 'Seasons are also handled in legacy/portbook.js, where release 2.2 had them.',
  },
  {
    say: 'The old port book knows seasons too, and the ledger was recorded when it still decided. I look at the whole module once.',
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
    say: 'There it is: `isWinterAt` treats a winter over new year with *or*. That branch was lost in the move. The suite alone, to have its trace before the fix:',
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
    say: 'Does the ledger agree? It holds the recorded voyages.',
    calls: [{ name: 'read_file', input: { path: 'fixtures/ledger-2025.json' } }],
    finding:
      'fixtures/ledger-2025.json: 120 voyages with bookings and what release 2.2 planned; winter voyages are recorded with W or WNA.',
  },
  {
    say: 'The first voyage, in January, was recorded with **WNA**, so the old rule is the right one. How the suite compares, and how the ledger was made:',
    calls: [
      { name: 'read_file', input: { path: 'test/ledger.js' } },
      { name: 'read_file', input: { path: 'tools/record-ledger.js' } },
    ],
    finding:
      'test/ledger.js compares mark, draughts, tonnes on each deck, items left behind and permission to sail, month by month.',
  },
  {
    say: 'Cause A is certain. Noting it before the first edit.',
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
