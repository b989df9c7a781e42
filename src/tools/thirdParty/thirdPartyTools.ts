import { mediaIn } from '../files/media';
import { createHash } from 'node:crypto';
import { holdsKey } from '../../agent/secrets/knownSecrets';
import type { Media, Tool, ToolOutput } from '../../agent/tool';
import { refused } from '../../contextWindow/result';
import { failed, succeeded } from '../defineTool';
import { enclosed, type MarkOf, randomMarks } from '../enclosed';

import type { CheckInput } from './checkInput';
import { usableSchema } from './inputSchema';

/** A tool of another extension or an MCP server, as the editor describes it. */
export interface OfferedTool {
  /** Its provider's name for it, unique in the editor. */
  readonly name: string;
  /** The provider's display name. */
  readonly provider: string;
  readonly description: string;
  /** JSON Schema; absent for a tool without input. */
  readonly inputSchema?: unknown;
  /** Runs it and returns the parts of its answer; rejects when it fails. */
  readonly invoke: (
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<readonly unknown[]>;
}

/** A third-party tool in a form that the agent can call, or why it cannot. */
export type ThirdPartyTool = { readonly offered: OfferedTool } & (
  | { readonly tool: Tool }
  /** Follows "cannot be chosen:". */
  | { readonly why: string }
);

/** Longest description, characters: every request contains it. */
const LONGEST_DESCRIPTION = 10_000;

/**
 * Adapts third-party tools for the agent; `own` are the names of Plimsoll's tools. `checkInput`
 * checks inputs before anyone is asked, and `markOf` makes the marks around answers.
 */
export function thirdPartyTools(
  offered: readonly OfferedTool[],
  own: ReadonlySet<string>,
  checkInput: CheckInput,
  markOf: MarkOf = randomMarks,
): readonly ThirdPartyTool[] {
  const taken = new Set(own);
  return offered.map((one): ThirdPartyTool => {
    const name = apiName(one.name, own);
    if (taken.has(name)) return { offered: one, why: `another tool is named ${name}` };
    const read = usableSchema(one.inputSchema);
    if (!read.ok) return { offered: one, why: read.message };
    const { length } = one.description;
    if (length > LONGEST_DESCRIPTION) {
      const [has, most] = [length, LONGEST_DESCRIPTION].map((each) => each.toLocaleString('en-US'));
      return { offered: one, why: `its description has ${has} characters, more than ${most}` };
    }
    taken.add(name);
    const { schema } = read;
    const { provider } = one;
    const description = one.description.toWellFormed();
    return {
      offered: one,
      tool: {
        definition: { name, description, inputSchema: schema, provider },
        prepare: async (input) => {
          const problem = await checkInput({ schema, input });
          if (problem !== undefined) return refused(`${name} was not called: ${problem}.`);
          const shown = JSON.stringify(input, null, 2);
          if (holdsKey(shown)) {
            return refused(`${name} was not called: its input holds an API key.`);
          }
          return {
            ok: true,
            call: {
              approval: { kind: 'tool', tool: one.name, provider, input: shown },
              action: `The call of ${name}`,
              run: (signal) => answered(one, { name, markOf }, input, signal),
            },
          };
        },
      },
    };
  });
}

async function answered(
  { invoke, provider }: OfferedTool,
  { name, markOf }: { readonly name: string; readonly markOf: MarkOf },
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  try {
    return outputOf(await invoke(input, signal), markOf);
  } catch (error) {
    const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
    if (signal.aborted) return failed(`${name} was stopped: it is unknown whether it was done.`);
    // The editor throws this when the user denies the call in its own dialog.
    if (kind === 'Canceled' || message === 'Canceled') {
      return failed(`${name} was not run: the user denied it in the editor's dialog.`);
    }
    return failed(`${name} of ${provider} failed. ${bounded(message, markOf)}`);
  }
}

/** Most images of one answer. */
const MOST_PICTURES = 5;

/** Longest text kept of one answer, characters; less of it enters the window. */
const LONGEST_TEXT = 1_000_000;

/**
 * Converts a third-party tool's answer to a result: texts and images as they are, other data as
 * text if possible, otherwise by kind and size. The editor uses its own classes for the parts; here
 * only their members count.
 */
function outputOf(parts: readonly unknown[], markOf: MarkOf): ToolOutput {
  const pictures: Media[] = [];
  const texts = parts.map((part): string => {
    const data = dataOf(part);
    if (data === undefined) return textOf(part);
    const { bytes, mimeType } = data;
    // Check the bytes: the API refuses a request with an image of the wrong type.
    const read = mimeType.startsWith('image/') ? mediaIn(bytes, 'The image') : undefined;
    if (read?.ok === true && read.media.type === 'image') {
      const { mediaType } = read.media;
      if (pictures.length === MOST_PICTURES) return `[another image, ${mediaType}]`;
      pictures.push(read.media);
      return `[${mediaType}, shown after this text]`;
    }
    return /^text\/|[/+](?:json|xml)\b/.test(mimeType)
      ? Buffer.from(bytes).toString('utf8')
      : `[${mimeType}, ${bytes.length.toLocaleString('en-US')} bytes: not shown]`;
  });
  const text = texts.join('\n').toWellFormed();
  const output = succeeded(
    text.trim() === '' ? 'The tool returned nothing.' : bounded(text, markOf),
  );
  return pictures.length === 0 ? output : { ...output, attachments: pictures };
}

/** The tool's own text, cut and enclosed in a mark. */
function bounded(text: string, markOf: MarkOf): string {
  const kept = text.slice(0, LONGEST_TEXT).toWellFormed();
  const shown = enclosed('tool_answer', 'is from a third-party tool', kept, markOf);
  return text.length <= LONGEST_TEXT
    ? shown
    : `${shown}\n[The rest was left out: the answer has ${text.length.toLocaleString('en-US')} characters.]`;
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

/** The texts of an answer made with `@vscode/prompt-tsx`: a tree with texts in its leaves. */
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

/** Longest tool name that the API accepts, characters. */
const LONGEST_NAME = 64;

/** Digits of a hash that keeps names unique after characters were replaced. */
const HASH_DIGITS = 8;

/**
 * Names a third-party tool for the API. A name that the API rejects, or that Plimsoll uses itself,
 * gets a hash of the whole name at its end. So a tool's name depends only on itself and stays the
 * same in every session.
 */
export function apiName(name: string, own: ReadonlySet<string>): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name) && !own.has(name)) return name;
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS);
  return `${readable.slice(0, LONGEST_NAME - HASH_DIGITS - 1)}_${hash}`;
}
