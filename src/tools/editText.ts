import { findText, withoutOverlaps, type Occurrence } from './findText';
import { nearMiss } from './nearMiss';
import { mainLineBreak, withPlainBreaks } from './textLines';

/** An exact replacement, as the model asks for it. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type EditResult =
  /** `lines` are those the replacements begin on, in the text before, counted from 1. */
  | { readonly ok: true; readonly after: string; readonly lines: readonly number[] }
  | { readonly ok: false; readonly message: string };

/** Replaces a text that occurs exactly once, or everywhere on demand; explains why it cannot. */
export function editText(text: string, { oldText, newText, replaceAll }: Replacement): EditResult {
  if (oldText === '') {
    return refuse(
      'old_text is empty: give the text to replace, or use create_file for a new file.',
    );
  }
  if (withPlainBreaks(oldText) === withPlainBreaks(newText)) {
    return refuse('old_text and new_text are the same.');
  }
  const found = findText(text, oldText);
  if (found.length === 0)
    return refuse(`old_text was not found. ${nearMiss(text, oldText, newText)}`);
  if (found.length > 1 && !replaceAll) {
    return refuse(
      `old_text occurs ${found.length} times, on lines ${someLines(found)}. ` +
        'Add lines around it until it is unique, or set replace_all.',
    );
  }
  const places = withoutOverlaps(found);
  const lineBreak = mainLineBreak(text);
  let after = '';
  let done = 0;
  for (const { start, end } of places) {
    after += text.slice(done, start) + withBreaksOf(text.slice(start, end), newText, lineBreak);
    done = end;
  }
  return { ok: true, after: after + text.slice(done), lines: places.map(({ line }) => line) };
}

/** Gives the new text the line breaks of what it replaces, or else those of the file. */
function withBreaksOf(replaced: string, newText: string, ofFile: '\n' | '\r\n'): string {
  const windows = replaced.includes('\n') ? replaced.includes('\r\n') : ofFile === '\r\n';
  return windows ? withPlainBreaks(newText).replaceAll('\n', '\r\n') : newText;
}

function someLines(found: readonly Occurrence[]): string {
  const lines = found.slice(0, 10).map(({ line }) => String(line));
  const left = found.length - lines.length;
  return left > 0 ? `${lines.join(', ')} and ${left} more` : lines.join(', ');
}

function refuse(message: string): EditResult {
  return { ok: false, message };
}
