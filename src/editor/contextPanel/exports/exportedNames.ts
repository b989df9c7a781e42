import type { SessionReport } from '../../../replay/inspectSession';

// The command line uses the panel's names for the same things.
export { ACTION_NAMES, CATEGORY_NAMES, TRIGGER_NAMES } from '../shownNames';

/** Where the window has a standing rule. */
export const RULE_PLACES: Readonly<Record<SessionReport['rules'][number]['place'], string>> = {
  prompt: 'in its prompt',
  note: 'added by the user',
  memory: 'in project memory',
  block: 'in the rules block',
  omitted: 'does not fit',
  struck: 'struck by the user',
  off: 'not kept',
  lost: 'not in the window',
};
