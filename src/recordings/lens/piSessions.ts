import { basename, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import type { AgentSessions, FoundSession, Glance, SessionReader } from './foundSession';
import { isRecent } from './runningProcess';
import { isCopy, linesOf, linesWith, sumOf, textOf, titleOfPrompt } from './sessionLines';

/** pi: `sessions/--<folder>--/<time>_<id>.jsonl`. */
export const PI: AgentSessions = {
  name: 'pi',
  places: ({ home, environment }) => [
    environment['PI_CODING_AGENT_DIR'] || join(home, '.pi', 'agent'),
  ],
  async find(place, _folder, reader) {
    const sessions = join(place, 'sessions');
    const folders = await reader.names(sessions);
    const found = await Promise.all(
      folders.map(async (folder) => {
        const names = await reader.names(join(sessions, folder));
        const logs = names.filter((name) => name.endsWith('.jsonl'));
        return Promise.all(logs.map((name) => sessionIn(join(sessions, folder, name), reader)));
      }),
    );
    return found.flat(2);
  },
};

async function sessionIn(file: string, reader: SessionReader): Promise<readonly FoundSession[]> {
  const found = await reader.glance(file, glance);
  const asked = found?.firstPrompt ?? found?.copiedPrompt;
  if (found === undefined || (asked === undefined && found.tokens === undefined)) return [];
  const { folder, model, tokens, compactions, usedAt } = found;
  const id = found.id ?? basename(file, '.jsonl');
  const title = found.title ?? titleOfPrompt(asked ?? '');
  const isRunning = found.isInTurn === true && isRecent(usedAt, reader.now());
  const session = { agent: 'pi' as const, id, file, folder, title, usedAt, model, tokens };
  return [{ ...session, windowTokens: undefined, compactions, isRunning, inner: [] }];
}

function glance(lines: Buffer, former: Glance): Glance {
  const found = { ...former, ...beginningOf(lines, former) };
  const compacted = [...linesWith(lines, '{"type":"compaction"')].filter(
    (value) => value['type'] === 'compaction' && !isCopy(value, found.begunAt),
  );
  return {
    ...found,
    ...nameIn(lines),
    ...newestReply(lines),
    compactions: former.compactions + compacted.length,
  };
}

function beginningOf(lines: Buffer, former: Glance): Partial<Glance> {
  if (former.firstPrompt !== undefined) return {};
  let { id, folder, begunAt, copiedPrompt } = former;
  for (const value of linesOf(lines)) {
    if (value['type'] === 'session') {
      id ??= textOf(value['id']);
      folder ??= textOf(value['cwd']);
      if (textOf(value['parentSession']) !== undefined) begunAt ??= textOf(value['timestamp']);
    }
    const { message } = value;
    if (!isObject(message) || message['role'] !== 'user') continue;
    const firstPrompt = saidIn(message['content']);
    if (firstPrompt === undefined) continue;
    if (!isCopy(value, begunAt)) return { id, folder, begunAt, firstPrompt };
    copiedPrompt ??= firstPrompt;
  }
  return { id, folder, begunAt, copiedPrompt };
}

function saidIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textOf(content);
  return content
    .map((part) => (isObject(part) ? textOf(part['text']) : undefined))
    .find((text) => text !== undefined);
}

/** The name that the user gave it. */
function nameIn(lines: Buffer): Pick<Glance, 'title'> {
  for (const value of linesWith(lines, '"type":"session_info"')) {
    const name = value['type'] === 'session_info' ? textOf(value['name']) : undefined;
    if (name !== undefined) return { title: titleOfPrompt(name) };
  }
  return {};
}

/** The usage and the model of the newest reply, and whether another follows the last message. */
function newestReply(lines: Buffer): Pick<Glance, 'model' | 'tokens' | 'isInTurn'> {
  let isInTurn: boolean | undefined;
  for (const { type, message } of linesWith(lines, '"type":"message"')) {
    if (type !== 'message' || !isObject(message)) continue;
    const { role, usage, stopReason } = message;
    isInTurn ??= role !== 'assistant' || stopReason === 'toolUse';
    if (role !== 'assistant' || !isObject(usage)) continue;
    const { input, cacheRead, cacheWrite, output } = usage;
    const tokens = sumOf(input, cacheRead, cacheWrite, output);
    if (tokens !== undefined) return { isInTurn, tokens, model: textOf(message['model']) };
  }
  return isInTurn === undefined ? {} : { isInTurn };
}
