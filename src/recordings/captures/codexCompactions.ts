import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { countText } from '../../contextWindow/amount';
import { isObject } from '../../contextWindow/json';
import type { Glance, SessionReader } from '../lens/foundSession';
import { linesWith, textOf } from '../lens/sessionLines';
import { storedName } from '../lens/storedSessions';
import { capturedValue } from './capturedCall';
import { payloadAt } from './codexTraces';
import { NO_REPLY, type SideRequest } from './sideRequests';

/*
 * Where OpenAI's server compacts the history, Codex traces the request and the answer, which no session
 * file has. Codex traces no compaction that it makes with a prompt of its own, as with other providers.
 */

type Fields = Readonly<Record<string, unknown>>;

const TRACE = 'trace.jsonl';
const STARTED = 'compaction_request_started';
const COMPLETED = 'compaction_request_completed';

/** Whether a file is the trace of a Codex session. */
export function isTrace(file: string): boolean {
  return basename(file) === TRACE && basename(dirname(file)).startsWith('trace-');
}

/** The compactions in a folder of traces, each with the thread that it belongs to. */
export async function compactionsIn(
  folder: string,
  reader: SessionReader,
): Promise<readonly SideRequest[]> {
  const names = (await reader.names(folder)).filter((name) => name.startsWith('trace-'));
  const found = names.map(async (name): Promise<readonly SideRequest[]> => {
    const trace = join(folder, name, TRACE);
    const { subAgents = new Map() } = (await reader.glance(trace, glance)) ?? {};
    return [...subAgents].flatMap(([id, { parent, model, at }]) => {
      if (parent === undefined) return [];
      return [
        {
          session: parent,
          request: {
            agent: 'codex',
            id: `${name} ${id}`,
            file: storedName(trace, id),
            folder: undefined,
            title: 'Side request: compaction',
            usedAt: at,
            model,
            tokens: undefined,
            windowTokens: undefined,
            compactions: 0,
            isRunning: false,
            inner: [],
          },
        },
      ];
    });
  });
  return (await Promise.all(found)).flat();
}

/** The compactions by the ids of their requests, each with its thread as its parent. */
function glance(lines: Buffer, former: Glance): Glance {
  const found = new Map(former.subAgents);
  const events: readonly Fields[] = [...linesWith(lines, `"${STARTED}"`)].toReversed();
  for (const { payload, wall_time_unix_ms: at } of events) {
    if (!isObject(payload) || payload['type'] !== STARTED) continue;
    const [id, parent] = [textOf(payload['compaction_request_id']), textOf(payload['thread_id'])];
    if (id === undefined) continue;
    const time = typeof at === 'number' ? at : 0;
    found.set(id, { parent, model: textOf(payload['model']), compactions: 0, at: time });
  }
  return { ...former, subAgents: found };
}

/** A compaction with its answer, in the form of a logged request to the Responses API. */
export async function compactionText(trace: string, id: string): Promise<string> {
  const events = [...linesWith(await readFile(trace), JSON.stringify(id))]
    .flatMap(({ payload }) => (isObject(payload) ? [payload] : []))
    .filter((payload) => payload['compaction_request_id'] === id);
  const named = (type: string, name: string) =>
    payloadAt(dirname(trace), events.find((payload) => payload['type'] === type)?.[name]);
  const asked = named(STARTED, 'request_payload');
  if (asked === undefined) throw new Error(`its trace has no compaction ${id}`);
  const request = await capturedValue(asked);
  if (!request.ok) throw new Error(request.message);
  const body = isObject(request.value) ? request.value : {};
  const answered = named(COMPLETED, 'response_payload');
  const response = answered && (await capturedValue(answered));
  const output =
    response?.ok === true && isObject(response.value) ? listIn(response.value['output_items']) : [];
  return JSON.stringify({
    request: { ...body, input: listIn(body['input']).map(asMessage) },
    response: { output: readable(output) },
  });
}

/** The end of the request, by which newer versions ask for the compaction. */
function asMessage(item: Fields): Fields {
  if (item['type'] !== 'compaction_trigger') return item;
  return message('user', 'input_text', '[Codex asks for a compaction: compaction_trigger]');
}

/** What the model said; most answers are encrypted. */
function readable(output: readonly Fields[]): readonly Fields[] {
  const said = output.filter(({ type, role }) => type === 'message' && role === 'assistant');
  if (said.length > 0) return said;
  if (output.length === 0) return [message('assistant', 'output_text', NO_REPLY)];
  const isEncrypted = output.some(({ encrypted_content: content }) => typeof content === 'string');
  const items = countText(output.length, 'item');
  const text = `[The reply is the new history of ${items}${isEncrypted ? ', with a summary that OpenAI has encrypted' : ''}.]`;
  return [message('assistant', 'output_text', text)];
}

function message(role: string, type: string, text: string): Fields {
  return { type: 'message', role, content: [{ type, text }] };
}

function listIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
