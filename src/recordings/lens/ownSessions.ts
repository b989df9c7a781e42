import { basename, join } from 'node:path';
import { promptParts } from '../../contextWindow/attached';
import { isObject } from '../../contextWindow/json';
import { editorFolders, folderOf } from './editorFolders';
import type { FoundSession, Glance, Machine, SessionReader } from './foundSession';
import { isRecent } from './runningProcess';
import { linesOf, linesWith, sumOf, textOf, titleOfPrompt } from './sessionLines';
import { storedName } from './storedSessions';

/** What a sub-agent is called whose log names none. */
const UNNAMED = 'Sub-agent';

type Fields = Readonly<Record<string, unknown>>;

/** Plimsoll's own sessions, in the storage of each workspace of VS Code and its relatives. */
export async function ownSessions(
  machine: Machine,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const found = editorFolders(machine).map(async (editor) => {
    const storage = join(editor, 'workspaceStorage');
    const workspaces = await reader.names(storage);
    return Promise.all(workspaces.map((name) => sessionsOf(join(storage, name), reader)));
  });
  return (await Promise.all(found)).flat(2);
}

async function sessionsOf(
  workspace: string,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const folder = join(workspace, 'plimsoll.plimsoll', 'sessions');
  const logs = (await reader.names(folder)).filter((name) => name.endsWith('.jsonl'));
  if (logs.length === 0) return [];
  const workedIn = await folderOf(workspace, reader);
  const found = logs.map(async (name): Promise<readonly FoundSession[]> => {
    const file = join(folder, name);
    const session = await reader.glance(file, glance);
    if (session?.firstPrompt === undefined) return [];
    const { title, firstPrompt, usedAt, model, tokens, compactions, isInTurn } = session;
    const isRunning = isInTurn === true && isRecent(usedAt, reader.now());
    const inner = [...(session.subAgents ?? [])].map(([call, { at, ...found }]) => ({
      agent: 'plimsoll' as const,
      id: call,
      file: storedName(file, call),
      folder: workedIn,
      title: subAgentTitle(found),
      usedAt: at,
      model: found.model,
      tokens: found.tokens,
      windowTokens: undefined,
      compactions: found.compactions,
      isRunning: isRunning && found.isInTurn === true,
      inner: [],
    }));
    return [
      {
        agent: 'plimsoll',
        id: session.id ?? basename(name, '.jsonl'),
        file,
        folder: workedIn,
        title: title ?? titleOfPrompt(firstPrompt),
        usedAt,
        model,
        tokens,
        windowTokens: undefined,
        compactions,
        isRunning,
        inner: inner.toSorted((a, b) => b.usedAt - a.usedAt),
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

function subAgentTitle({ title, firstPrompt }: Pick<Glance, 'title' | 'firstPrompt'>): string {
  const known = [title, firstPrompt].filter((text) => text !== undefined);
  return known.length === 0 ? UNNAMED : titleOfPrompt(known.join(': '));
}

function glance(lines: Buffer, former: Glance): Glance {
  return {
    ...former,
    ...(former.firstPrompt === undefined && beginningOf(lines, former)),
    ...titleIn(lines),
    ...newestReply(lines),
    compactions: former.compactions + passesIn(lines),
    isInTurn: isInTurn(lines) ?? former.isInTurn,
    subAgents: subAgentsIn(lines, former.subAgents),
  };
}

function subAgentsIn(lines: Buffer, former: Glance['subAgents']): Glance['subAgents'] {
  const events = [...linesWith(lines, '"type":"subAgentEvent"')].toReversed();
  if (events.length === 0) return former;
  const found = new Map(former);
  for (const { at, toolUseId, event } of events) {
    const id = textOf(toolUseId);
    if (id === undefined || !isObject(event) || typeof at !== 'number') continue;
    found.set(id, { ...subAgentAfter(found.get(id) ?? { compactions: 0 }, event), at });
  }
  return found;
}

/** A sub-agent after one more of its events. */
function subAgentAfter(former: Glance, event: Fields): Glance {
  switch (event['type']) {
    case 'sessionStarted':
      return { ...former, title: textOf(event['subAgent']) ?? UNNAMED, isInTurn: true };
    case 'promptSubmitted':
      return { ...former, firstPrompt: former.firstPrompt ?? textOf(event['text']) };
    case 'replyReceived':
      return { ...former, ...replyIn(event) };
    case 'passApplied':
      return { ...former, compactions: former.compactions + (isPassOfPolicy(event) ? 1 : 0) };
    case 'turnEnded':
      return { ...former, isInTurn: false };
    default:
      return former;
  }
}

function beginningOf(lines: Buffer, former: Glance): Partial<Glance> {
  let { id } = former;
  for (const value of linesOf(lines)) {
    if (value['type'] === 'sessionStarted') id ??= textOf(value['sessionId']);
    const text = value['type'] === 'promptSubmitted' ? textOf(value['text']) : undefined;
    if (text !== undefined) return { id, firstPrompt: promptParts(text).typed };
  }
  return { id };
}

function titleIn(lines: Buffer): Pick<Glance, 'title'> {
  for (const { type, key, value } of linesWith(lines, '"type":"stateSet"')) {
    const title = type === 'stateSet' && key === 'title' ? textOf(value) : undefined;
    if (title !== undefined) return { title };
  }
  return {};
}

function newestReply(lines: Buffer): Pick<Glance, 'model' | 'tokens'> {
  for (const event of linesWith(lines, '"type":"replyReceived"')) {
    const found = event['type'] === 'replyReceived' ? replyIn(event) : {};
    if (found.tokens !== undefined) return found;
  }
  return {};
}

function replyIn({ model, usage }: Fields): Pick<Glance, 'model' | 'tokens'> {
  if (!isObject(usage)) return {};
  const { inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens } = usage;
  const tokens = sumOf(inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens);
  return tokens === undefined ? {} : { tokens, model: textOf(model) };
}

function passesIn(lines: Buffer): number {
  const passes = [...linesWith(lines, '"type":"passApplied"')];
  return passes.filter((event) => event['type'] === 'passApplied' && isPassOfPolicy(event)).length;
}

/** Changes that the user made by hand are no compactions. */
function isPassOfPolicy({ pass }: Fields): boolean {
  return isObject(pass) && pass['trigger'] !== 'byHand';
}

/** Whether the last turn in these lines has not ended; undefined if none begins or ends in them. */
function isInTurn(lines: Buffer): boolean | undefined {
  const begun = lastOf(lines, 'promptSubmitted');
  const ended = lastOf(lines, 'turnEnded');
  return begun === -1 && ended === -1 ? undefined : begun > ended;
}

/** Bytes of a line before the type of its event: the time. */
const BEFORE_TYPE = 40;

/** Where the last event of a type is; those of sub-agents, inside other events, do not count. */
function lastOf(lines: Buffer, type: string): number {
  const name = `"type":"${type}"`;
  for (let at = lines.lastIndexOf(name); at !== -1; at = lines.lastIndexOf(name, at - 1)) {
    const start = lines.lastIndexOf('\n', at) + 1;
    if (at - start < BEFORE_TYPE) return at;
    if (at === 0) break;
  }
  return -1;
}
