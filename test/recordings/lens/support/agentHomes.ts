import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A line of a session's file. */
export const line = (value: object): string => `${JSON.stringify(value)}\n`;

export function write(file: string, ...lines: readonly string[]): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.join(''));
  return file;
}

export const append = (file: string, ...lines: readonly string[]): void =>
  appendFileSync(file, lines.join(''));

/** Lines as Claude Code 2.1 writes them. */
export const claude = {
  prompt: (text: string, cwd: string, more: object = {}) =>
    line({ type: 'user', cwd, sessionId: 's', message: { role: 'user', content: text }, ...more }),
  reply: (tokens: number, more: object = {}) =>
    line({
      type: 'assistant',
      message: {
        id: `msg_${tokens}`,
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: 'Looked.' }],
        usage: { input_tokens: 10, cache_read_input_tokens: tokens - 15, output_tokens: 5 },
      },
      ...more,
    }),
  boundary: () =>
    line({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } }),
  title: (customTitle: string) => line({ type: 'custom-title', customTitle, sessionId: 's' }),
  /** The folder of a project, as Claude Code names it. */
  project: (home: string, cwd: string) =>
    join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-')),
};

/** Lines as Codex 0.118 writes them. */
export const codex = {
  meta: (id: string, cwd: string, source: unknown = 'cli') =>
    line({ type: 'session_meta', payload: { id, cwd, source } }),
  event: (payload: object) => line({ timestamp: '', type: 'event_msg', payload }),
  prompt: (message: string) => codex.event({ type: 'user_message', message }),
  turn: (model: string) => line({ type: 'turn_context', payload: { model } }),
  count: (tokens: number) =>
    codex.event({
      type: 'token_count',
      info: {
        last_token_usage: { input_tokens: tokens - 5, output_tokens: 5 },
        model_context_window: 258_400,
      },
    }),
  compacted: () => line({ timestamp: '', type: 'compacted', payload: { message: '' } }),
  file: (home: string, id: string, day = '2026/11/24') =>
    join(home, '.codex', 'sessions', day, `rollout-2026-11-24T10-00-00-${id}.jsonl`),
};
