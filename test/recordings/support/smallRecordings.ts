import type { NewEvent } from '../../../src/contextWindow/event';
import { asLog, callsTools, dated, prompt, started } from '../../sessions/support/sampleEvents';
import { jsonl } from './drawnTranscript';

/** A prompt and its reply as Claude Code writes them. */
export const user = { type: 'user', message: { role: 'user', content: 'Go' } };

export const reply = {
  type: 'assistant',
  message: { id: 'm1', model: 'claude-x', content: [{ type: 'text', text: 'Gone.' }] },
};

/** The same as a list of messages. */
export const messages = [
  { role: 'user', content: 'Go' },
  { role: 'assistant', content: 'Gone.' },
];

/** A part of a message by the GenAI conventions of OpenTelemetry. */
function text(content: string) {
  return { type: 'text', content };
}

/** The same in every format. */
export const RECORDINGS = {
  'claude-code': jsonl(user, reply),
  messages: JSON.stringify({ messages }),
  pi: jsonl({ type: 'session' }, ...messages.map((message) => ({ type: 'message', message }))),
  cline: JSON.stringify(messages.map((message) => ({ ...message, ts: 1, metrics: {} }))),
  roo: JSON.stringify(messages.map((message) => ({ ...message, ts: 1 }))),
  openhands: JSON.stringify({
    messages: messages.slice(0, 1),
    response: { choices: [{ message: messages[1] }] },
  }),
  'openhands-output': jsonl({
    instance_id: 'a-1',
    instruction: 'Go',
    history: [
      {
        kind: 'MessageEvent',
        source: 'agent',
        llm_message: { role: 'assistant', content: [{ type: 'text', text: 'Gone.' }] },
      },
    ],
  }),
  'gemini-cli': JSON.stringify({
    sessionId: 's',
    projectHash: 'p',
    messages: [
      { id: '1', type: 'user', content: [{ text: 'Go' }] },
      { id: '2', type: 'gemini', content: 'Gone.' },
    ],
  }),
  opencode: JSON.stringify({
    info: { id: 'ses_1' },
    messages: [
      { info: { role: 'user' }, parts: [{ type: 'text', text: 'Go' }] },
      { info: { role: 'assistant' }, parts: [{ type: 'text', text: 'Gone.' }] },
    ],
  }),
  'mini-swe-agent': JSON.stringify({ trajectory_format: 'mini-swe-agent-1.1', messages }),
  'openai-requests': JSON.stringify({
    request: { model: 'gpt-x', messages: messages.slice(0, 1) },
    response: { choices: [{ message: messages[1] }] },
  }),
  goose: JSON.stringify({
    working_dir: '/app',
    conversation: messages.map(({ role, content }) => ({
      role,
      content: [{ type: 'text', text: content }],
    })),
  }),
  crush: JSON.stringify({
    session: { id: 's', prompt_tokens: 0 },
    messages: messages.map(({ role, content }) => ({
      role,
      parts: [{ type: 'text', data: { text: content } }],
    })),
  }),
  zed: JSON.stringify({
    title: 'Go',
    updated_at: '2026-11-24T10:00:00Z',
    messages: [
      { User: { id: 'u1', content: [{ Text: 'Go' }] } },
      { Agent: { content: [{ Text: 'Gone.' }], tool_results: {} } },
    ],
  }),
  'copilot-cli': jsonl(
    { type: 'user.message', data: { content: 'Go' } },
    { type: 'assistant.message', data: { content: 'Gone.', toolRequests: [] } },
  ),
  'vscode-chat': JSON.stringify({
    sessionId: 's',
    requests: [
      {
        message: { text: 'Go' },
        result: { metadata: { toolCallRounds: [{ response: 'Gone.', toolCalls: [] }] } },
      },
    ],
  }),
  'vscode-debug-log': jsonl(
    {
      type: 'llm_request',
      sid: 's',
      attrs: { inputMessages: JSON.stringify([{ role: 'user', parts: [text('Go')] }]) },
    },
    {
      type: 'agent_response',
      sid: 's',
      attrs: { response: JSON.stringify([{ role: 'assistant', parts: [text('Gone.')] }]) },
    },
  ),
  plimsoll: asLog(
    dated(started, prompt('Go'), {
      ...callsTools(),
      parts: [{ type: 'text', text: 'Gone.' }],
    } as NewEvent),
  ),
  codex: jsonl(
    ...messages.map((message) => ({
      type: 'response_item',
      payload: { type: 'message', ...message },
    })),
  ),
} as const;

/** The formats that grow line by line. */
export const LINE_FORMATS = ['claude-code', 'pi', 'codex', 'copilot-cli', 'plimsoll'] as const;
