import * as z from 'zod/mini';
import type { Usage } from '../contextWindow/account/spending';
import { refused } from '../contextWindow/result';
import type { ImportAids } from './messageContent';
import { chatTool, readChatTool, readChatUsage } from './openhands';
import { readAction } from './openhandsActions';
import { readEvent, type EventParts } from './openhandsEvents';
import type { JsonLine } from './readJson';
import {
  messagesIn,
  timeOf,
  type Read,
  type RecordedItem,
  type RecordedMessage,
  type Recording,
} from './recordedItem';
import { shaped } from './shape';
import { isObject } from '../contextWindow/json';

/**
 * One line of the `output.jsonl` of an evaluation: a task with everything that happened in it. Seen
 * in one of October 2025 (OpenHands/benchmarks): `history` holds the events of the conversation, and
 * not its first prompt, which is `instruction`; `metrics` is null or has the usage of every response.
 */
const task = z.looseObject({
  instruction: z.nullish(z.string()),
  history: z.array(z.unknown()),
  metadata: z.nullish(z.looseObject({})),
  metrics: z.nullish(z.looseObject({})),
});

/** Reads the first task of an `output.jsonl` that has a history. */
export function readOpenHandsOutput(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const tasks = lines.filter(({ value }) => Array.isArray(value['history']));
  const first = tasks.find(
    ({ value: { history } }) => Array.isArray(history) && history.length > 0,
  );
  if (first === undefined) {
    return refused('none of its tasks has a history. Give the output.jsonl of a run that has one.');
  }
  const read = shaped(task, first.value, `line ${first.line}`);
  if (!read.ok) return read;
  aids.leftOut.add('otherTask', tasks.length - 1);
  return { ok: true, value: readTask(read.value, aids) };
}

function readTask(
  { instruction, history, metadata, metrics }: z.output<typeof task>,
  aids: ImportAids,
): Recording {
  const usages = usagesIn(metrics?.['token_usages']);
  const llm = metadata?.['llm'] ?? metadata?.['llm_config'];
  const model = isObject(llm) && typeof llm['model'] === 'string' ? llm['model'] : '';
  const items: RecordedItem[] = [];
  const eventOf = new Map<RecordedMessage, unknown>();
  let system = '';
  let tools: unknown;
  // Older runs have pairs of an action and its observation.
  for (const [index, event] of history.flat().entries()) {
    const place = `event ${index + 1}`;
    if (!isObject(event)) {
      aids.leftOut.addUnreadable(place, 'it is not a JSON object.');
      continue;
    }
    const at = timeOf(event['timestamp']);
    const parts: EventParts = { aids, place, at, model, usageOf: (id: string) => usages.get(id) };
    const read =
      typeof event['kind'] === 'string' ? readEvent(event, parts) : readAction(event, parts);
    system = read.system ?? system;
    tools = read.tools ?? tools;
    for (const message of messagesIn(read.items ?? [])) eventOf.set(message, event['id']);
    items.push(...(read.items ?? []));
    if (read.condensed === undefined) continue;
    const { forgotten, ...condensed } = read.condensed;
    const kept = messagesIn(items).filter((one) => !forgotten.has(eventOf.get(one)));
    items.push({ type: 'compacted', ...at, ...condensed, kept });
  }
  const begins = items.find(({ type }) => type === 'prompt' || type === 'reply');
  const isTold = begins?.type === 'prompt' || (instruction ?? '').trim() === '';
  const opening: readonly RecordedItem[] = isTold
    ? []
    : [{ type: 'prompt', text: instruction ?? '', attachments: [] }];
  const described = z.array(chatTool).safeParse(tools);
  return {
    system,
    tools: described.success ? described.data.map((one) => readChatTool(one, aids)) : [],
    items: [...opening, ...items],
  };
}

function usagesIn(list: unknown): ReadonlyMap<unknown, Usage> {
  const usages = new Map<unknown, Usage>();
  for (const one of Array.isArray(list) ? list : []) {
    const usage = isObject(one) ? readChatUsage(one) : undefined;
    if (isObject(one) && usage !== undefined) usages.set(one['response_id'], usage);
  }
  return usages;
}
