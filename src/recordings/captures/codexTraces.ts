import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { Usage } from '../../contextWindow/account/spending';
import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';
import { usageOfWholeInput } from '../recordedItem';
import {
  addedLines,
  type CapturedCall,
  type CapturedSession,
  type CapturedText,
  capturedValue,
  NOTHING_CAPTURED,
  type ReadTo,
  type SessionStep,
  shardsWith,
} from './capturedCall';

/*
 * Codex writes a folder for each session, `trace-<id>-<thread>`: `trace.jsonl` with the events, and
 * the payloads that these name. Up to schema version 2 a payload is a file of its own; from 3 on it
 * is an entry of a shard.
 */

/** The events of one session; bytes. */
const LARGEST_TRACE = 256 * 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

/** One request in the events. */
interface Inference {
  readonly model: string;
  readonly request: CapturedText;
  readonly mode: Fields;
  responseId: string | undefined;
  response: CapturedText | undefined;
  /** Undefined until the response was read. */
  answer: Answer | undefined;
  /** The state of its file when it held no whole response: until that changes, it is not read again. */
  unreadable: string | undefined;
}

/** What a response holds. */
interface Answer {
  readonly usage: Usage | undefined;
  readonly callIds: ReadonlySet<string>;
  readonly text: string;
}

/** The part of a bundle that belongs to a thread, as far as it was read. */
export interface BundleRead {
  readonly thread: string;
  readonly readTo: ReadTo;
  /** By the name of the call, in order. */
  readonly inferences: Map<unknown, Inference>;
  readonly compactions: number;
}

/**
 * Finds the captured requests of a Codex session by the name of its thread. `read` has the bundles as
 * far as they were read, and is brought up to date.
 */
export async function codexTraces(
  folder: string,
  text: string,
  steps: readonly SessionStep[],
  read: Map<string, BundleRead>,
): Promise<CapturedSession> {
  const thread = threadOf(text);
  if (thread === undefined || steps.length === 0) return NOTHING_CAPTURED;
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('trace-'));
  const found = new Map<number, CapturedCall>();
  const others = new Map<string, number>();
  // A session has a bundle for each start; those of sub-agents are in the bundle of their root.
  for (const name of names) {
    const bundle = join(folder, name);
    const before = read.get(bundle);
    const now = await readBundle(bundle, thread, before?.thread === thread ? before : undefined);
    if (now === undefined) {
      read.delete(bundle);
      continue;
    }
    read.set(bundle, now);
    const { inferences, compactions } = now;
    await readAnswers([...inferences.values()]);
    joinAnswers(found, [...inferences.values()], steps);
    if (compactions > 0) others.set('compaction', (others.get('compaction') ?? 0) + compactions);
  }
  // The limit of the recordings deletes whole bundles.
  for (const bundle of read.keys()) {
    if (dirname(bundle) === folder && !names.includes(basename(bundle))) read.delete(bundle);
  }
  return { steps: found, others };
}

