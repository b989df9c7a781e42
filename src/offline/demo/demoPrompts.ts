/** The signature of the demo's answers and summaries, whatever the requested model. */
export const DEMO_AUTHOR = 'the offline demo script';

/** The task the offline demo performs, as the user types it. */
export const DEMO_TASK =
  'Since release 2.3 of this cargo-loading library many checks fail. Find the causes and fix them in src/ without ' +
  'changing the existing tests or the public API. Add regression checks in a new test file, note the fixes in a new ' +
  'CHANGELOG.md, and finish with npm test all green.';

/** A question about the legacy module. */
export const LEGACY_PROMPT =
  'Does legacy/portbook.js have the same season bug, and does anything still depend on it?';

/** A question about extending the code. */
export const NEW_DECK_PROMPT =
  'How would I add a deck type for motorcycles with its own weight limit? Name the places to change.';

/**
 * The second task: everyday work with a mentioned file, a background command, and problems that the
 * editor reports.
 */
export const EVERYDAY_TASK =
  'Some agents now send weights in US short tons. Add the unit "ston", let the error for an unknown unit list the ' +
  'known ones, keep the manifest checks running while you work, and add checks for both.';

/** What the second task asks a sub-agent. */
export const SCOUT_TASK =
  'Who calls toTonnes of src/units.js? Name each file with its lines, checks included. Change nothing.';

/** The follow-up questions the demo knows, in order. */
export const DEMO_FOLLOW_UPS: readonly string[] = [LEGACY_PROMPT, NEW_DECK_PROMPT];
