import { EVERYDAY_TASK } from './demoPrompts';
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

const UNCLOSED_HELPER = `/** Finds the factor of a unit; throws on a unit nobody has agreed on, and says which there are. */
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
  keywords: [/\b(ston|short tons?)\b/],
  steps: [
    {
      think:
        'Weights come through toTonnes in src/units.js; the checks for it are in the manifest suite. First I want to see ' +
        'what these checks hold, and have them run beside the work, so that a slip shows at once.',
      say: 'First the checks that are there, and a watcher that runs them again at every change.',
      calls: [
        { name: 'read_file', input: { path: 'test/manifest.js', start_line: 1, end_line: 30 } },
        { name: 'run_command', input: { command: EVERYDAY_WATCH, background: true } },
      ],
      key: 'watch',
      finding: 'test/manifest.js holds the weights: an unknown unit must be refused by name.',
    },
    {
      say: 'One US short ton is 2,000 lb, 0.90718474 t. It goes into the table.',
      calls: [{ name: 'edit_file', input: TABLE_EDIT }],
      finding: 'src/units.js: ston is in the table of weights.',
    },
    {
      think:
        'The refusal should list the keys of the table. A helper does that once: factorOf(units, unit, kind). toTonnes ' +
        'calls it in place of its own lookup.',
      say: 'Now the refusal: a helper finds the factor, or says which units are known.',
      calls: [{ name: 'edit_file', input: SLIP_EDIT }],
      finding: 'src/units.js: factorOf finds a factor or names the known units.',
    },
    {
      say: 'What do the editor and the watcher say to that?',
      calls: [
        { name: 'diagnostics', input: { path: 'src/units.js' } },
        { name: 'read_output', input: { handle: '@watch' } },
      ],
      finding: 'The editor reported a brace that was missing: factorOf had not been closed.',
    },
    {
      think:
        'A brace is missing at the end of factorOf, so all that follows stands inside it, and an export cannot. The rest ' +
        'of the edit is as it should be.',
      say: 'My slip: `factorOf` is not closed. Its brace goes in.',
      calls: [{ name: 'edit_file', input: MENDING_EDIT }],
      finding: 'src/units.js: factorOf is closed.',
    },
    {
      say: 'Is it gone in both?',
      calls: [
        { name: 'diagnostics', input: { path: 'src/units.js' } },
        { name: 'read_output', input: { handle: '@watch' } },
      ],
      finding: 'The editor and the watcher were content with src/units.js.',
    },
    {
      say: 'The same by `npm test`, as it will be run on the quay.',
      calls: [{ name: 'run_command', input: { command: EVERYDAY_CHECKS[0] } }],
      expect: '7 passed, 0 failed',
      finding: 'npm test of the manifest suite: 7 passed, 0 failed.',
    },
    {
      say: 'Checks for both, in a suite of their own.',
      calls: [{ name: 'create_file', input: UNITS_SUITE }],
      finding: 'test/units.js holds the short ton and the words of a refusal.',
    },
    {
      say: 'With them:',
      calls: [{ name: 'run_command', input: { command: EVERYDAY_CHECKS[1] } }],
      expect: '9 passed, 0 failed',
      finding: 'npm test of the suites manifest and units: 9 passed, 0 failed.',
    },
    {
      say: 'The watcher has done its work.',
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
| \`src/units.js\` | the unit \`ston\`, and a refusal that says which units are known |
| \`test/units.js\` | new, two checks |

My first edit left out a brace; the editor and the watcher both said so, and it is mended. The watcher is stopped.`,
};