/** The name of a session's thread, from its first line. */
function threadOf(text: string): string | undefined {
  const first = parsed(text.slice(0, text.indexOf('\n')));
  const payload = isObject(first) ? first['payload'] : undefined;
  const id = isObject(payload) ? payload['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Reads the events of a thread that were added to a bundle; undefined if there is no such file. */
async function readBundle(
  bundle: string,
  thread: string,
  former: BundleRead | undefined,
): Promise<BundleRead | undefined> {
  const wanted = { most: LARGEST_TRACE, holding: thread };
  const added = await addedLines(join(bundle, 'trace.jsonl'), former?.readTo, wanted);
  if (added === undefined) return undefined;
  const known = added.isMore ? former : undefined;
  const inferences = new Map(known?.inferences);
  let compactions = known?.compactions ?? 0;
  for (const line of added.lines) {
    if (!line.includes(thread)) continue;
    const event = parsed(line);
    const payload = isObject(event) ? event['payload'] : undefined;
    if (!isObject(event) || !isObject(payload)) continue;
    if ((payload['thread_id'] ?? event['thread_id']) !== thread) continue;
    if (payload['type'] === 'inference_started') {
      const request = payloadAt(bundle, payload['request_payload']);
      if (request === undefined) continue;
      const mode = payload['request_input_mode'];
      inferences.set(payload['inference_call_id'], {
        model: typeof payload['model'] === 'string' ? payload['model'] : '',
        request,
        mode: isObject(mode) ? mode : typeof mode === 'string' ? { type: mode } : {},
        responseId: undefined,
        response: undefined,
        answer: undefined,
        unreadable: undefined,
      });
    } else if (payload['type'] === 'inference_completed') {
      const inference = inferences.get(payload['inference_call_id']);
      if (inference === undefined) continue;
      const { response_id: id } = payload;
      inference.responseId = typeof id === 'string' ? id : undefined;
      inference.response = payloadAt(bundle, payload['response_payload']);
    } else if (payload['type'] === 'compaction_request_started') compactions += 1;
  }
  return { thread, readTo: added.readTo, inferences, compactions };
}

/** Where a payload is; undefined if its name leads out of the bundle. */
export function payloadAt(bundle: string, named: unknown): CapturedText | undefined {
  if (!isObject(named)) return undefined;
  const { path, shard, raw_payload_id: id } = named;
  if (typeof path === 'string') {
    const file = join(bundle, path);
    const inside = relative(bundle, file);
    return inside.startsWith('..') || isAbsolute(inside) ? undefined : { file };
  }
  if (!Number.isInteger(shard) || typeof id !== 'string') return undefined;
  return { file: join(bundle, 'payloads', `${String(shard).padStart(6, '0')}.zst`), entry: id };
}

/** Reads the responses that were not read yet; each shard once. */
async function readAnswers(inferences: readonly Inference[]): Promise<void> {
  const waiting = inferences.filter(({ answer }) => answer === undefined);
  const files = new Set(waiting.flatMap(({ response }) => response?.file ?? []));
  const states = new Map<string, string>();
  for (const file of files) states.set(file, await stateOf(file));
  const unread = waiting.filter(
    ({ response, unreadable }) => response && unreadable !== states.get(response.file),
  );
  const shards = await shardsWith(unread.flatMap(({ response }) => response ?? []));
  for (const inference of unread) {
    const { response } = inference;
    if (response === undefined) continue;
    const value =
      response.entry === undefined
        ? await valueOf(response)
        : parsed(shards.get(response.file)?.get(response.entry)?.toString('utf8') ?? '');
    if (isObject(value)) inference.answer = answerIn(value);
    else inference.unreadable = states.get(response.file);
  }
}

/** What changes when a file is written; '' if there is none. */
async function stateOf(file: string): Promise<string> {
  return stat(file).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => '',
  );
}

async function valueOf(at: CapturedText): Promise<unknown> {
  const read = await capturedValue(at);
  return read.ok ? read.value : undefined;
}

function answerIn({ token_usage: usage, output_items: output }: Fields): Answer {
  const items = Array.isArray(output) ? output.filter(isObject) : [];
  const texts = items.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return {
    usage: isObject(usage)
      ? usageOfWholeInput({
          input: usage['input_tokens'],
          cacheCreation: usage['cache_write_input_tokens'],
          cacheRead: usage['cached_input_tokens'],
          output: usage['output_tokens'],
        })
      : undefined,
    callIds: new Set(items.flatMap(({ call_id: id }) => (typeof id === 'string' ? id : []))),
    text: texts
      .flatMap((part: unknown) =>
        isObject(part) && typeof part['text'] === 'string' ? part['text'] : [],
      )
      .join('\n')
      .trim(),
  };
}

/** Gives each step the request whose answer it is. */
function joinAnswers(
  found: Map<number, CapturedCall>,
  inferences: readonly Inference[],
  steps: readonly SessionStep[],
): void {
  let next = 0;
  const byResponse = new Map<unknown, Inference>();
  for (const inference of inferences) {
    const { responseId } = inference;
    if (responseId !== undefined && !byResponse.has(responseId)) {
      byResponse.set(responseId, inference);
    }
  }
  for (const inference of inferences) {
    const { answer } = inference;
    const before = leftOutOf(inference, byResponse);
    // The request is only whole with what it leaves out.
    if (answer === undefined || before === undefined) continue;
    const at = steps.findIndex((step, index) => index >= next && isAnswer(step, answer));
    const step = steps[at];
    if (step === undefined || found.has(step.number)) continue;
    next = at + 1;
    const { model, request } = inference;
    const usage = answer.usage ?? step.usage;
    const call = { model, request, before };
    found.set(step.number, usage === undefined ? call : { ...call, usage });
  }
}

function isAnswer({ callIds, text }: SessionStep, answer: Answer): boolean {
  if (callIds.length > 0) return callIds.some((id) => answer.callIds.has(id));
  return answer.callIds.size === 0 && text !== '' && text === answer.text;
}

/**
 * The requests and responses that an incremental request leaves out, oldest first; undefined if
 * these were not captured.
 */
function leftOutOf(
  inference: Inference,
  byResponse: ReadonlyMap<unknown, Inference>,
): readonly CapturedText[] | undefined {
  const before: CapturedText[] = [];
  const seen = new Set<Inference>();
  let at: Inference | undefined = inference;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    const { type, previous_response_id: id }: Fields = at.mode;
    if (type === undefined || type === 'full_snapshot') return before.reverse();
    if (type !== 'incremental') return undefined;
    at = byResponse.get(id);
    if (at?.response === undefined) return undefined;
    before.push(at.response, at.request);
  }
  return undefined;
}
