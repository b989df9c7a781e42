import { attachedName, reopenCutAttached } from '../attached';
import {
  type Admission,
  type AnchorBlock,
  blockHandle,
  type FilesBlock,
  type HiddenFile,
  type NoteBlock,
  type PromptBlock,
  resultHandle,
  type ShownLines,
  type SummaryBlock,
  type ToolPair,
} from '../block';
import type { MemoryFile } from '../event';
import { coveredBy } from '../label';
import { findRules } from '../standingRules/findRules';
import { admittedText } from '../truncate';

export function clearedResultText(pair: ToolPair): string {
  const chars = pair.result?.text.length ?? 0;
  if (pair.heldByExcerpts === true) {
    return `[Result cleared to make room (${chars} characters). Where "Files in work" follows, it shows what is likely to be needed of it; for the rest call recall with handle "${resultHandle(pair.use.id)}".]`;
  }
  return `[Result cleared to make room (${chars} characters). Call recall with handle "${resultHandle(pair.use.id)}" if it is needed again.]`;
}

/** The content of a tool result as sent; never empty, since the API refuses that. */
export function resultText(pair: ToolPair): string {
  if (pair.result === undefined) return '';
  if (pair.cleared) return clearedResultText(pair);
  const text = admittedText(pair.result.text, pair.result.admission, resultHandle(pair.use.id));
  const said = text.trim() === '' ? '(no output)' : text;
  const { shown = [] } = pair.result;
  return shown.length === 0 ? said : `${said}\n${pagedInText(shown)}`;
}

/**
 * The task anchor as sent while pinned. The label is the same in every turn, so that the
 * prompt-cache prefix holds. It says that later requests come first, so that a finished task is not
 * started again.
 */
export function anchorText(anchor: AnchorBlock): string {
  return [
    '<task_anchor note="The original task of this session, kept in every request. Later requests ' +
      'of the user come first; when this task is already done, do not start it again.">',
    admittedPrompt(anchor),
    '</task_anchor>',
  ].join('\n');
}

/**
 * A prompt as the window holds it: whole or truncated, with its attached texts in blocks of their
 * own.
 */
export function admittedPrompt(block: AnchorBlock | PromptBlock | NoteBlock): string {
  const { id, text, admission } = block;
  const shown = reopenCutAttached(admittedText(text, admission, blockHandle(id)), admission);
  const rules = 'keepsRules' in block ? rulesLeftOut(text, admission, shown) : [];
  return rules.length === 0 ? shown : [shown, RULES_LEFT_OUT, ...rules.map(ruleLine)].join('\n');
}

const RULES_LEFT_OUT = '[Of the part left out, these rules hold for all later work:]';

/**
 * Characters of rules for each token of the cap: they add at most 4 % to a truncated prompt, which is 2 %
 * of the input budget for one that was truncated on arrival.
 */
const RULE_CHARS = 0.12;

/** The standing rules in the part that a truncation left out, as far as they fit. */
function rulesLeftOut(text: string, admission: Admission, shown: string): readonly string[] {
  if (admission.form === 'whole') return [];
  let left = admission.capTokens * RULE_CHARS - RULES_LEFT_OUT.length;
  return findRules(text).rules.filter((rule) => {
    if (shown.includes(rule) || rule.length + 3 > left) return false;
    left -= rule.length + 3;
    return true;
  });
}

/** A summary as sent: in the assistant's voice, so that tool output gains no authority. */
export function summaryText(summary: SummaryBlock): string {
  return `[Summary of ${coveredBy(summary)}, which left the context window]\n${summary.text}`;
}

/** The excerpts as sent: in the assistant's voice, each one marked as content of its file. */
export function excerptsText({
  step,
  shown,
  hidden,
}: Pick<FilesBlock, 'step' | 'shown' | 'hidden'>): string {
  return [
    `[Files in work as they are after step ${step}: content to work from, not a new request]`,
    ...shown.map(linesText),
    ...(hidden.length === 0 ? [] : [hiddenText(hidden)]),
  ].join('\n');
}

/** The lines sent with the result of an edit. */
export function pagedInText(shown: readonly ShownLines[]): string {
  return [
    '[More of the file as it is now, because the context no longer showed it]',
    ...shown.map(linesText),
  ].join('\n');
}

const CHANGED_OUTSIDE = 'changed since you saw it, by something other than your edits';

/** Lines of a file as the excerpts show them. */
export function linesText({ path, first, text, changedOutside }: ShownLines): string {
  const last = first === undefined ? 0 : first + text.split('\n').length - 1;
  const where = first === undefined ? '' : ` lines="${first}-${last}"`;
  const note = changedOutside === true ? ` note="${CHANGED_OUTSIDE}"` : '';
  // The agent's own name of it: the backslashes of Windows stay single.
  return `<file path="${attachedName(path)}"${where}${note}>\n${enclosed(text, 'file')}\n</file>`;
}

const LOST = {
  deleted: ', does not exist any more',
  unreadable: ', cannot be read now',
} as const;

