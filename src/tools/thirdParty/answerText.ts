import type { Media, ToolOutput } from '../../agent/tool';
import { succeeded } from '../defineTool';
import { mediaIn } from '../media';

/** Most pictures of one answer. */
const MOST_PICTURES = 5;

/** Longest text that is kept of one answer, characters; the window admits less of it. */
const LONGEST_TEXT = 1_000_000;

/**
 * Makes a result of what a tool of others answers: texts as they are, pictures as pictures, other data
 * as text where they are text, else by their kind and size. The editor names the parts by classes of
 * its own; here only their members count.
 */
export function outputOf(parts: readonly unknown[]): ToolOutput {
  const pictures: Media[] = [];
  const texts = parts.map((part): string => {
    const data = dataOf(part);
    if (data === undefined) return textOf(part);
    const { bytes, mimeType } = data;
    // By its bytes: the API refuses each request with one that is no picture of the kind it is called.
    const read = mimeType.startsWith('image/') ? mediaIn(bytes, 'The picture') : undefined;
    if (read?.ok === true && read.media.type === 'image') {
      const { mediaType } = read.media;
      if (pictures.length === MOST_PICTURES) return `[a further picture, ${mediaType}]`;
      pictures.push(read.media);
      return `[${mediaType}, shown behind this text]`;
    }
    return /^text\/|[/+](?:json|xml)\b/.test(mimeType)
      ? Buffer.from(bytes).toString('utf8')
      : `[${mimeType}, ${bytes.length.toLocaleString('en-US')} bytes: not shown]`;
  });
  const text = texts.join('\n').toWellFormed();
  const output = succeeded(bounded(text.trim() === '' ? 'The tool answered nothing.' : text));
  return pictures.length === 0 ? output : { ...output, attachments: pictures };
}

function bounded(text: string): string {
  return text.length <= LONGEST_TEXT
    ? text
    : `${text.slice(0, LONGEST_TEXT)}\n[The rest was left out: the answer has ${text.length.toLocaleString('en-US')} characters.]`;
}

function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null) return String(part);
  if ('value' in part) {
    const { value } = part;
    return typeof value === 'string' ? value : textOfTree(value);
  }
  return JSON.stringify(part) ?? '';
}

/** The texts of an answer that was made with `@vscode/prompt-tsx`: a tree whose leaves have them. */
function textOfTree(value: unknown): string {
  const texts: string[] = [];
  const walk = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > 200) return;
    const { text, children, node: root } = node as Readonly<Record<string, unknown>>;
    if (typeof text === 'string') texts.push(text);
    if (root !== undefined) walk(root, depth + 1);
    if (Array.isArray(children)) for (const child of children) walk(child, depth + 1);
  };
  walk(value, 0);
  return texts.length > 0 ? texts.join('') : (JSON.stringify(value) ?? '');
}

function dataOf(
  part: unknown,
): { readonly bytes: Uint8Array; readonly mimeType: string } | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const { data, mimeType } = part as Readonly<Record<string, unknown>>;
  return data instanceof Uint8Array && typeof mimeType === 'string'
    ? { bytes: data, mimeType }
    : undefined;
}
