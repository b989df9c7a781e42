import { readFileSync } from 'node:fs';
import type { SessionEvent } from '../contextWindow/event';
import { fold } from '../contextWindow/log/fold';
import { readSessionLog } from './readSessionLog';
import {
  historyOf,
  shownScratchpadOf,
  type HistoryBlock,
  type HistoryPart,
} from './sessionHistory';
import { titleOfWindow } from './sessionTitle';
import type { ContextWindow } from '../contextWindow/contextWindow';
import type { Result } from '../contextWindow/result';

/** The forms a session can be exported in. */
export type ExportFormat = 'jsonl' | 'json' | 'markdown';

/** What the JSON export of a session says it is. */
export const HISTORY_FORMAT = 'plimsoll-history';

/** The extension of an exported file. */
export const EXPORT_ENDING: Readonly<Record<ExportFormat, 'jsonl' | 'json' | 'md'>> = {
  jsonl: 'jsonl',
  json: 'json',
  markdown: 'md',
};

export type ExportResult = Result<{ readonly bytes: Buffer; readonly warning?: string }>;

/**
 * Exports a session from its log: `jsonl` is the log byte for byte, `json` every block with whole
 * texts and who wrote them, and the events, by which Plimsoll opens it again; `markdown` is the
 * blocks to be read.
 */
export function exportSession(file: string, format: ExportFormat): ExportResult {
  const read = readSessionLog(file);
  if (!read.ok) return read;
  const warning = read.warning === undefined ? {} : { warning: read.warning };
  switch (format) {
    case 'jsonl':
      return { ok: true, bytes: readFileSync(file), ...warning };
    case 'json': {
      const text = JSON.stringify(fullHistory(read.events), undefined, 2);
      return { ok: true, bytes: Buffer.from(`${text}\n`), ...warning };
    }
    case 'markdown':
      return { ok: true, bytes: Buffer.from(sessionMarkdown(fold(read.events))), ...warning };
  }
}

/** Describes a whole session in one value, with every part marked with who wrote it. */
function fullHistory(events: readonly SessionEvent[]) {
  const window = fold(events);
  const [start] = events;
  const { sessionId, model, preamble, scratchpad, state, refaults, lastOutcome } = window;
  return {
    format: HISTORY_FORMAT,
    version: 2,
    sessionId,
    title: titleOfWindow(window),
    startedAt: start?.at,
    endedAt: events.at(-1)?.at,
    ...(start?.type === 'sessionStarted' && start.forkedFrom !== undefined
      ? { forkedFrom: start.forkedFrom }
      : {}),
    model,
    ...preamble,
    blocks: historyOf(window),
    scratchpad,
    shownScratchpad: shownScratchpadOf(window),
    state,
    refaults,
    lastOutcome,
    passes: window.ledger.map(({ pass, certifiedTokens, undone }) => ({
      ...pass,
      certifiedTokens,
      undone,
    })),
    events,
  };
}

/** Writes a session to be read, from the first prompt to the last step, evicted blocks included. */
function sessionMarkdown(window: ContextWindow): string {
  const { sessionId, turn, step, model, ledger } = window;
  const about = [
    `Session ${sessionId}`,
    ...(model === undefined ? [] : [model]),
    `${turn} turns`,
    `${step} steps`,
    `${ledger.length} passes`,
  ];
  return [
    '# Plimsoll session',
    `${about.join(' · ')}. What Plimsoll wrote, and neither user, model nor tool, is marked so.`,
    ...historyOf(window).flatMap(blockLines),
    '',
  ].join('\n\n');
}

function blockLines(block: HistoryBlock): readonly string[] {
  const { decision } = block;
  return [
    `## ${headingOf(block)}`,
    ...(decision === undefined ? [] : [`*${block.state}: ${decision.reason}*`]),
    ...block.parts.map(partText),
  ];
}

function headingOf({ kind, turn, step, covers, id }: HistoryBlock): string {
  switch (kind) {
    case 'anchor':
      return `Task (turn ${turn})`;
    case 'prompt':
      return `Prompt (turn ${turn})`;
    case 'step':
      return `Step ${step}`;
    case 'summary':
      return `Summary of ${covers?.join(', ')} (written by Plimsoll: ${id})`;
    case 'note':
      return 'Note';
    case 'files':
      return `Files as of step ${step} (shown by Plimsoll: ${id})`;
  }
}

function partText(part: HistoryPart): string {
  const { type, synthetic, text = '', tool, isError } = part;
  const mark = synthetic === false ? '' : ` (Plimsoll: ${synthetic})`;
  switch (type) {
    case 'text':
      return synthetic === false ? text : `*${mark.trim()}*\n\n${text}`;
    case 'thinking':
      return `*Thinking${mark}*\n\n${quoted(text)}`;
    case 'redactedThinking':
      return `*Thinking, not readable${mark}*`;
    case 'compaction':
      return `*Summary of the API${mark}*\n\n${text}`;
    case 'toolUse':
      return `**Calls ${tool}**\n\n${fenced(JSON.stringify(part.input, undefined, 2), 'json')}`;
    case 'toolResult':
      return `**${isError === true ? 'Error' : 'Result'} of ${tool}**${mark}\n\n${fenced(text)}`;
    case 'attachment':
      return `*Attachment: ${part.mediaType}*`;
  }
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** A fence longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
