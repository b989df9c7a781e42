import { visibleLine, visiblePath } from '../../contextWindow/visibleText';
import type { ApprovalView } from './state';

/** Longest command that a notification shows whole, characters. */
const LONGEST_COMMAND = 120;

/** Longest path in a notification, characters. */
const LONGEST_PATH = 60;

const NAMES_FILE: ReadonlySet<ApprovalView['kind']> = new Set([
  'edit',
  'create',
  'delete',
  'memory',
]);

/** What a notification says of a question, and whether yes and no may be said there. */
export interface ApprovalNotice {
  readonly message: string;
  readonly mayAnswer: boolean;
}

/** Names a session in a notification; what VS Code would not show as it is, is left out. */
export function sessionName(title: string): string {
  return isShownAsItIs(title) ? `“${title}”` : 'another session';
}

/**
 * Puts a question into a notification. It can be answered there where all of what is asked about is in
 * sight: a short command in the text, an edit in the diff that opens with the question. `elsewhere` is the
 * title of a session that is not shown: no diff opens there.
 */
export function approvalNotice(view: ApprovalView, elsewhere?: string): ApprovalNotice {
  const { message, mayAnswer } = noticeOf(view);
  if (elsewhere === undefined) return { message, mayAnswer };
  return {
    message: `${message} (${sessionName(elsewhere)})`,
    mayAnswer: mayAnswer && view.kind === 'command',
  };
}

function noticeOf(view: ApprovalView): ApprovalNotice {
  const { kind, title, subject, lasting, unsaved, whyAsked } = view;
  if (kind === 'command') {
    const isWhole = isShownAsItIs(subject) && subject.length <= LONGEST_COMMAND;
    if (!isWhole || whyAsked !== undefined) {
      return { message: `Plimsoll asks: ${title}?`, mayAnswer: false };
    }
    return { message: `Plimsoll asks: ${title}? ${subject}`, mayAnswer: true };
  }
  if (!NAMES_FILE.has(kind)) return { message: `Plimsoll asks: ${title}`, mayAnswer: false };
  const path = visiblePath(subject, LONGEST_PATH);
  const name = isShownAsItIs(path) ? ` ${path}` : '';
  const hasDiff = kind === 'edit' || kind === 'create';
  const isPlain = hasDiff && lasting === undefined && unsaved === undefined;
  return { message: `Plimsoll asks: ${title}${name}?`, mayAnswer: isPlain && name !== '' };
}

/** VS Code makes links of what has the form of one in Markdown, and joins lines and spaces. */
function isShownAsItIs(text: string): boolean {
  return visibleLine(text) === text && !/[[\]\n]|\s{2}/.test(text);
}
