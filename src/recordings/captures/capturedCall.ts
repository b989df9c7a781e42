import { type FileHandle, open } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Usage } from '../../contextWindow/account/spending';
import { isObject } from '../../contextWindow/json';
import { errorText, refused, type Result } from '../../contextWindow/result';
import { parsed } from '../readJson';
import type { Transcript } from '../../sessions/transcript';

/** Where one captured JSON value is: in a file of its own, in a shard of many, or a line of a log. */
export interface CapturedText {
  readonly file: string;
  /** Its name in the shard. */
  readonly entry?: string;
  /** Its place in the log. */
  readonly bytes?: { readonly start: number; readonly length: number };
}

/** One request of an agent as it was captured. */
export interface CapturedCall {
  readonly model: string;
  readonly request: CapturedText;
  /** Requests and responses that an incremental request leaves out, oldest first. */
  readonly before: readonly CapturedText[];
  /** What the server counted, if it answered. */
  readonly usage?: Usage;
}

/** The captured requests of a session. */
export interface CapturedSession {
  /** By step: the number of the reply in the session, from 1. */
  readonly steps: ReadonlyMap<number, CapturedCall>;
  /** Requests that are no step: titles, summaries, sub-agents, by what their agent calls them. */
  readonly others: ReadonlyMap<string, number>;
}

export const NOTHING_CAPTURED: CapturedSession = { steps: new Map(), others: new Map() };

/** A reply of a session, with what identifies the request for it. */
export interface SessionStep {
  readonly number: number;
  /** The API's name of the reply. */
  readonly responseId: string | undefined;
  readonly callIds: readonly string[];
  readonly text: string;
  readonly at: number | undefined;
  readonly usage: Usage | undefined;
  /** The calls that its request answers; none after a prompt, or a compaction that kept none last. */
  readonly answers: readonly string[];
  /** The beginning of the text that its request ends with, if it ends with a prompt or a summary. */
  readonly asked: string | undefined;
}

/** The steps of a session. */
export function stepsOf({ entries }: Pick<Transcript, 'entries'>): readonly SessionStep[] {
  const steps: SessionStep[] = [];
  let answers: readonly string[] = [];
  let asked: string | undefined;
  for (const entry of entries) {
    if (entry.type === 'prompt') {
      // A prompt can join the results of the calls before it.
      asked = entry.text;
      continue;
    }
    if (entry.type === 'compacted') {
      if (entry.summary === undefined) continue;
      // Claude Code puts what it keeps after the summary: the request ends with the last of that.
      const last = entries[Math.max(-1, ...(entry.kept ?? []))];
      answers = last?.type === 'reply' ? last.results.map(({ toolUseId }) => toolUseId) : [];
      asked = answers.length > 0 ? undefined : entry.summary;
      continue;
    }
    const { parts, results, usage, at, responseId } = entry;
    const callIds = results.map(({ toolUseId }) => toolUseId);
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    steps.push({
      number: steps.length + 1,
      responseId,
      callIds,
      text: text.trim(),
      at,
      usage,
      answers,
      asked,
    });
    [answers, asked] = [callIds, undefined];
  }
  return steps;
}

/** No request is larger; bytes. */
const LARGEST_FILE = 64 * 1024 * 1024;

/** No shard holds more when it is unpacked; bytes. */
const LARGEST_SHARD = 512 * 1024 * 1024;

