import type { Usage } from '../../contextWindow/usage';
import { readCodexCompaction } from './codexCompaction';
import { readCodexItem } from './codexItem';
import type { ImportAids } from './messageContent';
import { isObject, type JsonLine } from './readJson';
import { windowSize, type Read, type RecordedItem, type Recording } from './recordedItem';
import { usageOfWholeInput } from './recordedUsage';

type Fields = JsonLine['value'];

/** Reads a Codex rollout: the model's items up to the outputs of its calls are one reply. */
export function readCodex(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const found: RecordedItem[] = [];
  let system = '';
  let model = '';
  let size: Pick<Recording, 'windowTokens'> = {};
  for (const { line, value } of lines) {
    const payload = isObject(value['payload']) ? value['payload'] : {};
    switch (value['type']) {
      case 'session_meta':
        system = systemOf(payload);
        break;
      case 'turn_context':
        model = typeof payload['model'] === 'string' ? payload['model'] : model;
        break;
      case 'compacted':
        found.push(readCodexCompaction(payload, line, found, aids));
        break;
      case 'event_msg':
        if (payload['type'] === 'token_count') addUsage(found, payload);
        size = { ...size, ...windowOf(payload) };
        break;
      case 'response_item': {
        const read = readCodexItem(payload, line, model, aids);
        if (!read.ok) return read;
        for (const item of read.value) add(found, item);
        break;
      }
    }
  }
  return { ok: true, value: { system, tools: [], ...size, items: found } };
}

/** The window is told where a turn begins and beside every count. */
function windowOf({ info, model_context_window: atTurn }: Fields) {
  return windowSize(isObject(info) ? info['model_context_window'] : atTurn);
}

/** Adds an item; a piece of a reply joins the one before it until outputs, a prompt or usage end it. */
function add(found: RecordedItem[], item: RecordedItem): void {
  const last = found.at(-1);
  if (item.type === 'reply' && last?.type === 'reply' && last.usage === undefined) {
    found[found.length - 1] = { ...last, parts: [...last.parts, ...item.parts] };
  } else found.push(item);
}

/** Usage follows the items of its response; a count without a new response repeats the last one. */
function addUsage(found: RecordedItem[], payload: Fields): void {
  const at = found.findLastIndex(({ type }) => type === 'reply');
  const reply = found[at];
  const usage = usageOf(payload['info']);
  if (reply?.type !== 'reply' || reply.usage !== undefined || usage === undefined) return;
  found[at] = { ...reply, usage };
}

function usageOf(info: unknown): Usage | undefined {
  const last = isObject(info) ? info['last_token_usage'] : undefined;
  if (!isObject(last)) return undefined;
  return usageOfWholeInput({
    input: last['input_tokens'],
    cacheCreation: 0,
    cacheRead: last['cached_input_tokens'],
    output: last['output_tokens'],
  });
}

function systemOf({ base_instructions: base, instructions }: Fields): string {
  const text = isObject(base) ? base['text'] : (base ?? instructions);
  return typeof text === 'string' ? text : '';
}
