import { basename, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import { isOfAgent, isRemoval } from '../copilotCli';
import { parsed } from '../readJson';
import type { AgentSessions, FoundSession, Glance, SessionReader } from './foundSession';
import { isAlive } from './runningProcess';
import { linesOf, linesWith, occurrences, sumOf, textOf, titleOfPrompt } from './sessionLines';

/**
 * Copilot CLI, and VS Code's agent that runs on it: `session-state/<id>/events.jsonl`, in older
 * versions `session-state/<id>.jsonl`. `inuse.<pid>.lock` next to the events says that it runs.
 */
export const COPILOT_CLI: AgentSessions = {
  name: 'Copilot CLI',
  places: ({ home, environment }) => [environment['COPILOT_HOME'] || join(home, '.copilot')],
  async find(place, _folder, reader) {
    const states = join(place, 'session-state');
    const names = await reader.names(states);
    const found = names.map((name) =>
      name.endsWith('.jsonl')
        ? sessionIn(join(states, name), basename(name, '.jsonl'), undefined, reader)
        : sessionIn(join(states, name, 'events.jsonl'), name, join(states, name), reader),
    );
    return (await Promise.all(found)).flat();
  },
};

/** `state` is the session's own folder, if it has one. */
async function sessionIn(
  file: string,
  id: string,
  state: string | undefined,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const found = await reader.glance(file, glance);
  if (found === undefined || (found.firstPrompt === undefined && found.model === undefined)) {
    return [];
  }
  const { folder, model, tokens, compactions, usedAt } = found;
  const [named, isRunning] =
    state === undefined
      ? [undefined, false]
      : await Promise.all([nameIn(state, reader), isUsed(state, reader)]);
  const title = named ?? titleOfPrompt(found.firstPrompt ?? '');
  const session = { agent: 'copilot-cli' as const, id, file, folder, title, usedAt, model, tokens };
  return [{ ...session, windowTokens: undefined, compactions, isRunning, inner: [] }];
}

/** The session's name, which is a line of its workspace.yaml. */
async function nameIn(state: string, reader: SessionReader): Promise<string | undefined> {
  const text = (await reader.text(join(state, 'workspace.yaml'))) ?? '';
  const [, written = ''] = /^(?:name|summary): *(\S.*)$/m.exec(text) ?? [];
  // The first sign of a quoted text, of one on several lines, or of no text.
  if (/^[|>'&*!{[]|^(?:null|~)$/.test(written)) return undefined;
  const name = textOf(written.startsWith('"') ? parsed(written) : written);
  return name === undefined ? undefined : titleOfPrompt(name);
}

async function isUsed(state: string, reader: SessionReader): Promise<boolean> {
  const names = await reader.names(state);
  return names.some((name) => {
    const [, pid] = /^inuse\.(\d+)\.lock$/.exec(name) ?? [];
    return pid !== undefined && isAlive(Number(pid));
  });
}

function glance(lines: Buffer, former: Glance): Glance {
  return {
    ...former,
    ...beginningOf(lines, former),
    ...newestModel(lines),
    ...(newestUsage(lines) ?? countAtEnd(lines)),
    compactions: former.compactions + compactionsIn(lines),
  };
}

function beginningOf(lines: Buffer, former: Glance): Partial<Glance> {
  if (former.firstPrompt !== undefined) return {};
  let { folder } = former;
  for (const { type, data } of linesOf(lines)) {
    if (!isObject(data)) continue;
    const { context } = data;
    if (type === 'session.start' && isObject(context)) folder ??= textOf(context['cwd']);
    const firstPrompt = type === 'user.message' ? textOf(data['content']) : undefined;
    if (firstPrompt !== undefined) return { folder, firstPrompt };
  }
  return { folder };
}

function newestModel(lines: Buffer): Pick<Glance, 'model'> {
  for (const event of linesWith(lines, '{"type":"assistant.message"')) {
    const { type, data } = event;
    // A sub-agent may have another model.
    if (type !== 'assistant.message' || !isObject(data) || data['parentToolCallId']) continue;
    if (isOfAgent(event)) continue;
    const model = textOf(data['model']);
    if (model !== undefined) return { model };
  }
  for (const { type, data } of linesWith(lines, '{"type":"session.model_change"')) {
    const model = isObject(data) ? textOf(data['newModel']) : undefined;
    if (type === 'session.model_change' && model !== undefined) return { model };
  }
  return {};
}

/** The usage of the newest request of the session itself; only newer versions record it. */
function newestUsage(lines: Buffer): Pick<Glance, 'tokens'> | undefined {
  for (const { data } of linesWith(lines, '{"type":"session.usage_record"')) {
    const usage = isObject(data) ? data['usage'] : undefined;
    if (!isObject(usage) || usage['interactionType'] !== 'conversation-agent') continue;
    const tokens = sumOf(usage['inputTokens'], usage['outputTokens']);
    if (tokens !== undefined) return { tokens };
  }
  return undefined;
}

/** In older versions the input is counted only when the session is shut down, and changes with the next request. */
function countAtEnd(lines: Buffer): Pick<Glance, 'tokens'> {
  const ended = lines.lastIndexOf('{"type":"session.shutdown"');
  const asked = lines.lastIndexOf('{"type":"assistant.message"');
  if (ended < asked) return { tokens: undefined };
  const [last] = ended === -1 ? [] : linesWith(lines.subarray(ended), '{"type":"session.shutdown"');
  const data = last?.['data'];
  const tokens = isObject(data) ? sumOf(data['currentTokens']) : undefined;
  return tokens === undefined ? {} : { tokens };
}

const COMPACTIONS = [
  'session.compaction_complete',
  'session.truncation',
  'session.context_cleared',
];

function compactionsIn(lines: Buffer): number {
  return COMPACTIONS.reduce((sum, type) => sum + compactionsOf(lines, type), 0);
}

function compactionsOf(lines: Buffer, type: string): number {
  const text = `{"type":"${type}"`;
  if (occurrences(lines, text) === 0) return 0;
  return [...linesWith(lines, text)].filter((event) => {
    const { type: own, data } = event;
    if (own !== type || !isObject(data) || isOfAgent(event)) return false;
    return own === 'session.compaction_complete' ? data['success'] !== false : isRemoval(event);
  }).length;
}
