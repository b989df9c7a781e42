import type { Admission } from './block';

/** Estimates the tokens of a text; a parameter, so that the core needs no tokenizer. */
export interface Estimate {
  (text: string): number;
  /**
   * A new object whenever any text may get a different number; results are remembered by it. If
   * absent, nothing may be remembered.
   */
  readonly generation?: object;
  /** Says whether a text was tokenized; absent if no tokenizing would change an estimate. */
  readonly isCounted?: (text: string) => boolean;
}

/** After this many tries head and tail are simply halved. */
const TRIES = 6;

const WHOLE: Admission = { form: 'whole' };

/** Decides how a text enters the window: whole, or as head and tail within the cap (tokens). */
export function admit(
  text: string,
  capTokens: number,
  estimate: Estimate,
  handle: string,
): Admission {
  const tokensBefore = estimate(text);
  if (tokensBefore <= capTokens) return WHOLE;
  let keep = Math.floor((text.length * capTokens) / tokensBefore);
  for (let tries = 0; ; tries++) {
    const admission: Admission = {
      form: 'truncated',
      headChars: headEnd(text, Math.floor(keep * 0.6)),
      tailChars: text.length - tailStart(text, text.length - Math.floor(keep * 0.4)),
      tokensBefore,
      tokensAfter: 0,
      capTokens,
    };
    const tokensAfter = estimate(admittedText(text, admission, handle));
    if (tokensAfter <= capTokens) return { ...admission, tokensAfter };
    // Even the mark alone exceeds the cap. The text itself is better unless the mark is smaller.
    if (keep < 1) return tokensAfter < tokensBefore ? { ...admission, tokensAfter } : WHOLE;
    const shrunk = Math.floor((keep * capTokens * 0.97) / tokensAfter);
    keep = tries < TRIES ? Math.min(shrunk, keep - 1) : Math.floor(keep / 2);
  }
}

/** The text as the window holds it: whole, or head, a visible mark with the way back, and tail. */
export function admittedText(text: string, admission: Admission, handle: string): string {
  if (admission.form === 'whole') return text;
  const { headChars, tailChars } = admission;
  const left = text.length - headChars - tailChars;
  const mark =
    `[Plimsoll left out ${left} of ${text.length} characters here to keep this text within ` +
    `${admission.capTokens} tokens. Nothing is lost: call recall with handle "${handle}" and an ` +
    `offset from ${headChars} to read more.]`;
  const head = text.slice(0, headChars);
  const tail = text.slice(text.length - tailChars);
  return [head, mark, tail].filter((piece) => piece !== '').join('\n');
}

/** Ends the head at a nearby line break, and never inside a surrogate pair. */
function headEnd(text: string, wanted: number): number {
  const lineBreak = text.lastIndexOf('\n', wanted);
  if (lineBreak > wanted * 0.8) return lineBreak;
  return splitsPair(text, wanted) ? wanted - 1 : wanted;
}

function tailStart(text: string, wanted: number): number {
  const lineBreak = text.indexOf('\n', wanted);
  if (lineBreak !== -1 && lineBreak < wanted + (text.length - wanted) * 0.2) return lineBreak + 1;
  return splitsPair(text, wanted) ? wanted + 1 : wanted;
}

function splitsPair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
