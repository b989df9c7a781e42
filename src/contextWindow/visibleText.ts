/**
 * Makes every character of an untrusted text visible, so that what is drawn is what is there. What
 * has no shape of its own becomes a mark in ⟨⟩, such as ⟨ESC⟩, ⟨U+202E⟩ or ⟨200 blank lines⟩. The
 * bracket ⟨ itself is always drawn as a mark. So no text can pose as a mark, and what is drawn leads
 * back to the exact text.
 */

/** A part of a text as it is drawn: characters as they are, or marks. */
export interface VisiblePiece {
  readonly shown: string;
  readonly isMark: boolean;
}

/** Names of the control characters U+0000 to U+001F. */
const NAMES = (
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI ' +
  'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'
).split(' ');
const DELETE = 0x7f;

/**
 * Characters that no name of a file needs and that nobody sees: controls, formats (of direction, of
 * no width), separators of lines, halves of a pair.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * What is drawn as a mark within a line: what is unseen, empty, or known to no font; spaces that are
 * not the usual one; usual ones at the end of a line, or more than 40 of them.
 */
const MARKED =
  / {41,}| +$|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800⟨]|(?! )\p{Zs}/gu;

const MARK = /⟨(?:U\+([0-9A-F]{4,6})|([A-Z]+[1-4]?)|(\d+) (spaces?|blank lines))⟩/g;

/** Draws a text of any number of lines; two or more blank lines in a row are one mark. */
export function visiblePieces(text: string): readonly VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    if (at > 0) add(pieces, '\n', false);
    let end = at;
    while (lines[end] === '') end += 1;
    if (end - at >= 2) {
      add(pieces, `⟨${end - at} blank lines⟩`, true);
      at = end - 1;
    } else {
      addLine(pieces, lines[at] ?? '');
    }
  }
  return pieces;
}

/** Draws a text of any number of lines, for where a mark has no look of its own. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map(({ shown }) => shown)
    .join('');
}

/** Draws a text in one line: line breaks are marks, too. */
export function visibleLine(text: string): string {
  return text.split('\n').map(visibleText).join('⟨LF⟩');
}

/** Draws in one line a text that may have marks already, and whose own ⟨ may pose as one. */
export function visibleAgain(text: string): string {
  return visibleLine(text).replaceAll(markOf('⟨'), '⟨');
}

/** The text that was drawn by `visibleText` or `visibleLine`. */
export function textOfVisible(shown: string): string {
  return shown.replace(MARK, (_, code?: string, name?: string, count = '0', what = '') => {
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    if (name !== undefined) return String.fromCodePoint(codeOf(name));
    return what === 'blank lines' ? '\n'.repeat(Number(count) - 1) : ' '.repeat(Number(count));
  });
}

/** The first character of a text that nobody can see, as its mark; undefined if there is none. */
export function unseenIn(text: string): string | undefined {
  const [found] = UNSEEN.exec(text) ?? [];
  return found === undefined ? undefined : markOf(found);
}

/** How many lines a text has; a line break at its end begins none. */
export function lineCount(text: string): number {
  const breaks = text.split('\n').length - 1;
  return Math.max(1, text.endsWith('\n') ? breaks : breaks + 1);
}

/**
 * Draws a path in one line, in quotes where a character of it had to be made visible. A path of
 * more than `most` characters is cut in the middle, so that its file stays in sight.
 */
export function visiblePath(path: string, most = Infinity): string {
  const short = cutMiddle(path, most);
  const shown = visibleLine(short);
  return shown === short ? short : `"${shown}"`;
}

/** Cuts a path down to `most` characters: from its folders first, then from the file's name. */
function cutMiddle(path: string, most: number): string {
  const characters = [...path];
  if (characters.length <= most) return path;
  const file = characters.length - characters.lastIndexOf('/');
  const end = Math.min(file, Math.ceil(most * 0.7));
  return [...characters.slice(0, most - 1 - end), '…', ...characters.slice(-end)].join('');
}

function addLine(pieces: VisiblePiece[], line: string): void {
  let from = 0;
  for (const { 0: found, index } of line.matchAll(MARKED)) {
    add(pieces, line.slice(from, index), false);
    add(pieces, markOf(found), true);
    from = index + found.length;
  }
  add(pieces, line.slice(from), false);
}

/** Adds to the last piece if that is of the same sort. */
function add(pieces: VisiblePiece[], shown: string, isMark: boolean): void {
  if (shown === '') return;
  const last = pieces.at(-1);
  if (last?.isMark !== isMark) pieces.push({ shown, isMark });
  else pieces[pieces.length - 1] = { shown: last.shown + shown, isMark };
}

/** The mark of one character, or of usual spaces. */
function markOf(found: string): string {
  if (found.startsWith(' ')) return found.length === 1 ? '⟨1 space⟩' : `⟨${found.length} spaces⟩`;
  const code = found.codePointAt(0) ?? 0;
  const name = code === DELETE ? 'DEL' : NAMES[code];
  return `⟨${name ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}⟩`;
}

function codeOf(name: string): number {
  return name === 'DEL' ? DELETE : NAMES.indexOf(name);
}
