import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import { isSessionContext, summaryAt } from '../geminiHistory';
import { parsed } from '../readJson';
import type { AgentSessions, FoundSession, Glance, SessionReader } from './foundSession';
import { isRecent } from './runningProcess';
import { linesOf, sumOf, textOf, titleOfPrompt } from './sessionLines';

/**
 * Gemini CLI: `tmp/<project>/chats/session-*.jsonl`, in older versions `.json`, and sub-agents in
 * `chats/<id of the session>/`. A project is named by its slug, and its folder is in
 * `.project_root`; older ones are named by the hash of their folder.
 */
export const GEMINI_CLI: AgentSessions = {
  name: 'Gemini CLI',
  places: ({ home, environment }) => [join(environment['GEMINI_CLI_HOME'] || home, '.gemini')],
  async find(place, folder, reader) {
    const projects = join(place, 'tmp');
    const names = await reader.names(projects);
    const found = names.map((name) => sessionsIn(join(projects, name), folder, reader));
    return (await Promise.all(found)).flat();
  },
};

async function sessionsIn(
  project: string,
  wanted: string | undefined,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const chats = join(project, 'chats');
  const names = await reader.names(chats);
  if (names.length === 0) return [];
  const root = textOf(await reader.text(join(project, '.project_root')))?.trim();
  const folder = root ?? (isHashOf(basename(project), wanted) ? wanted : undefined);
  const read = async (path: string) => {
    const files = (await reader.names(path)).filter((name) => /\.jsonl?$/.test(name));
    return (
      await Promise.all(files.map((name) => sessionIn(join(path, name), folder, reader)))
    ).flat();
  };
  const own = await read(chats);
  return Promise.all(
    own.map(async (session) => {
      const inner = names.includes(session.id) ? await read(join(chats, session.id)) : [];
      return { ...session, inner: inner.toSorted((a, b) => b.usedAt - a.usedAt) };
    }),
  );
}

function isHashOf(name: string, folder: string | undefined): boolean {
  return folder !== undefined && createHash('sha256').update(folder).digest('hex') === name;
}

async function sessionIn(
  file: string,
  folder: string | undefined,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const found = file.endsWith('.json')
    ? await reader.glance(file, glanceAtValue, 'whole')
    : await reader.glance(file, glance);
  if (found === undefined || (found.firstPrompt === undefined && found.tokens === undefined)) {
    return [];
  }
  const { model, tokens, compactions, usedAt } = found;
  const id = found.id ?? basename(file).replace(/\.jsonl?$/, '');
  const title = found.title ?? titleOfPrompt(found.firstPrompt ?? '');
  const isRunning = found.isInTurn === true && isRecent(usedAt, reader.now());
  const session = { agent: 'gemini-cli' as const, id, file, folder, title, usedAt, model, tokens };
  return [{ ...session, windowTokens: undefined, compactions, isRunning, inner: [] }];
}

function glanceAtValue(bytes: Buffer, former: Glance): Glance {
  const value = parsed(bytes.toString('utf8'));
  return isObject(value) ? glanceAt(value, former) : former;
}

function glance(lines: Buffer, former: Glance): Glance {
  let found = former;
  for (const value of linesOf(lines)) found = glanceAt(value, found);
  return found;
}

/** A record is the head, a message, or a change of either. */
function glanceAt(value: Readonly<Record<string, unknown>>, former: Glance): Glance {
  const fields = isObject(value['$set']) ? value['$set'] : value;
  const list = fields['messages'];
  const messages = Array.isArray(list) ? list : [fields];
  const summary = textOf(fields['summary']);
  const head: Glance = {
    ...former,
    id: former.id ?? textOf(value['sessionId']),
    ...(summary !== undefined && { title: titleOfPrompt(summary) }),
  };
  const seen = messages.filter(isObject).reduce<Glance>(withMessage, head);
  const first: unknown = Array.isArray(list) ? list[summaryAt(list)] : undefined;
  // The first prompt may quote a summary.
  const isPrompt = isObject(first) && saidIn(first['content']) === former.firstPrompt;
  return isPrompt ? seen : withSummary(seen, first);
}

/** What the next request has begins with the summary of the last compaction, also once it is resumed. */
function withSummary(former: Glance, message: unknown): Glance {
  const summary = isObject(message) ? textOf(message['id']) : undefined;
  if (summary === undefined || summary === former.summary) return former;
  return { ...former, summary, compactions: former.compactions + 1 };
}

function withMessage(former: Glance, message: Readonly<Record<string, unknown>>): Glance {
  const { type, content, model, tokens, toolCalls } = message;
  if (type === 'user') {
    const said = saidIn(content);
    if (said !== undefined && isSessionContext(said)) return former;
    return { ...former, isInTurn: true, firstPrompt: former.firstPrompt ?? said };
  }
  if (type !== 'gemini') return former;
  // The input includes the tokens read from the cache.
  const { input, tool, output, thoughts } = isObject(tokens) ? tokens : {};
  return {
    ...former,
    model: textOf(model) ?? former.model,
    tokens: sumOf(input, tool, output, thoughts) ?? former.tokens,
    isInTurn: Array.isArray(toolCalls) && toolCalls.length > 0,
  };
}

function saidIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textOf(content);
  return content
    .map((part) => textOf(isObject(part) ? part['text'] : part))
    .find((text) => text !== undefined);
}
