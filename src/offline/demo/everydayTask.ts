import { EVERYDAY_TASK, SCOUT_TASK } from './demoPrompts';
import type { ScriptedTurn } from './demoScript';

/** The background command: Node runs the checks again whenever one of their files changes. */
const EVERYDAY_WATCH = 'node --watch test/run.js --only manifest --quiet';

/**
 * Two runs of the checks: the user makes a rule of the first, so the second runs without a
 * question.
 */
export const EVERYDAY_CHECKS = [
  'npm test -- --only manifest --quiet',
  'npm test -- --only manifest,units --quiet',
] as const;

/** Adds the unit to the table. */
const TABLE_EDIT = {
  path: 'src/units.js',
  old_text: 'cwt: 0.05080234544 };',
  new_text: 'cwt: 0.05080234544, ston: 0.90718474 };',
};

const OLD_BODY = `/** Converts a weight to tonnes; throws on a unit nobody has agreed on. */
export function toTonnes(value, unit) {
  const factor = TONNES[unit];
  if (factor === undefined) throw new RangeError(\`unknown weight unit "\${unit}"\`);`;

const NEW_BODY = `/** Converts a weight to tonnes; throws on a unit nobody has agreed on. */
export function toTonnes(value, unit) {
  const factor = factorOf(TONNES, unit, 'weight');`;

const UNCLOSED_HELPER = `/** Finds the factor of a unit; throws on an unknown unit and lists the known ones. */
function factorOf(units, unit, kind) {
  const factor = units[unit];
  if (factor === undefined) {
    throw new RangeError(\`unknown \${kind} unit "\${unit}"; known: \${Object.keys(units).join(', ')}\`);
  }
  return factor;`;

/** A deliberate mistake: the helper is not closed, and the editor reports it. */
const SLIP_EDIT = {
  path: 'src/units.js',
  old_text: OLD_BODY,
  new_text: `${UNCLOSED_HELPER}\n\n${NEW_BODY}`,
};

/** Fixes the mistake. */
const MENDING_EDIT = {
  path: 'src/units.js',
  old_text: `  return factor;\n\n${NEW_BODY}`,
  new_text: `  return factor;\n}\n\n${NEW_BODY}`,
};

/** The suite that keeps both. */
const UNITS_SUITE = {
  path: 'test/units.js',
  content: `import { toTonnes } from '../src/units.js';
import { check, same, suite, throws } from './harness.js';

suite('units', () => {
  check('a short ton is 2,000 pounds', () => {
    same(toTonnes(1, 'ston'), 0.907);
    same(toTonnes(10, 'ston'), 9.072);
  });

  check('a refused unit says which ones are known', () => {
    throws(() => toTonnes(1, 'stone'), 'known: t, kg, lb, cwt, ston');
  });
});
`,
};

/**
 * The everyday task: small work with a watcher in the background, a mistake that the editor
 * reports, and checks.
 */
