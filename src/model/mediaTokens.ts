import { GIF } from 'image-size/types/gif';
import type { IImage } from 'image-size/types/interface';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { initialFactor, tokenizerGeneration } from './calibration';
import { guessRawTokens } from './heuristic';
import { isPdf, pdfPages } from './pdfPages';

/** What a model can see of one image. */
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

/** Stands for the newest models, which make the most tokens of an image and of a text. */
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

/** One reader for each kind of image the API takes; data of any other kind is not looked at. */
const READERS: ReadonlyMap<string, IImage> = new Map([
  ['image/png', PNG],
  ['image/jpeg', JPG],
  ['image/gif', GIF],
  ['image/webp', WEBP],
]);

/** Reads the size of an image; undefined where the bytes do not match the media type. */
function imageSize(data: string, mediaType: string): PixelSize | undefined {
  const reader = READERS.get(mediaType);
  if (reader === undefined) return undefined;
  // A copy, because in a buffer from Node's pool a reader would go on into other data.
  const header = new Uint8Array(
    Buffer.from(data.slice(0, Math.ceil(HEADER_BYTES / 3) * 4), 'base64'),
  );
  try {
    if (!reader.validate(header)) return undefined;
    const { width, height } = reader.calculate(header);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    // Readers throw on images that are cut off or broken.
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
