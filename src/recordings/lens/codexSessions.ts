import { basename, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';
import {
  nested,
  type AgentSessions,
  type Glance,
  type InnerSession,
  type SessionReader,
} from './foundSession';
import { isRecent } from './runningProcess';
import { linesOf, linesWith, occurrences, sumOf, textOf, titleOfPrompt } from './sessionLines';

/**
 * Codex: `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl` or `.jsonl.zst`, and `archived_sessions`;
 * `session_index.jsonl` has the names that sessions were given.
 */
export const CODEX: AgentSessions = {
  name: 'Codex',
  places: ({ home, environment }) => [environment['CODEX_HOME'] || join(home, '.codex')],
  async find(place, _folder, reader) {
    const [dated, archived, names] = await Promise.all([
      filesBelow(join(place, 'sessions'), 3, reader),
      filesBelow(join(place, 'archived_sessions'), 0, reader),
      givenNames(place, reader),
    ]);
    const read = [...dated, ...archived].map((file) => sessionIn(file, names, reader));
    return nested((await Promise.all(read)).flat());
  },
};

async function filesBelow(
  folder: string,
  levels: number,
  reader: SessionReader,
): Promise<readonly string[]> {
  const names = await reader.names(folder);
  if (levels > 0) {
    const inner = names.map((name) => filesBelow(join(folder, name), levels - 1, reader));
    return (await Promise.all(inner)).flat();
  }
  return names
    .filter((name) => /^rollout-.*\.jsonl(\.zst)?$/.test(name))
    .map((name) => join(folder, name));
}

/** The names of sessions by their ids; the last one counts. */
async function givenNames(
  place: string,
  reader: SessionReader,
): Promise<ReadonlyMap<string, string>> {
  const index = (await reader.text(join(place, 'session_index.jsonl'))) ?? '';
  return new Map(
    index.split('\n').flatMap((line) => {
      const value = parsed(line);
      const [id, name] = isObject(value) ? [textOf(value['id']), textOf(value['thread_name'])] : [];
      return id === undefined || name === undefined ? [] : [[id, name] as const];
    }),
  );
}

async function sessionIn(
  file: string,
  names: ReadonlyMap<string, string>,
  reader: SessionReader,
): Promise<readonly InnerSession[]> {
  const found = await reader.glance(file, glance);
  if (found === undefined || (found.firstPrompt === undefined && found.tokens === undefined)) {
    return [];
  }
  const { folder, model, tokens, windowTokens, compactions, usedAt, parent } = found;
  const id = found.id ?? basename(file);
  const title = names.get(id) ?? titleOfPrompt(found.firstPrompt ?? '');
  const isRunning = found.isInTurn === true && isRecent(usedAt, reader.now());
  const session = { agent: 'codex' as const, id, file, folder, title, usedAt, model, tokens };
  return [{ ...session, windowTokens, compactions, isRunning, inner: [], parent }];
}

function glance(lines: Buffer, former: Glance): Glance {
  const first = former.firstPrompt === undefined ? beginningOf(lines, former) : {};
  return {
    ...former,
    ...first,
    ...newestModel(lines),
    ...newestCount(lines),
    compactions: former.compactions + occurrences(lines, '"type":"compacted","payload"'),
    isInTurn: isInTurn(lines) ?? former.isInTurn,
  };
}

/** Longest search for the first prompt; lines. */
const FIRST_LINES = 300;

function beginningOf(lines: Buffer, former: Glance): Partial<Glance> {
  let found: Partial<Glance> = { id: former.id };
  let left = FIRST_LINES;
  for (const { type, payload } of linesOf(lines)) {
    left -= 1;
    if (left < 0) break;
    if (!isObject(payload)) continue;
    // A fork begins with the lines of its origin, which has another id.
    if (type === 'session_meta' && found.id === undefined) {
      const [id, folder] = [textOf(payload['id']), textOf(payload['cwd'])];
      found = { id, folder, parent: parentIn(payload['source']) };
    }
    const text = type === 'event_msg' ? promptIn(payload) : undefined;
    if (text !== undefined) return { ...found, firstPrompt: text };
  }
  return found;
}

/** A prompt of the user; since version 0.171 it is an item of the turn. */
function promptIn({ type, message, item }: Readonly<Record<string, unknown>>): string | undefined {
  if (type === 'user_message') return textOf(message);
  if (type !== 'item_completed' || !isObject(item) || item['type'] !== 'UserMessage') {
    return undefined;
  }
  const { content } = item;
  return (Array.isArray(content) ? content : [])
    .map((part: unknown) => (isObject(part) ? textOf(part['text']) : undefined))
    .find((text) => text !== undefined);
}

/** The session that started a sub-agent; the kinds that name none have none. */
function parentIn(source: unknown): string | undefined {
  const subagent = isObject(source) ? source['subagent'] : undefined;
  const spawn = isObject(subagent) ? subagent['thread_spawn'] : undefined;
  return isObject(spawn) ? textOf(spawn['parent_thread_id']) : undefined;
}

function newestModel(lines: Buffer): Pick<Glance, 'model'> {
  for (const { type, payload } of linesWith(lines, '"type":"turn_context"')) {
    const model = isObject(payload) ? textOf(payload['model']) : undefined;
    if (type === 'turn_context' && model !== undefined) return { model };
  }
  return {};
}

function newestCount(lines: Buffer): Pick<Glance, 'tokens' | 'windowTokens'> {
  for (const { payload } of linesWith(lines, '"type":"token_count"')) {
    const info = isObject(payload) ? payload['info'] : undefined;
    if (!isObject(info) || !isObject(info['last_token_usage'])) continue;
    // The input includes the tokens read from the cache.
    const { input_tokens: input, output_tokens: output } = info['last_token_usage'];
    const tokens = sumOf(input, output);
    const windowTokens = sumOf(info['model_context_window']);
    if (tokens !== undefined) return { tokens, windowTokens };
  }
  return {};
}

/** Whether the last turn in these lines has not ended; undefined if none begins or ends in them. */
function isInTurn(lines: Buffer): boolean | undefined {
  const last = (type: string) => lines.lastIndexOf(`"payload":{"type":"${type}"`);
  const begun = last('task_started');
  const ended = Math.max(last('task_complete'), last('turn_aborted'));
  return begun === -1 && ended === -1 ? undefined : begun > ended;
}
