import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ReplyPart, type ToolUseId, resultHandle } from '../../src/contextWindow/block';
import { makeBudget } from '../../src/contextWindow/budget';
import type { PolicySettings } from '../../src/contextWindow/passes/rungs/policyInput';
import { admit } from '../../src/contextWindow/truncate';
import { POLICY_SETTINGS } from './agentSettings';
import { estimate, Player } from './player';

const SHARED = resolve(__dirname, '../../../shared/transcripts');

/** Recorded sessions of Claude Code; none if the folder is missing. */
export function recordedSessions(folder: 'claude-code' | 'claude-code-2'): readonly string[] {
  if (!existsSync(join(SHARED, folder))) {
    console.log(`Skipped: no recorded sessions in ${join(SHARED, folder)}.`);
    return [];
  }
  return readdirSync(join(SHARED, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !name.includes('subagents'))
    .map((name) => `${folder}/${name}`)
    .toSorted();
}

const PLAYED = new Map<string, Player>();

/** Plays a recorded session once per process; do not append to the result, which tests share. */
export function playedSession(file: string): Player {
  const player = PLAYED.get(file) ?? playSession(file, POLICY_SETTINGS);
  PLAYED.set(file, player);
  return player;
}

/** Plays a recorded session in a window of 60,000 tokens. */
export function playSession(file: string, settings: PolicySettings): Player {
  const budget = makeBudget({
    contextWindowTokens: 60_000,
    maxReplyTokens: 4_096,
    safetyHeadroomTokens: 1_024,
    toolResultHeadroomTokens: 2_048,
    highWatermark: 0.8,
    lowWatermark: 0.5,
  });
  if (!budget.ok) throw new Error('The budget of this test is wrong.');
  const player = new Player(budget.budget, settings);
  playTranscript(player, join(SHARED, file), 6_000);
  return player;
}

interface Line {
  readonly type?: string;
  readonly isSidechain?: boolean;
  readonly isMeta?: boolean;
  readonly message?: { readonly id?: string; readonly content?: string | readonly Part[] };
}

type Part =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: object;
    }
  | {
      readonly type: 'tool_result';
      readonly tool_use_id: string;
      readonly content?: unknown;
      readonly is_error?: boolean;
    }
  | { readonly type: 'thinking' | 'image' };

/**
 * Plays a recorded session of another agent. Lines of one response share their message id; results
 * are user lines. A result that is missing or too late is omitted, as that agent does.
 */
function playTranscript(player: Player, file: string, capTokens: number): void {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line): readonly Line[] => (line === '' ? [] : [JSON.parse(line) as Line]))
    .filter(({ isSidechain, isMeta }) => isSidechain !== true && isMeta !== true);
  const results = new Map<string, Extract<Part, { type: 'tool_result' }>>();
  for (const line of lines) {
    for (const part of partsOf(line))
      if (part.type === 'tool_result') results.set(part.tool_use_id, part);
  }
  player.append({ type: 'sessionStarted', version: 3, sessionId: file, pinTaskAnchor: true });
  player.append({ type: 'preambleSet', system: 'You are a coding agent.', tools: [] });
  const done = new Set<string>();
  for (const line of lines) {
    if (line.type === 'user') {
      const text = partsOf(line)
        .flatMap((part) => (part.type === 'text' ? [part.text] : []))
        .join('\n')
        .trim();
      if (text === '') continue;
      const cap = Math.floor(player.budget.inputBudget / 2);
      player.append({
        type: 'promptSubmitted',
        text,
        admission: admit(text, cap, estimate, `prompt-${player.window.turn + 1}`),
      });
    }
    const id = line.message?.id;
    if (line.type !== 'assistant' || id === undefined || done.has(id)) continue;
    done.add(id);
    const parts = lines.filter(({ message }) => message?.id === id).flatMap(partsOf);
    playReply(player, parts, results, capTokens);
  }
  player.send();
}

function playReply(
  player: Player,
  parts: readonly Part[],
  results: ReadonlyMap<string, Extract<Part, { type: 'tool_result' }>>,
  capTokens: number,
): void {
  if (player.window.turn === 0 || !player.send()) return;
  const uses = parts.flatMap((part) =>
    part.type === 'tool_use' && /^[a-zA-Z0-9_-]+$/.test(part.id) ? [part] : [],
  );
  player.append({
    type: 'replyReceived',
    model: 'recorded',
    parts: parts.flatMap((part): ReplyPart[] => {
      if (part.type === 'text') return [{ type: 'text', text: part.text }];
      if (part.type !== 'tool_use' || !uses.includes(part)) return [];
      const { id, name, input } = part;
      return [{ type: 'toolUse', use: { id: id as ToolUseId, name, input: { ...input } } }];
    }),
    stopReason: uses.length > 0 ? 'tool_use' : 'end_turn',
    usage: { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 },
    durationMs: 0,
  });
  const cap = Math.min(
    capTokens,
    Math.floor(player.budget.inputBudget / 2 / Math.max(1, uses.length)),
  );
  for (const { id } of uses) {
    const result = results.get(id);
    const text = result === undefined ? 'interrupted' : textOf(result.content);
    player.append({
      type: 'toolFinished',
      toolUseId: id as ToolUseId,
      text,
      isError: result?.is_error === true,
      origin: result === undefined ? 'interrupted' : 'ran',
      durationMs: 0,
      admission: admit(text, cap, estimate, resultHandle(id as ToolUseId)),
    });
  }
}

function partsOf({ message }: Line): readonly Part[] {
  const content = message?.content ?? [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content
        .map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : ''))
        .join('\n')
    : '';
}
