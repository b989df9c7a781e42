import { describe, expect, it } from 'vitest';
import { drawn, jsonl, refusalOf, transcriptOf } from './support/drawnTranscript';

const go = { role: 'user', content: 'Go' };
const gone = { role: 'assistant', content: 'Gone.' };

/** One JSON value with each message on a line of its own, the first on line 2. */
function spread(messages: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  const list = messages.map((one) => JSON.stringify(one)).join(',\n');
  const fields = Object.entries(more).map(([key, value]) => `,"${key}": ${JSON.stringify(value)}`);
  return `{"messages": [\n${list}\n]\n${fields.join('\n')}}`;
}

/** A call without a tool name, as each format has it. */
const nameless = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 't1', input: {} },
  ],
};

describe('a recording that is one JSON value of the wrong shape', () => {
  it('names the line and the format, even if the format is detected', () => {
    const text = '[{"role":"user","content":"x"},\n{"role":"assistant","content":5}]';
    for (const format of ['auto', 'messages'] as const) {
      expect(refusalOf(text, format)).toBe(
        'session cannot be read: line 2, as a messages recording: messages.1.content: ' +
          'expected a text or a list of parts. Repair it there.',
      );
    }
  });

  it.each([
    ['messages', spread([go, gone, { role: 'judge', content: '' }]), 'line 4, as a messages '],
    ['messages', spread([go, { role: 'assistant' }], { model: 'x' }), 'line 3, as a messages '],
    ['messages', '{"model": "x",\n"messages": "Go"}', 'line 2, as a messages recording: messages:'],
    ['cline', spread([go, { role: 'judge', content: '' }], { sessionId: 's' }), 'line 3, as a cl'],
    ['cline', spread([go, gone], { system_prompt: 7 }), 'line 5, as a cline recording: system_pro'],
    [
      'roo',
      JSON.stringify(
        [
          { ...go, ts: 1 },
          { ...gone, ts: 2, isSummary: 'yes' },
        ],
        null,
        1,
      ),
      'line 11, as a cline recording: messages.1.isSummary: ',
    ],
    [
      'openhands',
      spread([go, { ...gone, tool_calls: 5 }], { response: { choices: [] } }),
      'line 3, as an openhands recording: messages.1.tool_calls: ',
    ],
    [
      'openhands without answers',
      spread([go], { response: { choices: 5 } }),
      'line 4, as an openhands recording: response.choices: ',
    ],
  ])('names the line and the detected format: %s', (_, text, said) => {
    expect(refusalOf(text)).toContain(said);
  });

  it('names a wrong field of a part by its path', () => {
    const text = spread([go, { role: 'assistant', content: [{ type: 'text', text: 'a' }, {}] }]);
    expect(refusalOf(text)).toContain('line 3, as a messages recording: messages.1.content.1.type');
  });

  it('is not read as a Messages API recording if it belongs to another API', () => {
    const foreign = [
      [{ role: 'system', content: 'Be brief.' }, go],
      [go, { role: 'assistant', content: '', tool_calls: [] }],
      [go, { role: 'tool', content: 'A' }],
    ];
    for (const messages of foreign) {
      expect(refusalOf(JSON.stringify(messages))).toContain(
        'it looks like messages of another API than the Messages API',
      );
    }
  });
});

describe('a recording of lines of the wrong shape', () => {
  it.each([
    [
      'claude-code',
      jsonl({ type: 'user', message: { role: 'user' } }),
      'line 1: message.content: ',
    ],
    ['pi', jsonl({ type: 'message', message: {} }), 'line 1: message.role: '],
  ])('names the line if the format is detected: %s', (_, text, said) => {
    expect(refusalOf(text)).toContain(said);
  });

  it('names the line of a reply that no prompt precedes', () => {
    const header = { type: 'session' };
    const pi = (message: object) => ({ type: 'message', message });
    expect(refusalOf(jsonl(header, pi(gone)))).toBe(
      'session cannot be read: line 2: as a pi recording it holds no prompt: it begins with a ' +
        'reply of the assistant, and no request can. Put the prompt that reply answers in front of it.',
    );
    expect(refusalOf(jsonl(header, pi(go), pi({ ...gone, content: [] })))).toMatch(
      /line 3: as a pi recording it holds no reply with a text or a call/,
    );
  });

  it('names the line in a single value, too', () => {
    expect(refusalOf(spread([gone, go]))).toMatch(/line 2: .*no reply behind its first prompt/);
    expect(refusalOf(`[\n${JSON.stringify(gone)}]`)).toMatch(/line 2: .*it holds no prompt/);
  });
});

describe('a call without a tool name', () => {
  const wrong = 'a call needs the name of its tool';
  const call = { type: 'toolCall', id: 't1', arguments: {} };
  const chatCall = { id: 't1', function: { name: ' ', arguments: '{}' } };

  it.each([
    [
      'messages',
      spread([go, nameless]),
      'line 3, as a messages recording: messages.1.content.1.na',
    ],
    ['cline', spread([go, nameless], { sessionId: 's' }), 'line 3, as a cline recording: messages'],
    [
      'claude-code',
      jsonl({ type: 'user', message: go }, { type: 'assistant', message: nameless }),
      'line 2: message.content.1.name: ',
    ],
    [
      'pi',
      jsonl(
        { type: 'message', message: go },
        { type: 'message', message: { role: 'assistant', content: [call] } },
      ),
      'line 2: message.content.0.name: ',
    ],
    [
      'openhands',
      spread([go, { ...gone, tool_calls: [chatCall] }], { response: { choices: [] } }),
      'line 3, as an openhands recording: messages.1.tool_calls.0.function.name: ',
    ],
    [
      'codex',
      jsonl(
        { type: 'response_item', payload: { type: 'message', ...go } },
        { type: 'response_item', payload: { type: 'function_call', name: '', arguments: '{}' } },
      ),
      'line 2: payload: name: ',
    ],
  ])('is reported with its line: %s', (_, text, said) => {
    expect(refusalOf(text)).toContain(said);
    expect(refusalOf(text)).toContain(wrong);
  });
});

describe('the schema of a tool without a type', () => {
  const note = '1 tool schema completed with the type that the API requires.';

  it('becomes a schema of an object, and a note says so', () => {
    const recording = {
      messages: [go],
      tools: [{ function: { name: 'look', parameters: { properties: { path: {} } } } }],
      context_window: 200_000,
      response: { choices: [{ message: gone }] },
    };
    const { tools, notes } = transcriptOf(recording);
    expect(tools[0]!.inputSchema).toEqual({ type: 'object', properties: { path: {} } });
    expect(notes).toContain(note);
    const plain = transcriptOf({ messages: [go, gone], tools: [{ name: 'a', input_schema: {} }] });
    expect(plain.tools[0]!.inputSchema).toEqual({ type: 'object' });
    expect(plain.notes).toEqual([note]);
  });

  it('stays unchanged if its type is object', () => {
    const tools = [{ name: 'a', input_schema: { type: 'object' } }];
    expect(transcriptOf({ messages: [go, gone], tools }).notes).toEqual([]);
    expect(drawn({ messages: [go, gone], tools })).toEqual(['prompt Go', 'reply Gone.']);
  });
});
