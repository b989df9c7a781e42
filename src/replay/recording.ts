import { textsOfPart } from '../contextWindow/account/guesses';
import { pauseOf, pausesTogether, type SessionPauses } from '../contextWindow/account/promptCache';
import type { ToolDefinition } from '../contextWindow/event';
import type { Transcript, TranscriptEntry } from '../sessions/transcript';

/** The API accepts no other names for tools. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/**
 * Defines the tools of a recording that leaves the definitions out: the API accepts no tool call
 * without them. Their real schemas are unknown, so any input is allowed.
 */
export function withUsedTools(transcript: Transcript): Transcript {
  if (transcript.tools.length > 0) return transcript;
  const names = transcript.entries
    .flatMap((entry) => (entry.type === 'reply' ? entry.parts : []))
    .flatMap((part) => (part.type === 'toolUse' ? [part.use.name] : []));
  const tools = [...new Set(names)].filter((name) => TOOL_NAME.test(name)).map(openTool);
  return { ...transcript, tools };
}

function openTool(name: string): ToolDefinition {
  return {
    name,
    description: 'A tool of the recorded agent.',
    inputSchema: { type: 'object' },
  };
}

/** The model of most replies in a recording; undefined if it names none. */
export function modelOf({ entries }: Transcript): string | undefined {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (entry.type !== 'reply' || entry.model === '') continue;
    counts.set(entry.model, (counts.get(entry.model) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0];
}

/** A recording's requests and pauses, with the times of its first and last reply in ms. */
export interface RecordedPauses extends Omit<SessionPauses, 'sessions'> {
  readonly from: number;
  readonly until: number;
}

/** Counts the pauses of a recording; undefined if it has no times. */
export function pausesIn({ entries }: Transcript): RecordedPauses | undefined {
  const times = entries.flatMap(({ type, at }) =>
    type === 'reply' && at !== undefined ? [at] : [],
  );
  const [from, until] = [times[0], times.at(-1)];
  if (from === undefined || until === undefined || from === 0) return undefined;
  const pauses = times.slice(1).map((at, index) => pauseOf(at - (times[index] ?? at)));
  const number = (of: string) => pauses.filter((pause) => pause === of).length;
  return {
    from,
    until,
    requests: times.length,
    pauses: number('pause'),
    longPauses: number('longPause'),
  };
}

/** The pauses of a recording, and the folder of its file. */
export interface PausesInFolder extends RecordedPauses {
  readonly folder: string;
}

/**
 * Adds up the pauses of the recordings that ended before one of them began. Recordings in one folder
 * are taken for sessions of one project: Claude Code stores them so.
 */
export function pausesBefore(one: PausesInFolder, all: readonly PausesInFolder[]): SessionPauses {
  return pausesTogether(
    all.filter((other) => other !== one && other.folder === one.folder && other.until <= one.from),
  );
}

/**
 * Returns whether a reply has no prompt: it follows one without calls, and the prompt between them
 * is missing. Plimsoll would have sent no request there, and the API accepts none that ends with a
 * reply.
 */
export function isUnasked(entries: readonly TranscriptEntry[], index: number): boolean {
  if (entries[index]?.type !== 'reply') return false;
  // A recording has thousands of entries, so no copy is made to search backwards.
  let at = index - 1;
  while (entries[at]?.type === 'compacted') at -= 1;
  const before = entries[at];
  return before?.type === 'reply' && before.results.length === 0;
}

/** Counts the replies without a prompt. */
export function countUnasked(entries: readonly TranscriptEntry[]): number {
  return entries.filter((_, index) => isUnasked(entries, index)).length;
}

/** The texts of an entry as a window sends them, unless it cuts or labels them. */
export function textsOfEntry(entry: TranscriptEntry): readonly string[] {
  if (entry.type !== 'reply') return admittedTexts(entry);
  const said = entry.parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return part.text;
      case 'thinking':
        return part.thinking;
      case 'redactedThinking':
      case 'compaction':
        return [];
      case 'toolUse':
        return textsOfPart({ type: 'tool_use', ...part.use });
    }
  });
  return [...said, ...admittedTexts(entry)];
}

/** The texts of an entry that are weighed before it is admitted. */
function admittedTexts(entry: TranscriptEntry): readonly string[] {
  switch (entry.type) {
    case 'prompt':
      return [entry.text];
    case 'reply':
      return entry.results.map(({ text }) => text);
    case 'compacted':
      return [];
  }
}
