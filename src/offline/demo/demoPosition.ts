import { turnsOf } from '../conversation';
import type { ContentBlock, Message, ToolResultBlock } from '../messagesApi';

/** The position of a tool call in the script, as its id encodes it. */
export interface DemoId {
  /** Number of the scripted turn, from 1. */
  readonly turn: number;
  /** Number of the step in the turn, from 1. */
  readonly step: number;
  /** Position of the call in the step, from 0. */
  readonly call: number;
  /** Distinguishes one run of the turn from another in the same session. */
  readonly run: string;
}

/** Position of a request in the script: at an unanswered prompt, or after the results of a step. */
type Position =
  | { readonly at: 'prompt'; readonly prompt: string }
  | { readonly at: 'results'; readonly id: DemoId; readonly results: readonly ToolResultBlock[] }
  | { readonly at: 'foreignResults' };

const ID = /^toolu_demo_(\d+)_(\d{2})([a-z])_([0-9a-z]+)$/;

/** Writes the id of a tool call: `toolu_demo_1_07a_x3f9k2`. */
export function demoIdText({ turn, step, call, run }: DemoId): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + call);
  return `toolu_demo_${turn}_${String(step).padStart(2, '0')}${letter}_${run}`;
}

/** Reads the id of a tool call; undefined if the script did not create it. */
export function readDemoId(text: string): DemoId | undefined {
  const [, turn, step, letter, run] = ID.exec(text) ?? [];
  if (turn === undefined || step === undefined || letter === undefined || run === undefined) {
    return undefined;
  }
  const call = letter.charCodeAt(0) - 'a'.charCodeAt(0);
  return { turn: Number(turn), step: Number(step), call, run };
}

/**
 * Finds the position from the last user message alone.
 *
 * Everything older may have been cleared, evicted or summarised since the last request.
 */
export function positionOf(messages: readonly Message[]): Position {
  const last = turnsOf(messages).findLast((turn) => turn.role === 'user');
  const blocks = (last?.blocks ?? []).map(({ block }) => block);
  const prompts = blocks.flatMap(promptsIn);
  const newest = prompts.at(-1);
  const lastPrompt = blocks.findLastIndex((block) => promptsIn(block).length > 0);
  const lastResult = blocks.findLastIndex((block) => block.type === 'tool_result');
  if (newest !== undefined && lastPrompt > lastResult) return { at: 'prompt', prompt: newest };
  const results = blocks.filter((block) => block.type === 'tool_result');
  const id = results
    .map((result) => readDemoId(result.tool_use_id))
    .find((found) => found !== undefined);
  if (id !== undefined) return { at: 'results', id, results };
  return results.length > 0 ? { at: 'foreignResults' } : { at: 'prompt', prompt: newest ?? '' };
}

/**
 * Makes a mark for one run of a turn, so that ids are unique in a session even if the same task is
 * typed twice.
 *
 * A later run starts from a longer or differently managed conversation, so its text hashes to
 * another mark. A mark that is visible anywhere in the conversation is never used again.
 */
export function newRun(messages: readonly Message[]): string {
  const text = JSON.stringify(messages, (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  );
  let run = hashOf(text);
  for (let extra = 1; text.includes(`_${run}`); extra += 1) run = hashOf(`${text}${extra}`);
  return run;
}

/**
 * Finds the handle of the command that a step put in the background.
 *
 * If the window no longer has its result, it was most likely the first of the session.
 */
export function handleFrom(
  { turn, step, run }: Omit<DemoId, 'call'>,
  messages: readonly Message[],
): string {
  const started = turnsOf(messages)
    .flatMap(({ blocks }) => blocks.map(({ block }) => block))
    .filter((block) => block.type === 'tool_result')
    .filter((block) => {
      const id = readDemoId(block.tool_use_id);
      return id?.turn === turn && id.step === step && id.run === run;
    });
  const found = started.map((block) => /\bruns as (cmd\d+)/.exec(resultTextOf(block))?.[1]);
  return found.find((handle) => handle !== undefined) ?? 'cmd1';
}

export function resultTextOf(result: ToolResultBlock): string {
  if (result.content === undefined) return '';
  if (typeof result.content === 'string') return result.content;
  return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** What the user added to a prompt, as the product sends it after the prompt. */
const ATTACHED = /\n\n<attached kind="[^>]*>\n[\s\S]*?\n<\/attached>/g;

/**
 * Finds the typed text in a block, without the product's notes and the text it wrapped in a tag.
 */
function promptsIn(block: ContentBlock): readonly string[] {
  if (block.type !== 'text') return [];
  const text = block.text.replace(ATTACHED, '');
  const anchor = /^<task_anchor\b[^>]*>\n?([\s\S]*?)\n?<\/task_anchor>\s*([\s\S]*)$/.exec(text);
  if (anchor !== null) return [anchor[1] ?? '', anchor[2] ?? ''].filter((part) => part !== '');
  const wrapped = /^\s*<([a-z][\w-]*)\b[^>]*>[\s\S]*<\/\1>\s*$/.test(text);
  const note =
    /^\s*\[(Summary|Scratchpad|Work note|The earlier part|The user changed|Reminder|Mode)\b/.test(
      text,
    ) ||
    /^((A background command has|\d+ background commands have) ended:|The user restored files\b)/.test(
      text,
    );
  return wrapped || note || text.trim() === '' ? [] : [text];
}

/** Hashes a text to a few letters and digits (FNV-1a). */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
