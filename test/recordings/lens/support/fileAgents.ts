import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { line } from './agentHomes';

/** Lines as pi writes them in version 3 of its format. */
export const pi = {
  file: (home: string, id: string, cwd: string) =>
    join(
      home,
      '.pi',
      'agent',
      'sessions',
      `--${cwd.slice(1).replaceAll('/', '-')}--`,
      `2026-11-24T10-00-00-000Z_${id}.jsonl`,
    ),
  head: (id: string, cwd: string) => line({ type: 'session', version: 3, id, cwd }),
  prompt: (text: string) =>
    line({ type: 'message', message: { role: 'user', content: [{ type: 'text', text }] } }),
  reply: (tokens: number, stopReason = 'stop') =>
    line({
      type: 'message',
      message: {
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: 'Looked.' }],
        usage: { input: 10, output: 5, cacheRead: tokens - 35, cacheWrite: 20 },
        stopReason,
      },
    }),
  compaction: () => line({ type: 'compaction', summary: 'It went well.', firstKeptEntryId: 'x' }),
  name: (name: string) => line({ type: 'session_info', name }),
};

/** Lines as Copilot CLI 1.0.64 writes them. */
export const copilot = {
  state: (home: string, id: string) => join(home, '.copilot', 'session-state', id),
  event: (type: string, data: object, more: object = {}) => line({ type, data, ...more }),
  start: (id: string, cwd: string) =>
    copilot.event('session.start', { sessionId: id, version: 1, context: { cwd } }),
  prompt: (content: string) => copilot.event('user.message', { content }),
  reply: (model: string, more: object = {}) =>
    copilot.event('assistant.message', { model, content: 'Looked.', outputTokens: 7, ...more }),
  shutdown: (currentTokens: number) => copilot.event('session.shutdown', { currentTokens }),
  compaction: (success: boolean) =>
    copilot.event('session.compaction_complete', { success, summaryContent: 'Short.' }),
};

/** Records as Gemini CLI writes them, since 0.36 one on each line. */
export const gemini = {
  project: (home: string, name: string) => join(home, '.gemini', 'tmp', name),
  head: (sessionId: string) => ({ sessionId, projectHash: 'x', kind: 'main' }),
  prompt: (text: string) => ({ id: `u-${text}`, type: 'user', content: [{ text }] }),
  reply: (total: number, calls: readonly object[] = []) => ({
    id: `g-${total}`,
    type: 'gemini',
    content: 'Looked.',
    model: 'gemini-3-flash-preview',
    tokens: {
      input: total - 30,
      cached: 40,
      output: 20,
      thoughts: 8,
      tool: 2,
      total,
    },
    toolCalls: calls,
  }),
};

/** Files of VS Code's own agent, below the User folder of an editor. */
export const chat = {
  storage: (user: string) => join(user, 'workspaceStorage', 'w1'),
  workspace: (folder: string) => line({ folder: pathToFileURL(folder).href }),
  request: (text: string, more: object = {}) => ({ message: { text }, ...more }),
  ended: (promptTokens: number, more: object = {}) => ({
    metadata: { promptTokens, outputTokens: 100, resolvedModel: 'claude-sonnet-4-6', ...more },
  }),
  logs: (user: string, id: string) =>
    join(chat.storage(user), 'GitHub.copilot-chat', 'debug-logs', id),
  logged: (type: string, attrs: object) => line({ ts: 1, sid: 'c1', type, attrs }),
  sent: (inputTokens: number, text: string) =>
    chat.logged('llm_request', {
      model: 'claude-x',
      inputTokens,
      outputTokens: 10,
      inputMessages: messages('user', text),
    }),
  said: (text: string) => chat.logged('agent_response', { response: messages('assistant', text) }),
};

function messages(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
