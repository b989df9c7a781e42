import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SESSION = '0f0e0d0c-1111-4222-8333-444455556666';
const MODEL = 'claude-sonnet-4-5';
const BEGAN = Date.parse('2026-09-01T10:00:00.000Z');

const TOOLS = ['Bash', 'Read'].map((name) => ({
  name,
  description: `Runs ${name} for the agent.`,
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
}));

const SYSTEM = [
  { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.0; cc_entrypoint=cli;' },
  {
    type: 'text',
    text: 'You are an agent that works on ships.',
    cache_control: { type: 'ephemeral' },
  },
];

export const SUMMARY = 'This session continues an earlier one. The hull was measured.';

type Message = { readonly role: string; readonly content: unknown };

const call = (n: number) => ({
  type: 'tool_use',
  id: `toolu_${n}`,
  name: 'Read',
  input: { path: `hull${n}.txt` },
});
const result = (n: number) => ({
  type: 'tool_result',
  tool_use_id: `toolu_${n}`,
  content: `plank ${n}`,
});
const asked = (text: string, isNewest: boolean): Message => ({
  role: 'user',
  // The newest message is a list, a former one a text.
  content: isNewest ? [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] : text,
});
const step = (n: number): readonly Message[] => [
  { role: 'assistant', content: [{ type: 'text', text: `Looking ${n}.` }, call(n)] },
  { role: 'user', content: [result(n)] },
];

/** One request with the response to it. */
export interface Exchange {
  readonly number: number;
  readonly messages: readonly Message[];
  readonly reply: readonly unknown[];
  /** For the index. */
  readonly purpose: string;
  readonly tools?: readonly unknown[];
}

/**
 * A session of Claude Code with its requests: two steps, a title, a sub-agent, a compaction, and two
 * steps after it.
 */
export const EXCHANGES: readonly Exchange[] = [
  {
    number: 1,
    messages: [asked('Mend the hull.', true)],
    reply: [{ type: 'text', text: 'Looking 1.' }, call(1)],
    purpose: 'repl_main_thread',
  },
  {
    number: 2,
    messages: [asked('Write a title for: Mend the hull.', true)],
    reply: [{ type: 'text', text: 'Mending the hull' }],
    purpose: 'generate_session_title',
    tools: [],
  },
  {
    number: 3,
    messages: [asked('Mend the hull.', false), ...step(1)],
    reply: [{ type: 'text', text: 'Looking 2.' }, call(2)],
    purpose: 'repl_main_thread',
  },
  {
    number: 4,
    messages: [asked('Count the nails.', true)],
    reply: [{ type: 'text', text: 'There are 40.' }],
    purpose: 'agent:custom',
  },
  {
    number: 5,
    messages: [
      asked('Mend the hull.', false),
      ...step(1),
      ...step(2),
      asked('Your task is to create a detailed summary of the conversation so far.', true),
    ],
    reply: [{ type: 'text', text: SUMMARY }],
    purpose: 'compact',
  },
  {
    number: 6,
    messages: [asked(SUMMARY, true)],
    reply: [{ type: 'text', text: 'Looking 3.' }, call(3)],
    purpose: 'repl_main_thread',
  },
  {
    number: 7,
    messages: [asked(SUMMARY, false), ...step(3)],
    reply: [{ type: 'text', text: 'The hull is mended.' }],
    purpose: 'repl_main_thread',
  },
];

/** The exchanges that are steps of the session, in order. */
export const STEPS = [1, 3, 6, 7];

export const usageOf = (number: number) => ({
  input_tokens: 3,
  cache_creation_input_tokens: 40 * number,
  cache_read_input_tokens: 100 * (number - 1),
  output_tokens: 20,
});

/**
 * A session that compacted on its own, as Claude Code 2.1.197 writes it: the request for the summary
 * ends with the same results as the step before, the newest step stays as it is, and the next
 * request ends with its results and a note of the system. Its lines are written twice.
 */
export function compactedByItself() {
  const notes: Message = { role: 'system', content: 'Note: hull1.txt was read before.' };
  const ask = 'Your task is to create a detailed summary of the conversation so far.';
  const answer = (n: number) => [{ type: 'text', text: `Looking ${n}.` }, call(n)];
  const exchanges: readonly Exchange[] = [
    { number: 1, messages: [asked('Mend the hull.', true)], reply: answer(1), purpose: 'sdk' },
    {
      number: 2,
      messages: [asked('Mend the hull.', false), ...step(1)],
      reply: answer(2),
      purpose: 'sdk',
    },
    {
      number: 3,
      messages: [
        asked('Mend the hull.', false),
        step(1)[0]!,
        { role: 'user', content: [result(1), { type: 'text', text: ask }] },
        notes,
      ],
      reply: [{ type: 'text', text: SUMMARY }],
      purpose: 'compact',
    },
    {
      number: 4,
      messages: [asked(SUMMARY, false), ...step(2), notes],
      reply: [{ type: 'text', text: 'The hull is mended.' }],
      purpose: 'sdk',
    },
  ];
  const line = (type: string, uuid: string, fields: object) =>
    `${JSON.stringify({ type, uuid, sessionId: SESSION, timestamp: new Date(at(1)).toISOString(), ...fields })}\n`;
  const says = (uuid: string, content: unknown, more = {}) =>
    line('user', uuid, { message: { role: 'user', content }, ...more });
  const replies = (number: number) =>
    line('assistant', `r${number}`, {
      timestamp: new Date(at(number)).toISOString(),
      message: {
        id: `msg_${number}`,
        role: 'assistant',
        model: MODEL,
        content: exchanges[number - 1]!.reply,
        usage: usageOf(number),
      },
    });
  const kept = [replies(2), says('u2', [result(2)])];
  const boundary = line('system', 'b', {
    subtype: 'compact_boundary',
    compactMetadata: { trigger: 'auto', preservedMessages: { uuids: ['r2', 'u2'] } },
  });
  const summary = says('s', SUMMARY, { isCompactSummary: true, parentUuid: 'b' });
  const lines = [says('p', 'Mend the hull.'), replies(1), says('u1', [result(1)]), ...kept];
  const text = [...lines, boundary, summary, boundary, summary, ...kept, replies(4)].join('');
  return { text, exchanges, steps: [1, 2, 4] };
}

const at = (number: number) => BEGAN + number * 10_000;

/** The lines of the session file, with the folder that it worked in if it says it. */
export function sessionText(cwd?: string): string {
  const line = (type: string, number: number, fields: object) => ({
    type,
    isSidechain: false,
    sessionId: SESSION,
    ...(cwd === undefined ? {} : { cwd }),
    timestamp: new Date(at(number)).toISOString(),
    ...fields,
  });
  const says = (content: unknown, more = {}) => ({ message: { role: 'user', content }, ...more });
  const replies = (number: number) => {
    const { reply } = EXCHANGES[number - 1]!;
    const id = `msg_${number}`;
    const message = { id, role: 'assistant', model: MODEL, content: reply, usage: usageOf(number) };
    return line('assistant', number, { message });
  };
  const lines = [
    line('user', 1, says('Mend the hull.')),
    replies(1),
    line('user', 1, says([result(1)])),
    replies(3),
    line('user', 3, says([result(2)])),
    line('system', 5, { subtype: 'compact_boundary', uuid: 'b', compactMetadata: {} }),
    line('user', 5, says(SUMMARY, { isCompactSummary: true, parentUuid: 'b' })),
    replies(6),
    line('user', 6, says([result(3)])),
    replies(7),
  ];
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}

/** The body of a request. */
export function requestBody({ messages, tools = TOOLS }: Exchange, session = SESSION) {
  return {
    model: MODEL,
    messages,
    system: SYSTEM,
    tools,
    metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: session }) },
    max_tokens: 32_000,
    thinking: { type: 'enabled', budget_tokens: 31_999 },
  };
}

const requestName = (number: number) => `00000000-0000-4000-8000-00000000000${number}.request.json`;
const responseName = (number: number) => `req_${number}.response.json`;

/** Writes what Claude Code records; only newer versions write an index. */
export function recordRequests(
  folder: string,
  exchanges: readonly Exchange[],
  { isIndexed = false, session = SESSION } = {},
): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, number: number, value: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(value));
    utimesSync(file, at(number) / 1_000, at(number) / 1_000);
  };
  const index: object[] = [];
  for (const exchange of exchanges) {
    const { number, reply, purpose } = exchange;
    write(requestName(number), number, requestBody(exchange, session));
    const response = { id: `msg_${number}`, type: 'message', role: 'assistant', model: MODEL };
    write(responseName(number), number, { ...response, content: reply, usage: usageOf(number) });
    index.push({
      session_id: session,
      query_source: purpose,
      model: MODEL,
      request_id: `req_${number}`,
      message_id: `msg_${number}`,
      request_file: join('/elsewhere', requestName(number)),
      response_file: responseName(number),
    });
  }
  if (!isIndexed) return;
  const text = index.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(join(folder, 'index.jsonl'), `${text}{"session_id": "half`);
}

export { requestName, SESSION };
