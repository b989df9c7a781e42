import type { ContextWindow } from '../contextWindow/contextWindow';
import { historyOf, type HistoryBlock, type HistoryPart } from './sessionHistory';

/** Writes a session to be read, from the first prompt to the last step, evicted blocks included. */
export function sessionMarkdown(window: ContextWindow): string {
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
