import { basename, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';
import { editorFolders, folderOf } from './editorFolders';
import type { AgentSessions, FoundSession, Glance, SessionReader } from './foundSession';
import { isRecent } from './runningProcess';
import { linesOf, sumOf, textOf, titleOfPrompt } from './sessionLines';

type Fields = Readonly<Record<string, unknown>>;

/**
 * VS Code's own agent: `chatSessions/<id>.jsonl` in the storage of each workspace, in older versions
 * `.json`, and `emptyWindowChatSessions` of windows without one. If the agent is set to write debug
 * logs, `GitHub.copilot-chat/debug-logs/<id>/main.jsonl` has the same session with its exact requests,
 * and next to it are those of sub-agents and side requests.
 */
export const VSCODE: AgentSessions = {
  name: 'VS Code',
  places: editorFolders,
  async find(place, _folder, reader) {
    const storage = join(place, 'workspaceStorage');
    const workspaces = await reader.names(storage);
    const found = workspaces.map((name) => sessionsOf(join(storage, name), reader));
    const empty = chatsIn(join(place, 'globalStorage', 'emptyWindowChatSessions'), reader);
    const withoutFolder = empty.then((chats) =>
      chats.map((chat) => sessionFrom(chat, undefined, undefined, reader)),
    );
    return (await Promise.all([...found, withoutFolder])).flat();
  },
};

/** A file of a session, and what it says. */
interface Seen extends Glance {
  readonly file: string;
  readonly usedAt: number;
}

async function sessionsOf(
  workspace: string,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const logs = join(workspace, 'GitHub.copilot-chat', 'debug-logs');
  const [chats, logged] = await Promise.all([
    chatsIn(join(workspace, 'chatSessions'), reader),
    reader.names(logs),
  ]);
  if (chats.length === 0 && logged.length === 0) return [];
  const folder = await folderOf(workspace, reader);
  const found = logged.map(async (id): Promise<readonly FoundSession[]> => {
    const log = await logIn(join(logs, id, 'main.jsonl'), id, reader);
    if (log === undefined) return [];
    const chat = chats.find((one) => one.id === id);
    const inner = (await reader.names(join(logs, id)))
      .filter((name) => name.endsWith('.jsonl') && name !== 'main.jsonl')
      .map((name) => logIn(join(logs, id, name), basename(name, '.jsonl'), reader));
    const windows = (await Promise.all(inner)).filter((one) => one !== undefined);
    const session = sessionFrom(log, chat, folder, reader);
    return [
      {
        ...session,
        inner: windows
          .map((one) => sessionFrom(one, undefined, folder, reader))
          .toSorted((a, b) => b.usedAt - a.usedAt),
      },
    ];
  });
  const withLog = (await Promise.all(found)).flat();
  const ids = new Set(withLog.map(({ id }) => id));
  const withoutLog = chats.filter(({ id }) => !ids.has(id ?? ''));
  return [...withLog, ...withoutLog.map((chat) => sessionFrom(chat, undefined, folder, reader))];
}

/** A session by its log and its chat, or by one of them. */
function sessionFrom(
  seen: Seen,
  chat: Seen | undefined,
  folder: string | undefined,
  reader: SessionReader,
): FoundSession {
  const { file, id = '', firstPrompt } = seen;
  const usedAt = Math.max(seen.usedAt, chat?.usedAt ?? 0);
  const isInTurn = (chat ?? seen).isInTurn === true;
  const prompt = chat?.firstPrompt ?? firstPrompt;
  return {
    agent: 'vscode',
    id,
    file,
    folder,
    title: chat?.title ?? seen.title ?? titleOfPrompt(prompt ?? id),
    usedAt,
    model: seen.model ?? chat?.model,
    tokens: seen.tokens ?? chat?.tokens,
    windowTokens: undefined,
    compactions: Math.max(seen.compactions, chat?.compactions ?? 0),
    isRunning: isInTurn && isRecent(usedAt, reader.now()),
    inner: [],
  };
}

async function chatsIn(folder: string, reader: SessionReader): Promise<readonly Seen[]> {
  const files = (await reader.names(folder)).filter((name) => /\.jsonl?$/.test(name));
  const found = files.map(async (name): Promise<readonly Seen[]> => {
    const file = join(folder, name);
    const seen = name.endsWith('.json')
      ? await reader.glance(file, glanceAtValue, 'whole')
      : await reader.glance(file, glanceAtChanges);
    // VS Code also keeps chats in which nothing was said yet.
    if (seen?.firstPrompt === undefined) return [];
    return [{ ...seen, file, id: name.replace(/\.jsonl?$/, '') }];
  });
  return (await Promise.all(found)).flat();
}

function glanceAtValue(bytes: Buffer, former: Glance): Glance {
  const value = parsed(bytes.toString('utf8'));
  return isObject(value) ? withChat({ ...former, compactions: 0 }, value) : former;
}

/** The first line is the chat, each other one a change of it. */
function glanceAtChanges(lines: Buffer, former: Glance): Glance {
  let found = former;
  for (const { kind, k: path, v: value } of linesOf(lines)) {
    if (kind === 0 && isObject(value)) found = withChat({ compactions: 0 }, value);
    if (!Array.isArray(path)) continue;
    const [list, , field]: readonly unknown[] = path;
    if (list === 'customTitle' && kind === 1) found = { ...found, title: textOf(value) };
    if (list !== 'requests') continue;
    if (kind === 2 && path.length === 1 && Array.isArray(value)) {
      found = value.filter(isObject).reduce<Glance>(withRequest, found);
    }
    if (kind === 1 && path.length === 3)
      found = withRequest(found, { [textOf(field) ?? '']: value });
  }
  return found;
}

function withChat(former: Glance, { customTitle, requests }: Fields): Glance {
  const title = textOf(customTitle);
  const list = Array.isArray(requests) ? requests.filter(isObject) : [];
  return list.reduce<Glance>(withRequest, { ...former, ...(title !== undefined && { title }) });
}

/** A request, or the field of one that has changed. */
function withRequest(former: Glance, request: Fields): Glance {
  const { message, modelId, result, modelState } = request;
  const about = isObject(result) ? result['metadata'] : undefined;
  const fields = isObject(about) ? about : {};
  const { promptTokens, outputTokens, summary, summaries } = fields;
  const made = Array.isArray(summaries) ? summaries.length : Number(isObject(summary));
  const tokens =
    sumOf(promptTokens, outputTokens) ??
    sumOf(request['promptTokens'], request['completionTokens']);
  const state = isObject(modelState) ? modelState['value'] : undefined;
  const isEnded = isObject(about) || state === 1 || state === 2 || state === 3;
  const begun = message === undefined ? former.isInTurn : true;
  return {
    ...former,
    firstPrompt: former.firstPrompt ?? textOf(isObject(message) ? message['text'] : message),
    model: textOf(fields['resolvedModel']) ?? textOf(modelId) ?? former.model,
    tokens: tokens ?? former.tokens,
    compactions: former.compactions + made,
    isInTurn: isEnded ? false : begun,
  };
}

async function logIn(file: string, id: string, reader: SessionReader): Promise<Seen | undefined> {
  const seen = await reader.glance(file, glanceAtLog);
  if (seen === undefined || (seen.firstPrompt ?? seen.model) === undefined) return undefined;
  return { ...seen, file, id };
}

function glanceAtLog(lines: Buffer, former: Glance): Glance {
  let found = former;
  for (const { type, attrs } of linesOf(lines)) {
    if (!isObject(attrs)) continue;
    if (type === 'user_message') {
      found = { ...found, firstPrompt: found.firstPrompt ?? textOf(attrs['content']) };
    } else if (type === 'turn_start' || type === 'turn_end') {
      found = { ...found, isInTurn: type === 'turn_start' };
    } else if (type === 'llm_request') found = withLogged(found, attrs);
  }
  return found;
}

/** Enough of a summary to know it again; characters. */
const OF_SUMMARY = 500;

function withLogged(former: Glance, { model, inputTokens, outputTokens, inputMessages }: Fields) {
  const sent = textOf(inputMessages) ?? '';
  const at = sent.lastIndexOf('<conversation-summary>');
  const end = sent.indexOf('</conversation-summary>', at);
  const summary =
    at === -1
      ? former.summary
      : sent.slice(at, Math.min(end === -1 ? Infinity : end, at + OF_SUMMARY));
  return {
    ...former,
    model: textOf(model) ?? former.model,
    tokens: sumOf(inputTokens, outputTokens) ?? former.tokens,
    compactions: former.compactions + Number(summary !== former.summary),
    summary,
  };
}
