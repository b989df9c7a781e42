import { basename, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import { LOCAL_COMMAND, typedCommand } from '../claudeCode';
import { parsed } from '../readJson';
import type { AgentSessions, FoundSession, Glance, SessionReader } from './foundSession';
import { isAlive } from './runningProcess';
import { isCopy, linesOf, linesWith, sumOf, textOf, titleOfPrompt } from './sessionLines';

/**
 * Claude Code: `projects/<folder>/<id>.jsonl`, its sub-agents in `<id>/subagents/agent-*.jsonl`, older
 * ones next to the session; `sessions/<pid>.json` names the running ones.
 */
export const CLAUDE_CODE: AgentSessions = {
  name: 'Claude Code',
  places: ({ home, environment }) => [environment['CLAUDE_CONFIG_DIR'] || join(home, '.claude')],
  async find(place, folder, reader) {
    const projects = join(place, 'projects');
    const names = await reader.names(projects);
    const isWanted = folder === undefined ? () => true : nameTest(folder);
    const running = runningIn(place, reader);
    const found = names
      .filter(isWanted)
      .map((name) => sessionsIn(join(projects, name), running, reader));
    return (await Promise.all(found)).flat();
  },
};

/**
 * Tests the names of project folders: the path of the folder or of one below it, with every other
 * character than a letter or a digit replaced. Paths that differ only there share a name, so a
 * session's own lines decide.
 */
function nameTest(folder: string): (name: string) => boolean {
  const plain = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-');
  const wanted = plain(folder);
  return (name) => plain(name) === wanted || plain(name).startsWith(`${wanted}-`);
}

async function sessionsIn(
  project: string,
  running: Promise<ReadonlySet<string>>,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const names = await reader.names(project);
  const logs = names.filter((name) => name.endsWith('.jsonl'));
  const read = (file: string) => sessionIn(file, running, reader);
  const found = await Promise.all(logs.map((name) => read(join(project, name))));
  const [own, subagents] = [[] as FoundSession[], [] as InnerSession[]];
  for (const session of found.flat()) {
    if (session.parent === undefined) own.push(session);
    else subagents.push(session);
  }
  return Promise.all(
    own.map(async (session) => {
      const inner = join(project, session.id, 'subagents');
      const innerNames = names.includes(session.id) ? await reader.names(inner) : [];
      const files = innerNames.filter((name) => /^agent-.*\.jsonl$/.test(name));
      const below = await Promise.all(files.map((name) => read(join(inner, name))));
      const beside = subagents.filter(({ parent }) => parent === session.id);
      return {
        ...session,
        inner: [...below.flat(), ...beside].toSorted((a, b) => b.usedAt - a.usedAt),
      };
    }),
  );
}

type InnerSession = FoundSession & { readonly parent?: string };

async function sessionIn(
  file: string,
  running: Promise<ReadonlySet<string>>,
  reader: SessionReader,
): Promise<readonly InnerSession[]> {
  const found = await reader.glance(file, glance);
  // A file with titles only belongs to a session elsewhere.
  const asked = found?.firstPrompt ?? found?.copiedPrompt;
  if (found === undefined || (asked === undefined && found.tokens === undefined)) return [];
  const { parent, folder, model, tokens, windowTokens, compactions, usedAt } = found;
  const id = basename(file, '.jsonl');
  const described = parent === undefined ? undefined : await descriptionOf(file, reader);
  const title = described ?? found.title ?? titleOfPrompt(asked ?? '');
  const isRunning = parent === undefined && (await running).has(id);
  const session = { agent: 'claude-code' as const, id, file, folder, title, usedAt, model };
  return [{ ...session, tokens, windowTokens, compactions, isRunning, inner: [], parent }];
}

/** What a sub-agent was started for, by the file next to its session. */
async function descriptionOf(file: string, reader: SessionReader): Promise<string | undefined> {
  const meta = parsed((await reader.text(file.replace(/\.jsonl$/, '.meta.json'))) ?? '');
  if (!isObject(meta)) return undefined;
  return textOf(meta['description']) ?? textOf(meta['agentType']);
}

/** The ids of the sessions whose process is alive. */
async function runningIn(place: string, reader: SessionReader): Promise<ReadonlySet<string>> {
  const folder = join(place, 'sessions');
  const names = (await reader.names(folder)).filter((name) => /^\d+\.json$/.test(name));
  const ids = await Promise.all(
    names.map(async (name) => {
      const named = parsed((await reader.text(join(folder, name))) ?? '');
      const id = isObject(named) ? textOf(named['sessionId']) : undefined;
      return id !== undefined && isAlive(Number.parseInt(name, 10)) ? [id] : [];
    }),
  );
  return new Set(ids.flat());
}

/** Names that Claude Code gives a session, the most important one first. */
const TITLES = [
  ['custom-title', 'customTitle'],
  ['ai-title', 'aiTitle'],
  ['summary', 'summary'],
] as const;

/** Longest search for the first prompt; lines. */
const FIRST_LINES = 300;

function glance(lines: Buffer, former: Glance): Glance {
  const found = { ...former, ...(former.firstPrompt === undefined && beginningOf(lines, former)) };
  // A fork may begin with the compaction of its origin: that is before its first reply.
  const reply = former.tokens === undefined ? lines.indexOf('"type":"assistant"') : 0;
  return {
    ...found,
    ...titleIn(lines, former.title),
    ...newestCount(lines),
    ...(reply === -1 ? {} : compactionsIn(lines.subarray(reply), found)),
  };
}

/** Counts the compactions; the line of the newest one is written again next to what it kept. */
function compactionsIn(lines: Buffer, former: Glance): Pick<Glance, 'compactions' | 'summary'> {
  let { compactions, summary } = former;
  for (const line of [...linesWith(lines, COMPACTION)].toReversed()) {
    const id = textOf(line['uuid']);
    if ((id !== undefined && id === summary) || isCopy(line, former.begunAt)) continue;
    summary = id;
    compactions += 1;
  }
  return { compactions, summary };
}

const COMPACTION = '"subtype":"compact_boundary"';

function beginningOf(lines: Buffer, former: Glance): Partial<Glance> {
  let found: Partial<Glance> = { begunAt: former.begunAt, copiedPrompt: former.copiedPrompt };
  const commands = new Map<unknown, string>();
  let left = FIRST_LINES;
  for (const value of linesOf(lines)) {
    // The prompt that continues another session is noted before the copies of that one.
    const isFirst = found.folder === undefined && value['type'] === 'queue-operation';
    const begunAt = found.begunAt ?? (isFirst ? textOf(value['timestamp']) : undefined);
    const isCopied = isCopy(value, begunAt);
    if (!isCopied) left -= 1;
    if (left < 0) break;
    const isInner = value['isSidechain'] === true;
    const folder = found.folder ?? textOf(value['cwd']);
    const parent = isInner ? textOf(value['sessionId']) : undefined;
    found = { ...found, begunAt, folder, ...(found.parent === undefined && { parent }) };
    const text = promptIn(value, commands);
    if (text === undefined) continue;
    if (!isCopied) return { ...found, firstPrompt: text };
    found = { ...found, copiedPrompt: found.copiedPrompt ?? text };
  }
  return found;
}

/** What the user asked in a line; commands are remembered until the line with their text. */
function promptIn(
  value: Readonly<Record<string, unknown>>,
  commands: Map<unknown, string>,
): string | undefined {
  if (value['type'] !== 'user') return undefined;
  const texts = textsIn(value);
  const [written = ''] = texts;
  const isCommand = LOCAL_COMMAND.test(written);
  // A command that stands for a text is a prompt; the text is on a line of its own.
  if (value['isMeta'] === true) return isCommand ? undefined : commands.get(value['parentUuid']);
  // A fork may begin with the summary of its origin.
  if (value['isCompactSummary'] === true) return undefined;
  if (isCommand) commands.set(value['uuid'], typedCommand(written));
  return texts.find((one) => !/^\s*(<|Caveat:)/.test(one));
}

/** The texts of a user's line; none for results. */
function textsIn({ message }: Readonly<Record<string, unknown>>): readonly string[] {
  const content = isObject(message) ? message['content'] : undefined;
  const parts: readonly unknown[] = Array.isArray(content)
    ? content
    : [{ type: 'text', text: content }];
  return parts.flatMap((part) =>
    isObject(part) && part['type'] === 'text' ? (textOf(part['text']) ?? []) : [],
  );
}

function titleIn(lines: Buffer, former: string | undefined): Pick<Glance, 'title'> {
  for (const [type, field] of TITLES) {
    for (const value of linesWith(lines, `"type":"${type}"`)) {
      const title = value['type'] === type ? textOf(value[field]) : undefined;
      if (title !== undefined) return { title: titleOfPrompt(title) };
    }
  }
  return { title: former };
}

/** The usage and the model of the newest reply of the session itself. */
function newestCount(lines: Buffer): Pick<Glance, 'model' | 'tokens'> {
  for (const value of linesWith(lines, '"usage":{')) {
    const { message } = value;
    if (value['type'] !== 'assistant' || !isObject(message)) continue;
    const { usage, model } = message;
    const tokens = isObject(usage)
      ? sumOf(
          usage['input_tokens'],
          usage['cache_creation_input_tokens'],
          usage['cache_read_input_tokens'],
          usage['output_tokens'],
        )
      : undefined;
    if (tokens !== undefined) return { tokens, model: textOf(model) };
  }
  return {};
}
