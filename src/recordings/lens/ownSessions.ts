import { basename, join } from 'node:path';
import { promptParts } from '../../contextWindow/attached';
import { isObject } from '../../contextWindow/json';
import { editorFolders, folderOf } from './editorFolders';
import type { FoundSession, Glance, Machine, SessionReader } from './foundSession';
import { LONGEST_SILENCE_MS } from './runningProcess';
import { linesOf, linesWith, sumOf, textOf, titleOfPrompt } from './sessionLines';

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
        isRunning: isInTurn === true && reader.now() - usedAt < LONGEST_SILENCE_MS,
        inner: [],
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

function glance(lines: Buffer, former: Glance): Glance {
  return {
    ...former,
    ...(former.firstPrompt === undefined && beginningOf(lines, former)),
    ...titleIn(lines),
    ...newestReply(lines),
    compactions: former.compactions + passesIn(lines),
    isInTurn: isInTurn(lines) ?? former.isInTurn,
  };
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
  for (const { type, model, usage } of linesWith(lines, '"type":"replyReceived"')) {
    if (type !== 'replyReceived' || !isObject(usage)) continue;
    const { inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens } = usage;
    const tokens = sumOf(inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens);
    if (tokens !== undefined) return { tokens, model: textOf(model) };
  }
  return {};
}

/** The passes, without changes that the user made by hand. */
function passesIn(lines: Buffer): number {
  const passes = [...linesWith(lines, '"type":"passApplied"')];
  return passes.filter(
    ({ type, pass }) => type === 'passApplied' && isObject(pass) && pass['trigger'] !== 'byHand',
  ).length;
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
