import type { NewEvent } from '../contextWindow/event';
import { NO_FILE, type FileChange } from '../contextWindow/fileChanges';
import { visibleLine } from '../contextWindow/visibleText';

/** Most files the note names. */
const MOST_NAMED = 40;

/**
 * The note that tells the model which files the user put back as they were. It comes last in the window,
 * so the prompt-cache prefix stands.
 */
export function restoredNote(
  files: readonly FileChange[],
): Extract<NewEvent, { readonly type: 'noteAdded' }> {
  const left = files.length - MOST_NAMED;
  const text = [
    'The user put files back as they were before some of your changes. What you know of these is out of date; read them again before you rely on it:',
    ...files.slice(0, MOST_NAMED).map(({ path, before, after }) => {
      const how =
        after === NO_FILE ? ' (no longer there)' : before === NO_FILE ? ' (there again)' : '';
      return `- ${visibleLine(path)}${how}`;
    }),
    ...(left > 0 ? [`- and ${left} more`] : []),
  ].join('\n');
  return {
    type: 'noteAdded',
    source: { from: 'filesRestored' },
    text,
    admission: { form: 'whole' },
  };
}
