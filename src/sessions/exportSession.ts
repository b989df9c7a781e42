import { readFileSync } from 'node:fs';
import {
  type AnchorBlock,
  type Attachment,
  type Block,
  blockHandle,
  type ReplyPart,
  type ResultOrigin,
  type StepBlock,
  type SummaryWriter,
} from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/window';
import { LOG_VERSION, type SessionEvent } from '../contextWindow/event';
import { fold } from '../contextWindow/fold';
import type { Action } from '../contextWindow/plan';
import { reasonText, type Rule } from '../contextWindow/reasons';
import { anchorText, resultText, shownScratchpadText } from '../contextWindow/request/placeholder';
import type { Result } from '../contextWindow/result';
import { rulesText, standingRulesOf } from '../contextWindow/standingRules/standingRules';
import { admittedText } from '../contextWindow/truncate';
import { inertMarkdown } from './inertMarkdown';
import { readSessionLog } from './readSessionLog';
import { titleOfWindow } from './sessionTitle';

export type ExportFormat = 'jsonl' | 'json' | 'markdown';

/** Marks a JSON export of a session. */
export const HISTORY_FORMAT = 'plimsoll-history';

export const EXPORT_ENDING: Readonly<Record<ExportFormat, 'jsonl' | 'json' | 'md'>> = {
  jsonl: 'jsonl',
  json: 'json',
  markdown: 'md',
};

type ExportResult = Result<{ readonly bytes: Buffer; readonly warning?: string }>;

/**
 * Exports a session from its log. `jsonl` is the log byte for byte; `json` has every block in full
 * with its authors, and the events, so that Plimsoll can open it again; `markdown` is for reading.
 */
export function exportSession(file: string, format: ExportFormat): ExportResult {
  const read = readSessionLog(file);
  if (!read.ok) return read;
  const { warning } = read;
  switch (format) {
    case 'jsonl':
      return { ok: true, bytes: readFileSync(file), warning };
    case 'json': {
      const text = JSON.stringify(fullHistory(read.events), undefined, 2);
      return { ok: true, bytes: Buffer.from(`${text}\n`), warning };
    }
    case 'markdown':
      return { ok: true, bytes: Buffer.from(sessionMarkdown(fold(read.events))), warning };
  }
}

/** Describes a whole session in one value and marks the author of every part. */
function fullHistory(events: readonly SessionEvent[]) {
  const window = fold(events);
  const [start] = events;
  const { sessionId, model, preamble, scratchpad, state, refaults, lastOutcome } = window;
  return {
    format: HISTORY_FORMAT,
    version: LOG_VERSION,
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
    shownRules: shownRulesOf(window),
    standingRules: standingRulesOf(window),
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

/**
 * Writes a session as Markdown, from the first prompt to the last step, evicted blocks included.
 */
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
    `${inertMarkdown(about.join(' · '))}. Text written by Plimsoll is marked.`,
    ...historyOf(window).flatMap(blockLines),
    '',
  ].join('\n\n');
}

function blockLines(block: HistoryBlock): readonly string[] {
  const { decision } = block;
  return [
    inertMarkdown(`## ${headingOf(block)}`),
    ...(decision === undefined ? [] : [inertMarkdown(`*${block.state}: ${decision.reason}*`)]),
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
    case 'excerpts':
      return `Excerpts as of step ${step} (shown by Plimsoll: ${id})`;
  }
}