export const EVERYDAY_TURN: ScriptedTurn = {
  prompt: EVERYDAY_TASK,
  keywords: [/\b(ston|short tons?|carry out (the|this) plan)\b/],
  steps: [
    {
      think:
        'Weights are converted by toTonnes in src/units.js; its checks are in the manifest suite. First I read those checks ' +
        'and keep them running in the background, so that a mistake shows immediately.',
      say: 'First I read the existing checks and start a watcher that runs them again after every change.',
      calls: [
        { name: 'read_file', input: { path: 'test/manifest.js', start_line: 1, end_line: 30 } },
        { name: 'run_command', input: { command: EVERYDAY_WATCH, background: true } },
      ],
      key: 'watch',
      finding: 'test/manifest.js checks the weights: the error must name the unknown unit.',
    },
    {
      say: 'One US short ton is 2,000 lb, or 0.90718474 t. I add it to the table.',
      calls: [{ name: 'edit_file', input: TABLE_EDIT }],
      finding: 'src/units.js: ston is in the table of weights.',
    },
    {
      think:
        'The error should list the keys of the table. One helper can do that: factorOf(units, unit, kind). toTonnes ' +
        'calls it instead of its own lookup.',
      say: 'Now the error: a helper finds the factor, or lists the known units.',
      calls: [{ name: 'edit_file', input: SLIP_EDIT }],
      finding: 'src/units.js: factorOf finds a factor or lists the known units.',
    },
    {
      say: 'What do the editor and the watcher report?',
      calls: [
        { name: 'diagnostics', input: { path: 'src/units.js' } },
        { name: 'read_output', input: { handle: '@watch' } },
      ],
      finding: 'The editor reported a missing brace: factorOf was not closed.',
    },
    {
      think:
        'The closing brace of factorOf is missing, so the rest of the file is inside it, where no export may be. The rest ' +
        'of the edit is correct.',
      say: 'My mistake: `factorOf` is not closed. I add the brace.',
      calls: [{ name: 'edit_file', input: MENDING_EDIT }],
      finding: 'src/units.js: factorOf is closed.',
    },
    {
      say: 'Did that fix both?',
      calls: [
        { name: 'diagnostics', input: { path: 'src/units.js' } },
        { name: 'read_output', input: { handle: '@watch' } },
      ],
      finding: 'The editor and the watcher reported no problem in src/units.js.',
    },
    {
      say: 'Now the same checks with `npm test`, as others will run them.',
      calls: [{ name: 'run_command', input: { command: EVERYDAY_CHECKS[0] } }],
      expect: '7 passed, 0 failed',
      finding: 'npm test of the manifest suite: 7 passed, 0 failed.',
    },
    {
      say: 'Now checks for both changes, in a suite of their own.',
      calls: [{ name: 'create_file', input: UNITS_SUITE }],
      finding: 'test/units.js checks the short ton and the text of the error.',
    },
    {
      say: 'Both suites together:',
      calls: [{ name: 'run_command', input: { command: EVERYDAY_CHECKS[1] } }],
      expect: '9 passed, 0 failed',
      finding: 'npm test of the suites manifest and units: 9 passed, 0 failed.',
    },
    {
      say: 'The watcher is no longer needed.',
      calls: [{ name: 'stop_command', input: { handle: '@watch' } }],
      finding: 'The watcher was stopped.',
    },
  ],
  answer: `Weights take **short tons** now: \`10 ston\` is 9.072 t, and **9 checks pass, 0 fail**.

\`\`\`js
// src/units.js
function factorOf(units, unit, kind) {
  const factor = units[unit];
  if (factor === undefined) {
    throw new RangeError(\`unknown \${kind} unit "\${unit}"; known: \${Object.keys(units).join(', ')}\`);
  }
  return factor;
}
\`\`\`

| file | change |
| --- | --- |
| \`src/units.js\` | the unit \`ston\`, and an error that lists the known units |
| \`test/units.js\` | new, two checks |

My first edit lacked a closing brace. The editor and the watcher both reported it, and I fixed it. The watcher is stopped.`,
};

/** The everyday task in plan mode: a skill of the project, and a sub-agent that searches. */
export const EVERYDAY_PLAN_TURN: ScriptedTurn = {
  mode: 'plan',
  prompt: EVERYDAY_TASK,
  keywords: [/\b(ston|short tons?)\b/],
  steps: [
    {
      think:
        'Nothing is changed now. The skill of the project may say where a unit belongs. Who converts weights is a search ' +
        'for a sub-agent: its reading stays out of this window.',
      say: 'First what the project says about units, and a sub-agent that looks up who converts weights.',
      calls: [
        { name: 'skill', input: { name: 'units' } },
        {
          name: 'task',
          input: { title: 'Find who converts weights', prompt: SCOUT_TASK, agent: 'scout' },
        },
      ],
      // A workspace without the skill or the sub-agent's description gets the same plan.
      optional: true,
      finding:
        'Only src/manifest.js converts weights; a unit is one entry of a table and two checks.',
    },
  ],
  answer: `# Short tons, and an error that helps

1. \`src/units.js\`: \`ston\` joins the table of weights, 0.90718474 t.
2. \`src/units.js\`: a helper finds a factor, or names the known units in its error. \`toTonnes\` calls it.
3. \`test/units.js\`, new: a check for each of the two.

The manifest checks run in the background meanwhile. At the end \`npm test -- --only manifest,units\` must pass all nine.

No open question: only \`src/manifest.js\` converts weights, and it passes any unit on.`,
};

/** What the sub-agent of the everyday task does. */
export const SCOUT_TURN: ScriptedTurn = {
  prompt: SCOUT_TASK,
  keywords: [/\bwho calls totonnes\b/],
  steps: [
    {
      say: 'I search for it.',
      calls: [{ name: 'search_text', input: { pattern: 'toTonnes', glob: '**/*.js' } }],
      finding: 'toTonnes is called in src/manifest.js, and checked in test/manifest.js.',
    },
  ],
  answer:
    '`src/manifest.js` line 19 calls `toTonnes`; `test/manifest.js` lines 17 to 20 check it. Nothing else does.',
};
