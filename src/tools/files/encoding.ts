import { isUtf8 } from 'node:buffer';

/**
 * How a text file is written. A byte order mark is the first character of its text, so it is kept.
 * Latin-1 is read as Windows-1252, which contains it.
 */
type Encoding = 'utf8' | 'utf16le' | 'utf16be' | 'windows1252';

export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

const NAMES = {
  utf8: 'UTF-8',
  utf16le: 'UTF-16',
  utf16be: 'UTF-16',
  windows1252: 'Latin-1',
} as const;

/** Bytes looked at to tell UTF-16 without a byte order mark from a binary file. */
const LOOKED_AT = 512;

/** Control characters that texts have: bell to carriage return, and escape. */
const ESCAPE = 27;

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 && (code < 7 || code > 13) && code !== ESCAPE) return true;
  }
  return false;
}

/** The text of a file and its encoding; undefined for a binary file. */
export function decoded(bytes: Buffer): DecodedText | undefined {
  const encoding = encodingOf(bytes);
  return encoding === undefined ? undefined : { text: decodedAs(bytes, encoding), encoding };
}

/** The bytes of a text; undefined if the encoding lacks one of its characters. */
export function encoded(text: string, encoding: Encoding): Buffer | undefined {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf16le':
      return Buffer.from(text, 'utf16le');
    case 'utf16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'windows1252': {
      const codes = Array.from(text, (character) => CODES.get(character));
      return codes.includes(undefined) ? undefined : Buffer.from(codes.map((code) => code ?? 0));
    }
  }
}

/** Why a text cannot be written in the encoding of its file. */
export function whyNotEncoded(text: string, encoding: Encoding): string {
  const missing = Array.from(text).find((character) => encoded(character, encoding) === undefined);
  return `its encoding is ${NAMES[encoding]}, which has no “${missing ?? ''}”`;
}

function encodingOf(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return wholeUnits(bytes, 'utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return wholeUnits(bytes, 'utf16be');
  if (bytes.includes(0)) return utf16Without(bytes);
  if (isUtf8(bytes)) return 'utf8';
  return hasControl(bytes.toString('latin1')) ? undefined : 'windows1252';
}

function wholeUnits(bytes: Buffer, encoding: Encoding): Encoding | undefined {
  return bytes.length % 2 === 0 ? encoding : undefined;
}

/** UTF-16 without a byte order mark: text of Western languages has every other byte zero. */
function utf16Without(bytes: Buffer): Encoding | undefined {
  const head = bytes.subarray(0, LOOKED_AT);
  const zeros = (first: 0 | 1): number =>
    head.filter((byte, index) => byte === 0 && index % 2 === first).length;
  const [even, odd] = [zeros(0), zeros(1)];
  const encoding = even === 0 ? 'utf16le' : odd === 0 ? 'utf16be' : undefined;
  if (encoding === undefined || (even + odd) * 4 < head.length) return undefined;
  if (bytes.length % 2 !== 0 || hasControl(decodedAs(bytes, encoding))) return undefined;
  return encoding;
}

function decodedAs(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'utf8':
      return bytes.toString('utf8');
    case 'utf16le':
      return bytes.toString('utf16le');
    case 'utf16be':
      return Buffer.from(bytes).swap16().toString('utf16le');
    case 'windows1252':
      return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Each character of Windows-1252 and its byte. */
const CODES = new Map(
  Array.from({ length: 256 }, (_, code) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(code)),
    code,
  ]),
);
