import { join } from 'node:path';
import { promptTokens } from '../../contextWindow/account/spending';
import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';
import { withoutWrapper } from '../cline';
import { usageOfUnclearInput } from '../recordedItem';
import { extensionFolders } from './editorFolders';
import type { AgentSessions, FoundSession, Glance, SessionReader } from './foundSession';
import { isAlive, isRecent } from './runningProcess';
import { occurrences, textOf, titleOfPrompt } from './sessionLines';

/**
 * Cline: `sessions/<id>/<id>.messages.json` with `<id>.json` in `~/.cline/data`, and `tasks/<id>` of
 * the older versions in the storage of the extension.
 */
export const CLINE: AgentSessions = {
  name: 'Cline',
  places: (machine) => [
    join(machine.home, '.cline', 'data'),
    ...extensionFolders('saoudrizwan.claude-dev', machine),
  ],
  async find(place, _folder, reader) {
    const [sessions, tasks] = await Promise.all([
      sessionsIn(join(place, 'sessions'), reader),
      tasksIn('cline', place, reader),
    ]);
    return [...sessions, ...tasks];
  },
};

/** Roo: `tasks/<id>` in the storage of the extension. */
export const ROO: AgentSessions = {
  name: 'Roo',
  places: (machine) => extensionFolders('rooveterinaryinc.roo-cline', machine),
  find: (place, _folder, reader) => tasksIn('roo', place, reader),
};

