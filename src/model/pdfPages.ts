import { inflateSync } from 'node:zlib';

/**
 * If the pages of a PDF cannot be counted, a page is assumed to have this many bytes, the size of a
 * plain one.
 */
const BYTES_OF_PAGE = 10_000;

/** Most pages the API takes in one request (platform.claude.com/docs/en/build-with-claude/pdf-support). */
const MOST_PAGES = 600;

/**
 * A compressed list of objects is read up to this length, and so are all of them together, since
 * one may be a bomb.
 */
const LONGEST_LIST_BYTES = 4_000_000;
const MOST_LISTED_BYTES = 64_000_000;

const PAGE_OBJECT = /\/Type\s*\/Page(?![A-Za-z])/g;
const LINEARIZED = /\/Linearized\b[^>]*?\/N\s+(\d+)/;
const OBJECT_LIST = /\/Type\s*\/ObjStm\b/g;

/** Says whether a document is a PDF; readers accept its mark anywhere in the first kilobyte. */
export function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1024).includes('%PDF-');
}

/**
 * Counts the pages of a PDF: by the number a linearized one begins with, else by its page objects,
 * which since PDF 1.5 may stand in compressed lists (ISO 32000-1, 7.5.7 and annex F). If neither
 * can be read, as in an encrypted file, the pages are guessed from the size. At least 1, at most
 * what the API takes.
 */
export function pdfPages(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  const stated = Number(LINEARIZED.exec(text.slice(0, 2_048))?.[1] ?? 0);
  const pages = stated > 0 ? stated : pageObjects(text) + listedPageObjects(bytes, text);
  const counted = pages > 0 ? pages : Math.ceil(bytes.length / BYTES_OF_PAGE);
  return Math.min(MOST_PAGES, Math.max(1, counted));
}

function pageObjects(text: string): number {
  return text.match(PAGE_OBJECT)?.length ?? 0;
}

function listedPageObjects(bytes: Buffer, text: string): number {
  let pages = 0;
  let left = MOST_LISTED_BYTES;
  for (const { index } of text.matchAll(OBJECT_LIST)) {
    const stream = text.indexOf('stream', index);
    const end = text.indexOf('endstream', stream);
    if (stream < 0 || end < 0 || left <= 0) break;
    const list = inflated(bytes.subarray(text.indexOf('\n', stream) + 1, end));
    pages += pageObjects(list ?? '');
    left -= list?.length ?? LONGEST_LIST_BYTES;
  }
  return pages;
}

/** Unpacks a list; undefined when it is encrypted, packed by another filter or too long. */
function inflated(bytes: Buffer): string | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: LONGEST_LIST_BYTES }).toString('latin1');
  } catch {
    return undefined;
  }
}
