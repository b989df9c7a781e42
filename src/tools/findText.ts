import { withPlainBreaks } from './textLines';

/** One place where a text was found; offsets in the text as it is, lines counted from 1. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** Finds every occurrence, overlapping ones too; only the kind of line break may differ. */
export function findText(text: string, wanted: string): readonly Occurrence[] {
  const plain = withPlainBreaks(text);
  const sought = withPlainBreaks(wanted);
  const offset = offsetsOf(text, plain);
  const found: Occurrence[] = [];
  let line = 1;
  let counted = 0;
  for (let at = plain.indexOf(sought); at !== -1; at = plain.indexOf(sought, at + 1)) {
    for (; counted < at; counted++) if (plain[counted] === '\n') line++;
    found.push({ start: offset(at), end: offset(at + sought.length), line });
  }
  return found;
}

/** Leaves out every occurrence that overlaps the one before it. */
export function withoutOverlaps(found: readonly Occurrence[]): readonly Occurrence[] {
  let end = 0;
  return found.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

/** Translates an offset in the text with plain line breaks to one in the text itself. */
function offsetsOf(text: string, plain: string): (plainOffset: number) => number {
  if (text.length === plain.length) return (plainOffset) => plainOffset;
  const offsets = new Uint32Array(plain.length + 1);
  let at = 0;
  for (let index = 0; index < plain.length; index++) {
    offsets[index] = at;
    at += plain[index] === '\n' && text[at] === '\r' ? 2 : 1;
  }
  offsets[plain.length] = at;
  return (plainOffset) => offsets[plainOffset] ?? text.length;
}
