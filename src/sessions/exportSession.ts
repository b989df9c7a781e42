import { readFileSync } from 'node:fs';
import type { SessionEvent } from '../contextWindow/event';
import { fold } from '../contextWindow/fold';
import { readSessionLog } from './readSessionLog';
import { historyOf, shownNotesOf } from './sessionHistory';
import { sessionMarkdown } from './sessionMarkdown';
import { titleOfWindow } from './sessionTitle';

/** The forms a session can be exported in. */
export type ExportFormat = 'jsonl' | 'json' | 'markdown';

/** What the name of an exported file ends with. */
export const EXPORT_ENDING: Readonly<Record<ExportFormat, 'jsonl' | 'json' | 'md'>> = {
  jsonl: 'jsonl',
  json: 'json',
  markdown: 'md',
};

export type ExportResult =
  | { readonly ok: true; readonly bytes: Buffer; readonly warning?: string }
  | { readonly ok: false; readonly message: string };

/**
 * Exports a session from its log: `jsonl` is the log byte for byte, `json` every block with whole
 * texts and who wrote them, `markdown` the same to be read.
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

/** Tells everything of a session in one value, every part marked with who wrote it. */
function fullHistory(events: readonly SessionEvent[]) {
  const window = fold(events);
  const [start] = events;
  const { sessionId, model, preamble, scratchpad, state, refaults, lastOutcome } = window;
  return {
    format: 'plimsoll-history',
    version: 1,
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
    shownNotes: shownNotesOf(window),
    state,
    refaults,
    lastOutcome,
    passes: window.ledger.map(({ pass, certifiedTokens, undone }) => ({
      ...pass,
      certifiedTokens,
      undone,
    })),
  };
}
