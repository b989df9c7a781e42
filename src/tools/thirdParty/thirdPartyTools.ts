import { mediaIn } from '../files/media';
import { createHash } from 'node:crypto';
import { holdsSecret } from '../../agent/secrets';
import type { Media, Tool, ToolOutput } from '../../agent/tool';
import { refused } from '../../contextWindow/result';
import { failed, succeeded } from '../defineTool';

import { usableSchema } from './inputSchema';

/** A tool of another extension or of an MCP server, as the editor knows it. */
export interface OfferedTool {
  /** The name that its provider gave it, unique in the editor. */
  readonly name: string;
  /** Who provides it, in words. */
  readonly provider: string;
  readonly description: string;
  /** JSON Schema; absent for a tool that takes nothing. */
  readonly inputSchema?: unknown;
  /** Runs it, and gives the parts of its answer; rejects where it failed. */
  readonly invoke: (
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<readonly unknown[]>;
}

/** A tool of others: as the agent can call it, or why it cannot. */
export type ThirdPartyTool = { readonly offered: OfferedTool } & (
  | { readonly tool: Tool }
  /** `why` goes on from "cannot be chosen:". */
  | { readonly why: string }
);

/** Longest description, characters: it is in every request. */
const LONGEST_DESCRIPTION = 10_000;

/** Makes tools of the agent of what others offer; `own` are the names of Plimsoll's. */
export function thirdPartyTools(
  offered: readonly OfferedTool[],
  own: ReadonlySet<string>,
): readonly ThirdPartyTool[] {
  const taken = new Set(own);
  return offered.map((one): ThirdPartyTool => {
    const name = apiName(one.name, own);
    if (taken.has(name)) return { offered: one, why: `another tool has the name ${name}` };
    const read = usableSchema(one.inputSchema);
    if (!read.ok) return { offered: one, why: read.message };
    const { length } = one.description;
    if (length > LONGEST_DESCRIPTION) {
      const [has, most] = [length, LONGEST_DESCRIPTION].map((each) => each.toLocaleString('en-US'));
      return { offered: one, why: `its description has ${has} characters, more than ${most}` };
    }
    taken.add(name);
    const { schema, problemOf } = read.usable;
    const { provider } = one;
    const description = one.description.toWellFormed();
    return {
      offered: one,
      tool: {
        definition: { name, description, inputSchema: schema, provider },
        prepare: async (input) => {
          const problem = problemOf(input);
          if (problem !== undefined) return refused(`${name} was not called: ${problem}.`);
          const shown = JSON.stringify(input, null, 2);
          if (holdsSecret(shown)) {
            return refused(`${name} was not called: its input holds an API key.`);
          }
          return {
            ok: true,
            call: {
              approval: { kind: 'tool', tool: one.name, provider, input: shown },
              action: `The call of ${name}`,
              run: (signal) => answered(one, name, input, signal),
            },
          };
        },
      },
    };
  });
}

async function answered(
  { invoke, provider }: OfferedTool,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  try {
    return outputOf(await invoke(input, signal));
  } catch (error) {
    const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
    if (signal.aborted) return failed(`${name} was stopped: whether it was done is not known.`);
    // This is what the editor throws where the user says no in its own dialog.
    if (kind === 'Canceled' || message === 'Canceled') {
      return failed(`${name} was not run: the question of the editor was answered with no.`);
    }
    return failed(`${name} of ${provider} failed: ${message}`);
  }
}

/** Most pictures of one answer. */
const MOST_PICTURES = 5;

/** Longest text that is kept of one answer, characters; the window admits less of it. */
const LONGEST_TEXT = 1_000_000;

/**
 * Makes a result of what a tool of others answers: texts as they are, pictures as pictures, other data
 * as text where they are text, else by their kind and size. The editor names the parts by classes of
 * its own; here only their members count.
 */
function outputOf(parts: readonly unknown[]): ToolOutput {
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

/** Longest name that the API takes, characters. */
const LONGEST_NAME = 64;

/** Digits of a hash that tell names apart which the API would not. */
const HASH_DIGITS = 8;

/**
 * Names a tool of others for the API. A name that it would not take, or that Plimsoll has itself, gets
 * a hash of the whole name behind it. So a name depends on nothing but itself, and stays the same in
 * every session, whatever else is chosen.
 */
export function apiName(name: string, own: ReadonlySet<string>): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name) && !own.has(name)) return name;
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS);
  return `${readable.slice(0, LONGEST_NAME - HASH_DIGITS - 1)}_${hash}`;
}
