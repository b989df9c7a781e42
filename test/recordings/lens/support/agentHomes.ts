import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { editorFolders } from '../../../../src/recordings/lens/editorFolders';

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
  boundary: (uuid?: string, more: object = {}) =>
    line({
      type: 'system',
      subtype: 'compact_boundary',
      uuid,
      compactMetadata: { trigger: 'auto' },
      ...more,
    }),
  title: (customTitle: string) => line({ type: 'custom-title', customTitle, sessionId: 's' }),
  /** The folder of a project, as Claude Code names it. */
  project: (home: string, cwd: string) =>
    join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-')),
};

/** A log of Plimsoll's own, in the storage of a workspace of VS Code. */
export function ownSession(home: string, folder: string, prompt: string): string {
  const [editor = ''] = editorFolders({ home, environment: {}, now: () => 0 });
  const workspace = join(editor, 'workspaceStorage', folder.replace(/\W/g, '-'));
  write(
    join(workspace, 'workspace.json'),
    JSON.stringify({ folder: pathToFileURL(folder).toString() }),
  );
  const id = prompt.replace(/\W/g, '-');
  return write(
    join(workspace, 'plimsoll.plimsoll', 'sessions', `${id}.jsonl`),
    line({ at: 1, type: 'sessionStarted', version: 1, sessionId: id }),
    line({ at: 2, type: 'promptSubmitted', turn: 1, text: prompt }),
    line({
      at: 3,
      type: 'replyReceived',
      step: 1,
      model: 'claude-sonnet-4-5',
      usage: {
        inputTokens: 10,
        cacheCreationTokens: 50,
        cacheReadTokens: 1_000,
        outputTokens: 200,
      },
    }),
    line({ at: 4, type: 'passApplied', pass: { trigger: 'watermark' } }),
    line({ at: 4, type: 'passApplied', pass: { trigger: 'byHand' } }),
    line({ at: 5, type: 'turnEnded', outcome: 'done' }),
  );
}

/** Lines as Codex 0.118 writes them. */
export const codex = {
  meta: (id: string, cwd: string, source: unknown = 'cli') =>
    line({ type: 'session_meta', payload: { id, cwd, source } }),
  event: (payload: object) => line({ timestamp: '', type: 'event_msg', payload }),
  prompt: (message: string) => codex.event({ type: 'user_message', message }),
  /** The same as version 0.171 writes it. */
  promptItem: (text: string) =>
    codex.event({
      type: 'item_completed',
      item: { type: 'UserMessage', content: [{ type: 'text', text, text_elements: [] }] },
    }),
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
