import type { ToolUse } from '../../contextWindow/block';
import { callEffectOf, pathOf } from '../../contextWindow/callEffect';
import type { Transcript, TranscriptEntry } from '../../sessions/transcript';
import { stringsIn, textsReplaced, withoutLineNumbers } from '../measures/grounding';
import { saidIn } from '../measures/soughtInRecording';

export type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/** What the agent does next is looked for in this many replies. */
const NEXT_REPLIES = 8;

/** What the newest replies brought is in sight under any policy, so it is not asked. */
const NEWEST_REPLIES = 2;

/** One line of a result, without its line number and the white space around it. */
export interface ResultLine {
  readonly text: string;
  /** The file that was read; absent for other results. */
  readonly path?: string;
}

/** A recording as it stands before one of its replies: what is behind, and what comes next. */
export interface RecordedMoment {
  readonly prompts: readonly string[];
  readonly past: readonly ReplyEntry[];
  /** The past without its newest replies. */
  readonly older: readonly ReplyEntry[];
  readonly next: readonly ReplyEntry[];
}

/** The moment before a step, counted from 1. */
export function momentBefore({ entries }: Transcript, step: number): RecordedMoment {
  const places = entries.flatMap(({ type }, index) => (type === 'reply' ? [index] : []));
  const place = places[step - 1] ?? entries.length;
  const replies = entries.filter((entry) => entry.type === 'reply');
  const past = replies.slice(0, step - 1);
  return {
    prompts: entries
      .slice(0, place)
      .flatMap((entry) => (entry.type === 'prompt' ? [entry.text] : [])),
    past,
    older: past.slice(0, -NEWEST_REPLIES),
    next: replies.slice(step - 1, step - 1 + NEXT_REPLIES),
  };
}

/** The calls of a reply, each with the text of its result. */
export function callsOf({ parts, results }: ReplyEntry) {
  return parts.flatMap((part) => {
    if (part.type !== 'toolUse') return [];
    const result = results.find(({ toolUseId }) => toolUseId === part.use.id);
    return [{ use: part.use, text: result?.isError === true ? '' : (result?.text ?? '') }];
  });
}

/** Every line of the results of replies, in order; of a read with the path of its file. */
export function resultLines(replies: readonly ReplyEntry[]): readonly ResultLine[] {
  return replies.flatMap(callsOf).flatMap(({ use, text }) => {
    const effect = callEffectOf(use);
    const from = effect.kind === 'read' ? { path: effect.path } : {};
    return linesIn(text).map((line) => ({ text: line, ...from }));
  });
}

/** The lines that a call needs of its file: those it replaces, or those it reads. */
export function linesNeeded({ use, text }: ReturnType<typeof callsOf>[number]): readonly string[] {
  const { kind } = callEffectOf(use);
  if (kind === 'edit') return textsReplaced(use).flatMap(linesIn);
  return kind === 'read' ? linesIn(text) : [];
}

/** Everything a reply says and passes to its calls, apart from the paths. */
export function wordsOfReply(reply: ReplyEntry): string {
  const inputs = callsOf(reply).flatMap(({ use }) => {
    const path = pathOf(use);
    return stringsIn(use.input).filter((text) => text !== path);
  });
  return [saidIn(reply), ...inputs].join('\n');
}

/** The calls of replies. */
export function usesIn(replies: readonly ReplyEntry[]): readonly ToolUse[] {
  return replies.flatMap(callsOf).map(({ use }) => use);
}

/** The lines of a text that say something, trimmed, without line numbers. */
function linesIn(text: string): readonly string[] {
  return withoutLineNumbers(text)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
