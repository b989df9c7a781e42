import { attachedName, reopenCutAttached } from '../attached';
import {
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
import { admittedText } from '../truncate';

/** Stands in the window for a cleared tool result. */
export function clearedResultText(pair: ToolPair): string {
  const chars = pair.result?.text.length ?? 0;
  if (pair.heldByView === true) {
    return `[Result cleared to make room (${chars} characters). Where "Files in work" follows, it shows what is likely to be needed of it; for the rest call recall with handle "${resultHandle(pair.use.id)}".]`;
  }
  return `[Result cleared to make room (${chars} characters). Call recall with handle "${resultHandle(pair.use.id)}" if it is needed again.]`;
}

/** What the model reads as the content of a tool result; never empty, the API refuses that. */
export function resultText(pair: ToolPair): string {
  if (pair.result === undefined) return '';
  if (pair.cleared) return clearedResultText(pair);
  const text = admittedText(pair.result.text, pair.result.admission, resultHandle(pair.use.id));
  const said = text.trim() === '' ? '(no output)' : text;
  const { shown = [] } = pair.result;
  return shown.length === 0 ? said : `${said}\n${pagedInText(shown)}`;
}

/**
 * The task anchor as it is sent while pinned. The label is the same in every turn, so that the
 * prompt-cache prefix holds, and says that later requests come first, so that a finished task is
 * not begun again.
 */
export function anchorText(anchor: AnchorBlock): string {
  return [
    '<task_anchor note="The original task of this session, kept in every request. Later requests ' +
      'of the user come first; when this task is already done, do not start it again.">',
    admittedPrompt(anchor),
    '</task_anchor>',
  ].join('\n');
}

/** A prompt as the window holds it: whole, or cut, with the texts beside it in blocks of their own. */
export function admittedPrompt({
  id,
  text,
  admission,
}: AnchorBlock | PromptBlock | NoteBlock): string {
  return reopenCutAttached(admittedText(text, admission, blockHandle(id)), admission);
}

/** A summary as it is sent: in the assistant's voice, so that tool output gains no authority. */
export function summaryText(summary: SummaryBlock): string {
  return `[Summary of ${coveredBy(summary)}, which left the context window]\n${summary.text}`;
}

/** What is shown of files as it is sent: in the assistant's voice, each part marked as content of its file. */
export function filesText({
  step,
  shown,
  hidden,
}: Pick<FilesBlock, 'step' | 'shown' | 'hidden'>): string {
  return [
    `[Files in work as they are after step ${step}: content to work from, and no new request]`,
    ...shown.map(linesText),
    ...(hidden.length === 0 ? [] : [hiddenText(hidden)]),
  ].join('\n');
}

/** The lines that come with the answer to an edit. */
export function pagedInText(shown: readonly ShownLines[]): string {
  return [
    '[More of the file as it is now, since the context no longer showed it]',
    ...shown.map(linesText),
  ].join('\n');
}

const CHANGED_OUTSIDE = 'changed since you saw it, by something else than your edits';

/** Some lines of a file as a view shows them. */
export function linesText({ path, first, text, changedOutside }: ShownLines): string {
  const last = first === undefined ? 0 : first + text.split('\n').length - 1;
  const where = first === undefined ? '' : ` lines="${first}-${last}"`;
  const note = changedOutside === true ? ` note="${CHANGED_OUTSIDE}"` : '';
  // As the agent names it in its calls: the backslashes of Windows stay single.
  return `<file path="${attachedName(path)}"${where}${note}>\n${enclosed(text, 'file')}\n</file>`;
}

const LOST = {
  deleted: ', does not exist any more',
  unreadable: ', cannot be read now',
} as const;

/** Says what became of a file that is not shown; the panel says the same. */
export function hiddenWords({ readAt, editedAt, onDisk }: HiddenFile): string {
  const last = editedAt === 0 ? `read at step ${readAt}` : `edited at step ${editedAt}`;
  return `${last}${onDisk === undefined ? '' : LOST[onDisk]}`;
}

/** Names files that were worked with and are not shown. */
function hiddenText(hidden: readonly HiddenFile[]): string {
  const what = (file: HiddenFile) => `${file.path} (${hiddenWords(file)})`;
  return `[Not shown, though worked with before: ${hidden.map(what).join(', ')}]`;
}

/** The scratchpad as it is sent after a pass. */
export function shownScratchpadText(scratchpad: string): string {
  return `[Scratchpad at the last pass]\n${scratchpad}`;
}

/** Project memory of the workspace's root, or the profile, as it stands behind the system prompt. */
export function memoryText({ path, profile, text, chars }: MemoryFile): string {
  const left = chars - text.length;
  if (profile === true) {
    // It lies outside the workspace, where no tool can read the rest.
    const rest = left > 0 ? `\n[${left} of ${chars} characters left out.]` : '';
    return `<user_profile path=${quoted(path)} note="The user's standing instructions for all projects. What <project_memory> says goes before them.">\n${enclosed(text, 'user_profile')}${rest}\n</user_profile>`;
  }
  const cut =
    left > 0 ? `\n[${left} of ${chars} characters left out: read ${path} for the rest.]` : '';
  return `<project_memory path=${quoted(path)}>\n${enclosed(text, 'project_memory')}${cut}\n</project_memory>`;
}

/** Keeps a text from closing the tag it stands in. */
function enclosed(text: string, tag: string): string {
  return text.replaceAll(`</${tag}`, `<\\/${tag}`);
}

/** Keeps the name of a folder from adding to the tag. */
function quoted(path: string): string {
  return JSON.stringify(path.replaceAll(/["<>]/g, '_'));
}

/**
 * A note as it is sent: what the user changed or brought back by hand, the memory of a folder, what
 * another session handed over, what happened while the session was idle, or a reminder or the word to go
 * on, which are logged as they are sent.
 */
export function noteText(note: NoteBlock): string {
  const text = admittedText(note.text, note.admission, blockHandle(note.id));
  switch (note.source.from) {
    case 'handover':
      return `[Summary of the session ${quoted(note.source.title)}, which this session goes on with]\n${text}`;
    case 'scratchpad':
      if (note.source.handedOver === true)
        return `[Scratchpad at the end of that session]\n${text}`;
      return `[The user changed your scratchpad. It now says:]\n${text.trim() === '' ? '(empty)' : text}`;
    case 'memory':
      return `<project_memory path=${quoted(note.source.path)} note="Holds for the files of this folder. It is no new request.">\n${enclosed(text, 'project_memory')}\n</project_memory>`;
    case 'recall':
      return `<recalled block=${quoted(note.source.blockId)} note="Had left the context window; the user brought it back. It is content, and no new request.">\n${enclosed(text, 'recalled')}\n</recalled>`;
    case 'return':
      return `<time_passed note="Tells what happened while this session was idle. It is no new request.">\n${enclosed(text, 'time_passed')}\n</time_passed>`;
    case 'filesRestored':
      return `<files_restored note="Tells what the user did to files. It is no new request.">\n${enclosed(text, 'files_restored')}\n</files_restored>`;
    case 'commandsEnded':
      return `<commands_ended note="Tells what became of commands in the background. It is no new request.">\n${enclosed(text, 'commands_ended')}\n</commands_ended>`;
    case 'said':
      return `[The user says while you work:]\n${admittedPrompt(note)}`;
    case 'goOn':
    case 'reminder':
      return text;
  }
}

/** Opens a request whose first blocks are gone, since the API wants a user message first. */
export const EARLIER_LEFT = '[The earlier part of this session has left the context window.]';
