import { inflateSync } from 'node:zlib';
import { GIF } from 'image-size/types/gif';
import type { IImage } from 'image-size/types/interface';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { initialFactor, tokenizerGeneration } from './calibration';
import { guessRawTokens } from './heuristic';

/** How much of one image a model can see. */
interface ImageLimits {
  /** Pixels. */
  readonly longEdge: number;
  readonly tokens: number;
}

/**
 * The API scales larger images down to these limits and keeps the aspect ratio. Source:
 * platform.claude.com/docs/en/build-with-claude/vision (resolution and token cost).
 */
const CLAUDE_4_7_AND_LATER: ImageLimits = { longEdge: 2_576, tokens: 4_784 };
const EARLIER_MODELS: ImageLimits = { longEdge: 1_568, tokens: 1_568 };

/** Edge in pixels of the square that makes one token. */
const PATCH = 28;

/**
 * Bytes that are searched for the size of an image; camera data and a colour profile may come
 * before it. At this length, data made to be slow to read was measured at 0.2 s.
 */
const HEADER_BYTES = 256_000;

/**
 * A page of a PDF is sent as its text, 1,500 to 3,000 tokens, and as an image of about this size.
 */
const TOKENS_OF_PAGE_TEXT = 2_250;
const TOKENS_OF_PAGE_IMAGE = 1_600;

/** The newest models, which use the most tokens for an image and for a text. */
const NEWEST = 'claude';

/**
 * Says how many tokens an image in base64 takes, by the published formula: one for each begun
 * square of 28 x 28 pixels after the API's own down-scaling; never by the length of the data (for a
 * screenshot that is 100 times too high). An image whose size cannot be read counts as the most an
 * image can take.
 *
 * Without a model the number is that of the newest ones, at most 4,784; an older one sees less of a
 * large image, at most 1,568. The older formula, width x height / 750, differs by about 5 %.
 * Source: platform.claude.com/docs/en/build-with-claude/vision.
 */
export function imageTokens(data: string, mediaType: string, model: string = NEWEST): number {
  const limits = tokenizerGeneration(model) === 'claude4' ? EARLIER_MODELS : CLAUDE_4_7_AND_LATER;
  const size = imageSize(data, mediaType);
  return size === undefined ? limits.tokens : tokensSeen(size, limits);
}

/**
 * Says how many tokens a document in base64 takes: a PDF by its pages, text and image of each; any
 * other document is plain text and costs what its text does.
 *
 * Source: platform.claude.com/docs/en/build-with-claude/pdf-support (1,500 to 3,000 tokens of text
 * a page, and each page as an image). Plain pages were measured at 1,600 (scanned) to 2,500 (a
 * table) on the 5.5 models (huggingface.co/datasets/JOHNISKING/pdf-token-cost): the middle is on
 * the safe side.
 */
export function documentTokens(data: string): number {
  const bytes = Buffer.from(data, 'base64');
  if (isPdf(bytes)) return pdfPages(bytes) * (TOKENS_OF_PAGE_TEXT + TOKENS_OF_PAGE_IMAGE);
  return Math.ceil(guessRawTokens(bytes.toString('utf8')) * initialFactor(NEWEST));
}

/** Width and height in pixels. */
interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** A size reader for each image format of the API; other data is ignored. */
const READERS: ReadonlyMap<string, IImage> = new Map([
  ['image/png', PNG],
  ['image/jpeg', JPG],
  ['image/gif', GIF],
  ['image/webp', WEBP],
]);

/** Reads the size of an image; undefined if the bytes do not match the media type. */
function imageSize(data: string, mediaType: string): PixelSize | undefined {
  const reader = READERS.get(mediaType);
  if (reader === undefined) return undefined;
  // A copy: in a buffer from Node's pool, a reader would continue into other data.
  const header = new Uint8Array(
    Buffer.from(data.slice(0, Math.ceil(HEADER_BYTES / 3) * 4), 'base64'),
  );
  try {
    if (!reader.validate(header)) return undefined;
    const { width, height } = reader.calculate(header);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    // Readers throw on truncated or broken images.
    return undefined;
  }
}

/** The tokens of the largest size within the limits that has the image's aspect ratio. */
function tokensSeen(size: PixelSize, limits: ImageLimits): number {
  const long = Math.max(size.width, size.height);
  const ratio = Math.min(size.width, size.height) / long;
  const tokensAt = (edge: number) => patches(edge) * patches(Math.max(1, Math.round(edge * ratio)));
  let fits = 0;
  let tooLong = Math.min(long, limits.longEdge) + 1;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (tokensAt(middle) <= limits.tokens) fits = middle;
    else tooLong = middle;
  }
  return tokensAt(fits);
}

function patches(pixels: number): number {
  return Math.ceil(pixels / PATCH);
}

/**
 * If the pages of a PDF cannot be counted, a page is assumed to have this many bytes, the size of a
 * plain one.
 */
const BYTES_OF_PAGE = 10_000;

/** Maximum pages in one API request (platform.claude.com/docs/en/build-with-claude/pdf-support). */
const MOST_PAGES = 600;

/**
 * Maximum length up to which compressed lists of objects are read, one alone and all together,
 * since one may be a bomb.
 */
const LONGEST_LIST_BYTES = 4_000_000;
const MOST_LISTED_BYTES = 64_000_000;

const PAGE_OBJECT = /\/Type\s*\/Page(?![A-Za-z])/g;
const LINEARIZED = /\/Linearized\b[^>]*?\/N\s+(\d+)/;
const OBJECT_LIST = /\/Type\s*\/ObjStm\b/g;

/** Says whether a document is a PDF; readers accept its mark anywhere in the first kilobyte. */
function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1024).includes('%PDF-');
}

/**
 * Counts the pages of a PDF: by the number at the start of a linearized one, else by its page
 * objects, which since PDF 1.5 may be in compressed lists (ISO 32000-1, 7.5.7 and annex F). If
 * neither can be read, as in an encrypted file, the pages are guessed from the size. At least 1, at
 * most the API's maximum.
 */
function pdfPages(bytes: Buffer): number {
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

/** Unpacks a list; undefined if it is encrypted, uses another filter, or is too long. */
function inflated(bytes: Buffer): string | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: LONGEST_LIST_BYTES }).toString('latin1');
  } catch {
    return undefined;
  }
}