function partText(part: HistoryPart): string {
  const { type, synthetic, isError } = part;
  const text = inertMarkdown(part.text ?? '');
  const tool = inertMarkdown(part.tool ?? '');
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
      return `**${isError === true ? 'Error' : 'Result'} of ${tool}**${mark}\n\n${fenced(part.text ?? '')}`;
    case 'attachment':
      return `*Attachment: ${inertMarkdown(part.mediaType ?? '')}*`;
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

/**
 * Who wrote a part: `false` for user, model and tools, otherwise Plimsoll's kind of text. `label`
 * marks the task; `placeholder` stands for text that is not whole in the window; `note` shows
 * changed notes or project memory; the result kinds say why a tool did not finish.
 */
type Synthetic =
  | false
  | 'label'
  | 'placeholder'
  | 'summary'
  | 'note'
  | 'excerpts'
  | 'interruptedResult'
  | 'deniedResult'
  | 'stoppedResult'
  | 'cutReplyResult';

/** A part of a block with its whole text, even if the window holds only some of it. */
interface HistoryPart {
  readonly type: ReplyPart['type'] | 'toolResult' | 'attachment';
  readonly synthetic: Synthetic;
  readonly text?: string;
  readonly toolUseId?: string;
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly mediaType?: string;
  /** Base64, as received. */
  readonly data?: string;
}

interface HistoryBlock {
  readonly id: string;
  readonly kind: Block['kind'];
  readonly turn: number;
  readonly step?: number;
  readonly state: Block['state'];
  readonly pinned: boolean;
  readonly covers?: readonly string[];
  readonly writtenBy?: SummaryWriter;
  /** Why the block is not whole in the window. */
  readonly decision?: {
    readonly action: Action;
    readonly rule: Rule;
    readonly reason: string;
  };
  readonly parts: readonly HistoryPart[];
}

const PLACEHOLDER = 'placeholder' as const;

const RESULT_OF: Readonly<Record<ResultOrigin, Synthetic>> = {
  ran: false,
  denied: 'deniedResult',
  stopped: 'stoppedResult',
  interrupted: 'interruptedResult',
  cutReply: 'cutReplyResult',
};

/** Lists every block of the session in full, and marks the parts Plimsoll wrote. */
function historyOf(window: ContextWindow): readonly HistoryBlock[] {
  return window.blocks.map((block): HistoryBlock => {
    const { id, kind, turn, state, pinned } = block;
    const decision = window.decisions.get(id);
    return {
      id,
      kind,
      turn,
      state,
      pinned,
      ...(block.kind === 'step' ? { step: block.step } : {}),
      ...(block.kind === 'summary' ? { covers: block.covers, writtenBy: block.writtenBy } : {}),
      ...(decision === undefined
        ? {}
        : {
            decision: {
              action: decision.action,
              rule: decision.reason.rule,
              reason: reasonText(decision),
            },
          }),
      parts: partsOf(block),
    };
  });
}

/** The notes as the model sees them outside any block; undefined while the steps show them. */
function shownScratchpadOf(window: ContextWindow): HistoryPart | undefined {
  if (window.shownScratchpad === '') return undefined;
  return { type: 'text', synthetic: 'note', text: shownScratchpadText(window.shownScratchpad) };
}

/** The block of standing rules as the model sees it; undefined for none. */
function shownRulesOf(window: ContextWindow): HistoryPart | undefined {
  const text = rulesText(window);
  return text === '' ? undefined : { type: 'text', synthetic: 'note', text };
}

function partsOf(block: Block): readonly HistoryPart[] {
  switch (block.kind) {
    case 'anchor':
    case 'prompt': {
      const typed: HistoryPart = { type: 'text', synthetic: false, text: block.text };
      const shown = admittedText(block.text, block.admission, blockHandle(block.id));
      return [
        ...(block.attachments ?? []).map(attachmentPart),
        ...(block.kind === 'anchor' && block.pinned ? [labelPart(block)] : []),
        typed,
        ...(shown === block.text ? [] : [{ ...typed, synthetic: PLACEHOLDER, text: shown }]),
      ];
    }
    case 'note':
      return [{ type: 'text', synthetic: 'note', text: block.text }];
    case 'excerpts':
      return [{ type: 'text', synthetic: 'excerpts', text: block.text }];
    case 'summary':
      return [{ type: 'text', synthetic: 'summary', text: block.text }];
    case 'step':
      return [...block.parts.map(replyPart), ...resultParts(block)];
  }
}

function replyPart(part: ReplyPart): HistoryPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', synthetic: false, text: part.text };
    case 'thinking':
      return { type: 'thinking', synthetic: false, text: part.thinking };
    case 'redactedThinking':
      return { type: 'redactedThinking', synthetic: false, data: part.data };
    case 'compaction':
      return { type: 'compaction', synthetic: 'summary', text: part.content ?? '' };
    case 'toolUse':
      return {
        type: 'toolUse',
        synthetic: false,
        toolUseId: part.use.id,
        tool: part.use.name,
        input: part.use.input,
      };
  }
}

function resultParts({ pairs }: StepBlock): readonly HistoryPart[] {
  return pairs.flatMap((pair): HistoryPart[] => {
    const { use, result } = pair;
    if (result === undefined) return [];
    const { text, isError, origin, attachments = [] } = result;
    const about = { type: 'toolResult' as const, toolUseId: use.id, tool: use.name };
    const shown = resultText(pair);
    return [
      { ...about, synthetic: RESULT_OF[origin], text, isError },
      ...attachments.map(attachmentPart),
      ...(shown === text ? [] : [{ ...about, synthetic: PLACEHOLDER, text: shown }]),
    ];
  });
}

function labelPart(anchor: AnchorBlock): HistoryPart {
  const [label = ''] = anchorText({ ...anchor, text: '', admission: { form: 'whole' } }).split(
    '\n',
  );
  return { type: 'text', synthetic: 'label', text: label };
}

function attachmentPart({ mediaType, data }: Attachment): HistoryPart {
  return { type: 'attachment', synthetic: false, mediaType, data };
}