/** Reads a captured file, or a part of it; undefined if it is missing, too large or being written. */
export async function capturedBytes(
  file: string,
  most = LARGEST_FILE,
  part?: CapturedText['bytes'],
): Promise<Buffer | undefined> {
  let handle;
  try {
    handle = await open(file);
    const stats = await handle.stat();
    if (!stats.isFile() || (part?.length ?? stats.size) > most) return undefined;
    if (part !== undefined) return await bytesAt(handle, part.start, part.length);
    return await handle.readFile();
  } catch {
    // Deleted by the limit meanwhile, or not readable: its request is not captured.
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** How far a growing file of lines was read. */
export interface ReadTo {
  readonly bytes: number;
  /** Its last bytes, in base64: if they have changed, the file was written again. */
  readonly end: string;
}

/** Bytes that tell one file from another. */
export const END_BYTES = 256;

/** Lines of a growing file. */
interface AddedLines {
  readonly lines: readonly string[];
  readonly readTo: ReadTo;
  /** False if these are all lines of the file, not only the added ones. */
  readonly isMore: boolean;
}

/** The part of a file of lines that is read. */
interface LinesWanted {
  /** Bytes of the largest file. */
  readonly most: number;
  /** If none of the bytes read is this text, no line is needed. */
  readonly holding?: string;
}

/**
 * Reads the lines that were added to a file, a half-written one excepted; undefined if the file is
 * missing or too large.
 */
export async function addedLines(
  file: string,
  before: ReadTo | undefined,
  { most, holding = '' }: LinesWanted,
): Promise<AddedLines | undefined> {
  let handle;
  try {
    handle = await open(file);
    const stats = await handle.stat();
    const { size } = stats;
    if (!stats.isFile() || size > most) return undefined;
    const isMore = before !== undefined && (await endsAt(handle, before));
    const start = isMore ? before.bytes : 0;
    const bytes = await bytesAt(handle, start, size - start);
    const lastLine = bytes.lastIndexOf('\n') + 1;
    // The last line may have no line break although it is whole.
    const isWhole = isObject(parsed(bytes.toString('utf8', lastLine)));
    const length = isWhole ? bytes.length : lastLine;
    const isNeeded = bytes.includes(holding);
    const lines = isNeeded ? bytes.toString('utf8', 0, length).split('\n') : [];
    const readTo = { bytes: start + length, end: await endBefore(handle, start + length) };
    return { lines, readTo, isMore };
  } catch {
    // As for a whole file.
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** Whether a file still has what was read of it. */
async function endsAt(handle: FileHandle, { bytes, end }: ReadTo): Promise<boolean> {
  return (await endBefore(handle, bytes)) === end;
}

async function endBefore(handle: FileHandle, to: number): Promise<string> {
  const length = Math.min(to, END_BYTES);
  return (await bytesAt(handle, to - length, length)).toString('base64');
}

/** The bytes from a place on; fewer if the file ends before. */
async function bytesAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, from);
  return bytes.subarray(0, bytesRead);
}

/** Reads the end of a captured file; undefined if it cannot be read. */
export async function endOf(file: string, most: number): Promise<Buffer | undefined> {
  let handle;
  try {
    handle = await open(file);
    const { size } = await handle.stat();
    const start = Math.max(0, size - most);
    return await bytesAt(handle, start, size - start);
  } catch {
    // As for a whole file.
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** Reads a captured JSON value, or says why it cannot be read. */
export async function capturedValue(at: CapturedText): Promise<Result<{ value: unknown }>> {
  const read = await capturedValues([at]);
  return read.ok ? { ok: true, value: read.values[0] } : read;
}

/** Reads captured JSON values, each shard once; says why not if one of them cannot be read. */
export async function capturedValues(
  all: readonly CapturedText[],
): Promise<Result<{ values: readonly unknown[] }>> {
  const shards = await shardsWith(all);
  const values: unknown[] = [];
  for (const { file, entry, bytes: part } of all) {
    const bytes =
      entry === undefined
        ? await capturedBytes(file, LARGEST_FILE, part)
        : shards.get(file)?.get(entry);
    const value = capturedJson(bytes);
    if (!value.ok) return value;
    values.push(value.value);
  }
  return { ok: true, values };
}

/** The entries of all shards that are named, by the shard's file. */
export async function shardsWith(
  all: readonly CapturedText[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Buffer>>> {
  const wanted = new Map<string, Set<string>>();
  for (const { file, entry } of all) {
    if (entry !== undefined) wanted.set(file, (wanted.get(file) ?? new Set()).add(entry));
  }
  const shards = new Map<string, ReadonlyMap<string, Buffer>>();
  for (const [file, entries] of wanted) shards.set(file, await shardEntries(file, entries));
  return shards;
}

function capturedJson(bytes: Buffer | undefined): Result<{ value: unknown }> {
  if (bytes === undefined) {
    return refused('the recorded request was deleted, or is larger than Plimsoll reads.');
  }
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch (error) {
    return refused(`the recorded request is not whole (${errorText(error)}).`);
  }
}

/** Only newer versions of Node have it. */
interface Zstd {
  readonly createZstdDecompress?: () => Duplex;
}

/**
 * The values of a shard by their names: a stream compressed with zstd, in which each value follows
 * the length of its name (2 bytes), its own length (8 bytes) and its name. The end of one that is
 * being written is missing.
 */
async function shardEntries(
  file: string,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const packed = await capturedBytes(file, LARGEST_SHARD);
  const bytes = packed === undefined ? undefined : await unpacked(packed);
  if (bytes === undefined) return found;
  let at = 0;
  while (at + 10 <= bytes.length) {
    const nameEnd = at + 10 + bytes.readUInt16LE(at);
    const end = nameEnd + Number(bytes.readBigUInt64LE(at + 2));
    if (end > bytes.length) break;
    const name = bytes.toString('utf8', at + 10, nameEnd);
    if (names.has(name)) found.set(name, bytes.subarray(nameEnd, end));
    at = end;
  }
  return found;
}

/** Unpacks as much as was written; undefined if this Node cannot. */
function unpacked(packed: Buffer): Promise<Buffer | undefined> {
  const { createZstdDecompress } = zlib as Zstd;
  if (createZstdDecompress === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      resolve(Buffer.concat(chunks));
    };
    const stream = createZstdDecompress();
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LARGEST_SHARD) chunks.push(chunk);
      else {
        done();
        stream.destroy();
      }
    });
    stream.on('end', done);
    // The end is missing while the agent writes.
    stream.on('error', done);
    stream.end(packed);
  });
}
