import { visiblePath } from '../../contextWindow/visibleText';
import type { ApprovalView } from '../session/state';
import { sessionName, isShownAsItIs } from '../session/turnNotices';

/** Longest command that a notification shows in full, characters. */
const LONGEST_COMMAND = 120;

/** Longest path in a notification, characters. */
const LONGEST_PATH = 60;

const NAMES_FILE: ReadonlySet<ApprovalView['kind']> = new Set([
  'edit',
  'create',
  'delete',
  'memory',
]);

/** The text of a notification about a question, and whether it offers Allow and Deny. */
interface ApprovalNotice {
  readonly message: string;
  readonly mayAnswer: boolean;
}

/**
 * Words a question for a notification. It offers Allow and Deny only if the user sees everything
 * the question is about: a short command in the text, an edit in the diff that opens with it.
 * `elsewhere` is the title of another session, for which no diff opens.
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
  const { kind, title, subject, lasting, unsaved, whyAsked, danger } = view;
  if (kind === 'command') {
    const isWhole = isShownAsItIs(subject) && subject.length <= LONGEST_COMMAND;
    if (!isWhole || whyAsked !== undefined || danger !== undefined) {
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