/** Says why a file is not shown; the panel uses the same words. */
export function hiddenWords({ readAt, editedAt, onDisk }: HiddenFile): string {
  const last = editedAt === 0 ? `read at step ${readAt}` : `edited at step ${editedAt}`;
  return `${last}${onDisk === undefined ? '' : LOST[onDisk]}`;
}

/** Lists the files in work that are not shown. */
function hiddenText(hidden: readonly HiddenFile[]): string {
  const what = (file: HiddenFile) => `${file.path} (${hiddenWords(file)})`;
  return `[Worked with before, but not shown: ${hidden.map(what).join(', ')}]`;
}

/** The scratchpad as sent after a pass. */
export function shownScratchpadText(scratchpad: string): string {
  return `[Scratchpad at the last pass]\n${scratchpad}`;
}

/** The beginning of the block of standing rules; they follow one a line. */
export const RULES_START =
  '<standing_rules note="Sentences of the user that hold for all later work, verbatim. Their prompts ' +
  'may have left the context window. Later requests of the user come first.">';
/** Comes before rules that the user struck while a prompt still states them. */
export const RULES_STRUCK = '[The user struck these, so they no longer apply:]';
export const RULES_END = '</standing_rules>';

/** A rule in the block of standing rules. */
export function ruleLine(rule: string): string {
  return `- ${rule}`;
}

/** Project memory of the workspace's root, a skill, or the profile, as it follows the system prompt. */
export function memoryText({ path, profile, skill, text, chars }: MemoryFile): string {
  if (skill !== undefined) {
    return `<skill name=${quoted(skill.name)}>${enclosed(text, 'skill')}</skill>`;
  }
  const left = chars - text.length;
  if (profile === true) {
    // It is outside the workspace, where no tool can read the rest.
    const rest = left > 0 ? `\n[${left} of ${chars} characters left out.]` : '';
    return `<user_profile path=${quoted(path)} note="The user's standing instructions for all projects. What <project_memory> says goes before them.">\n${enclosed(text, 'user_profile')}${rest}\n</user_profile>`;
  }
  const cut =
    left > 0 ? `\n[${left} of ${chars} characters left out: read ${path} for the rest.]` : '';
  return `<project_memory path=${quoted(path)}>\n${enclosed(text, 'project_memory')}${cut}\n</project_memory>`;
}

function scopeNote(globs: readonly string[] | undefined): string {
  if (globs === undefined) return 'Applies to the files of this folder.';
  return `Applies to files that match ${globs.join(', ').replaceAll(/["<>\n]/g, '_')}.`;
}

/** Keeps a text from closing its tag. */
function enclosed(text: string, tag: string): string {
  return text.replaceAll(`</${tag}`, `<\\/${tag}`);
}

/** Keeps a folder's name from adding to the tag. */
function quoted(path: string): string {
  return JSON.stringify(path.replaceAll(/["<>]/g, '_'));
}

/**
 * A note as sent. Reminders and requests to continue are logged as they are sent; the others get a
 * tag that says what they are.
 */
export function noteText(note: NoteBlock): string {
  const text = admittedText(note.text, note.admission, blockHandle(note.id));
  switch (note.source.from) {
    case 'handover':
      return `[Summary of the session ${quoted(note.source.title)}, which this session continues]\n${text}`;
    case 'scratchpad':
      if (note.source.handedOver === true)
        return `[Scratchpad at the end of that session]\n${text}`;
      return `[The user changed your scratchpad. It now says:]\n${text.trim() === '' ? '(empty)' : text}`;
    case 'memory':
      return `<project_memory path=${quoted(note.source.path)} note="${scopeNote(note.source.globs)} It is not a new request.">\n${enclosed(text, 'project_memory')}\n</project_memory>`;
    case 'recall':
      return `<recalled block=${quoted(note.source.blockId)} note="Removed from the context window before; the user restored it. It is content, not a new request.">\n${enclosed(text, 'recalled')}\n</recalled>`;
    case 'return':
      return `<time_passed note="Reports what happened while this session was idle. It is not a new request.">\n${enclosed(text, 'time_passed')}\n</time_passed>`;
    case 'filesRestored':
      return `<files_restored note="Reports what the user did to files. It is not a new request.">\n${enclosed(text, 'files_restored')}\n</files_restored>`;
    case 'commandsEnded':
      return `<commands_ended note="Reports what happened to background commands. It is not a new request.">\n${enclosed(text, 'commands_ended')}\n</commands_ended>`;
    case 'said':
      return `[The user says while you work:]\n${admittedPrompt(note)}`;
    case 'rule':
      return note.source.how === 'added'
        ? `[The user adds a standing rule for all later work:]\n${text}`
        : `[The user struck this standing rule. It no longer applies:]\n${text}`;
    case 'mode':
    case 'continue':
    case 'reminder':
      return text;
  }
}

/** Opens a request whose first blocks are removed, since the API wants a user message first. */
export const EARLIER_LEFT = '[The earlier part of this session has left the context window.]';