async function sessionsIn(place: string, reader: SessionReader): Promise<readonly FoundSession[]> {
  const ids = await reader.names(place);
  const found = ids.map(async (id): Promise<readonly FoundSession[]> => {
    const [about, names] = await Promise.all([
      reader.text(join(place, id, `${id}.json`)).then(parsedText),
      reader.names(join(place, id)),
    ]);
    const fields = isObject(about) ? about : {};
    const windows = await Promise.all(
      names
        .filter((name) => name.endsWith(MESSAGES))
        .map((name) => windowIn(join(place, id), name.slice(0, -MESSAGES.length), names, reader)),
    );
    const folder = textOf(fields['cwd']) ?? textOf(fields['workspace_root']);
    const session = windows.flat().find((one) => one.id === id);
    if (session === undefined) return [];
    // Sub-agents and teammates are files next to the session.
    const inner = windows.flat().filter((one) => one !== session);
    const { pid, status, prompt, metadata } = fields;
    const title = textOf(isObject(metadata) ? metadata['title'] : undefined) ?? textOf(prompt);
    return [
      {
        ...session,
        folder,
        title: title === undefined ? session.title : titleOfPrompt(title),
        model: session.model ?? textOf(fields['model']),
        isRunning: status === 'running' && typeof pid === 'number' && isAlive(pid),
        inner: inner
          .map((one) => ({ ...one, folder }))
          .toSorted((one, other) => other.usedAt - one.usedAt),
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

const MESSAGES = '.messages.json';

/** One window of a session: its own, or that of a sub-agent. */
async function windowIn(
  folder: string,
  id: string,
  names: readonly string[],
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const file = join(folder, `${id}${MESSAGES}`);
  const found = await reader.glance(file, glanceAtSession, 'whole');
  if (found?.firstPrompt === undefined) return [];
  return [
    {
      agent: 'cline',
      id,
      file,
      folder: undefined,
      title: titleOfPrompt(withoutWrapper(found.firstPrompt)),
      usedAt: found.usedAt,
      model: found.model,
      tokens: found.tokens,
      windowTokens: undefined,
      // Only the newest one is stored.
      compactions: Number(names.includes(`${id}.compaction.json`)),
      isRunning: false,
      inner: [],
    },
  ];
}

function glanceAtSession(bytes: Buffer, former: Glance): Glance {
  const value = parsed(bytes.toString('utf8'));
  const list = isObject(value) ? value['messages'] : undefined;
  const messages = Array.isArray(list) ? list.filter(isObject) : [];
  const first = messages.find(({ role }) => role === 'user');
  const last = messages.findLast(({ metrics }) => isObject(metrics));
  const { metrics, modelInfo } = last ?? {};
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = isObject(metrics)
    ? metrics
    : {};
  return {
    ...former,
    firstPrompt: firstText(first?.['content']),
    model: isObject(modelInfo) ? textOf(modelInfo['id']) : undefined,
    tokens: tokensOf(inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens),
  };
}

function firstText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textOf(content);
  return content
    .map((part) => (isObject(part) ? textOf(part['text']) : undefined))
    .find((text) => text !== undefined);
}

function tokensOf(
  input: unknown,
  output: unknown,
  cacheRead: unknown,
  cacheCreation: unknown,
): number | undefined {
  const usage = usageOfUnclearInput({ input, output, cacheRead, cacheCreation });
  return usage === undefined ? undefined : promptTokens(usage) + usage.outputTokens;
}

async function tasksIn(
  agent: 'cline' | 'roo',
  place: string,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const ids = await reader.names(join(place, 'tasks'));
  if (ids.length === 0) return [];
  const listed = await tasksListed(place, reader);
  const found = ids.map(async (id): Promise<readonly FoundSession[]> => {
    const task = join(place, 'tasks', id);
    const file = join(task, 'api_conversation_history.json');
    const [sent, shown, about] = await Promise.all([
      reader.glance(file, glanceAtSent, 'whole'),
      reader.glance(join(task, 'ui_messages.json'), glanceAtShown, 'whole'),
      listed.get(id) ?? reader.text(join(task, 'history_item.json')).then(parsedText),
    ]);
    if (sent === undefined) return [];
    const fields = isObject(about) ? about : {};
    const usedAt = Math.max(sent.usedAt, shown?.usedAt ?? 0);
    return [
      {
        agent,
        id,
        file,
        folder:
          textOf(fields['workspace']) ?? textOf(fields['cwdOnTaskInitialization']) ?? sent.folder,
        title: titleOfPrompt(textOf(fields['task']) ?? sent.firstPrompt ?? ''),
        usedAt,
        model: textOf(fields['modelId']) ?? sent.model,
        tokens: shown?.tokens,
        windowTokens: undefined,
        compactions: shown?.compactions ?? 0,
        isRunning: isRecent(usedAt, reader.now()) && shown?.isInTurn === true,
        inner: [],
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

function parsedText(text: string | undefined): unknown {
  return parsed(text ?? '');
}

/** What Cline's list of tasks says, by their ids. */
async function tasksListed(
  place: string,
  reader: SessionReader,
): Promise<ReadonlyMap<string, unknown>> {
  const list = parsedText(await reader.text(join(place, 'state', 'taskHistory.json')));
  const tasks = Array.isArray(list) ? list.filter(isObject) : [];
  return new Map(
    tasks.flatMap((task) => {
      const { id } = task;
      return typeof id === 'string' || typeof id === 'number' ? [[`${id}`, task] as const] : [];
    }),
  );
}

/** The first message begins with the task, and names the folder; bytes. */
const BEGINNING = 200_000;

function glanceAtSent(bytes: Buffer, former: Glance): Glance {
  const beginning = bytes.toString('utf8', 0, BEGINNING);
  const written =
    /# Current (?:Workspace|Working) Directory \(((?:[^"\\)]|\\\\){1,4096})\) Files/.exec(
      beginning,
    )?.[1];
  const [, prompt] = /<(?:task|user_message)>((?:[^"\\<]|\\.)+)/.exec(beginning) ?? [];
  // Roo names the model in the details of the newest message.
  const at = bytes.lastIndexOf('</name>\\n<model>');
  const named = at === -1 ? '' : bytes.toString('utf8', at, at + LONGEST_MODEL);
  return {
    ...former,
    model: /<model>([^<"\\]+)</.exec(named)?.[1],
    folder: written === undefined ? undefined : textOf(parsed(`"${written}"`)),
    firstPrompt: prompt === undefined ? undefined : textOf(parsed(`"${prompt}"`)),
  };
}

/** With the tags around it; bytes. */
const LONGEST_MODEL = 200;

/** What the user was shown: counts of each request, and condensed contexts. */
function glanceAtShown(bytes: Buffer, former: Glance): Glance {
  const [, last = ''] = /"(?:say|ask)": ?"(\w+)"/.exec(lastMessage(bytes)) ?? [];
  const condensed = ['condense_context', 'sliding_window_truncation'].reduce(
    (sum, say) =>
      sum + occurrences(bytes, `"say":"${say}"`) + occurrences(bytes, `"say": "${say}"`),
    0,
  );
  return {
    ...former,
    ...newestRequest(bytes),
    compactions: condensed + truncationsIn(bytes),
    isInTurn: last !== '' && !AT_REST.has(last),
  };
}

const LEFT_OUT = '"conversationHistoryDeletedRange"';

/** How often Cline left out more of the messages: each one shown names the range at its time. */
function truncationsIn(bytes: Buffer): number {
  if (!bytes.includes(LEFT_OUT)) return 0;
  const ranges = bytes
    .toString('latin1')
    .matchAll(RegExp(`${LEFT_OUT}:\\s*\\[([\\d\\s,]+)\\]`, 'g'));
  return new Set([...ranges].map(([, range = '']) => range.replace(/\s/g, ''))).size;
}

/** The last message begins with its time; only the beginning says what it is. */
function lastMessage(bytes: Buffer): string {
  const at = bytes.lastIndexOf('"ts":');
  return at === -1 ? '' : bytes.toString('utf8', at, at + 200);
}

/** The last thing shown by a task that waits for the user, or has ended. */
const AT_REST: ReadonlySet<string> = new Set([
  'completion_result',
  'resume_task',
  'resume_completed_task',
  'followup',
  'plan_mode_respond',
  'api_req_failed',
]);

function newestRequest(bytes: Buffer): Pick<Glance, 'tokens'> {
  let end = bytes.length;
  while (end > 0) {
    const at = bytes.lastIndexOf('"api_req_started"', end - 1);
    if (at === -1) return {};
    const value = parsed(stringAfter(bytes, at, '"text":'));
    const { tokensIn, tokensOut, cacheReads, cacheWrites } = isObject(value) ? value : {};
    const tokens = tokensOf(tokensIn, tokensOut, cacheReads, cacheWrites);
    // A request that waits for its reply has no counts.
    if (tokens !== undefined) return { tokens };
    end = at;
  }
  return {};
}

const [QUOTE, BACKSLASH] = [34, 92];

/** The text of the next field of a name. */
function stringAfter(bytes: Buffer, from: number, name: string): string {
  const field = bytes.indexOf(name, from);
  const start = field === -1 ? -1 : bytes.indexOf(QUOTE, field + name.length);
  if (start === -1) return '';
  let end = start + 1;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return textOf(parsed(bytes.toString('utf8', start, end + 1))) ?? '';
}
