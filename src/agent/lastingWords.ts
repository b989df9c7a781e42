import type { LastingChange } from '../contextWindow/lasting';
import { visiblePath } from '../contextWindow/visibleText';

const HOW = { made: 'new', changed: 'changed', gone: 'gone' } as const;

/** Most files that are named. */
const MOST_NAMED = 12;

/** Says what a command did to files that outlast the session, in a sentence for user and model. */
export function lastingText(changes: readonly LastingChange[]): string {
  const named = changes
    .slice(0, MOST_NAMED)
    .map(({ path, how }) => `${visiblePath(path)} (${HOW[how]})`);
  const left = changes.length - named.length;
  const more = left > 0 ? ` and ${left} more` : '';
  return `The command changed what outlasts the session: ${named.join(', ')}${more}.`;
}
