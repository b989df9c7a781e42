/**
 * Makes every character of an untrusted text visible. A character without a shape of its own
 * becomes a mark in ⟨⟩, such as ⟨ESC⟩, ⟨U+202E⟩ or ⟨200 blank lines⟩. The bracket ⟨ itself is
 * always shown as a mark, so that no text can imitate one, and the exact text can be reconstructed.
 */

/** A piece of a text as shown: plain characters, or a mark. */
interface VisiblePiece {
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
 * Invisible characters that no file name needs: controls, formats (direction, zero width), line
 * separators, unpaired surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Characters that become marks within a line: invisible, empty or unassigned ones; unusual spaces;
 * usual spaces at the end of a line, or more than 40 in a row.
 */
const MARKED =
  / {41,}| +$|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800⟨]|(?! )\p{Zs}/gu;

/** Shows a text of any number of lines; two or more blank lines in a row become one mark. */
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

/** Shows a text of any number of lines as a string, for places where marks cannot be styled. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map(({ shown }) => shown)
    .join('');
}

/** Shows a text in one line; line breaks become marks too. */
export function visibleLine(text: string): string {
  return text.split('\n').map(visibleText).join('⟨LF⟩');
}

/** Shows in one line a text that may contain marks already, although its own ⟨ may imitate one. */
export function visibleAgain(text: string): string {
  return visibleLine(text).replaceAll(markOf('⟨'), '⟨');
}

/** The mark of the first invisible character of a text; undefined for none. */
export function unseenIn(text: string): string | undefined {
  const [found] = UNSEEN.exec(text) ?? [];
  return found === undefined ? undefined : markOf(found);
}

/** The number of lines of a text; a final line break begins no other line. */
export function lineCount(text: string): number {
  const breaks = text.split('\n').length - 1;
  return Math.max(1, text.endsWith('\n') ? breaks : breaks + 1);
}

/**
 * Shows a path in one line, quoted if a character had to be made visible. A path of more than
 * `most` characters is cut in the middle, so that its file name stays visible.
 */
export function visiblePath(path: string, most = Infinity): string {
  const short = cutMiddle(path, most);
  const shown = visibleLine(short);
  return shown === short ? short : `"${shown}"`;
}

/** Shortens a path to `most` characters: first its folders, then the file's name. */
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

/** Appends to the last piece if it is of the same kind. */
function add(pieces: VisiblePiece[], shown: string, isMark: boolean): void {
  if (shown === '') return;
  const last = pieces.at(-1);
  if (last?.isMark !== isMark) pieces.push({ shown, isMark });
  else pieces[pieces.length - 1] = { shown: last.shown + shown, isMark };
}

/** The mark of one character, or of a run of usual spaces. */
function markOf(found: string): string {
  if (found.startsWith(' ')) return found.length === 1 ? '⟨1 space⟩' : `⟨${found.length} spaces⟩`;
  const code = found.codePointAt(0) ?? 0;
  const name = code === DELETE ? 'DEL' : NAMES[code];
  return `⟨${name ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}⟩`;
}
