import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capturedBody } from '../../../src/recordings/captures/capturedBody';
import { joinCaptures } from '../../../src/recordings/captures/joinCaptures';
import { importTranscript } from '../../../src/recordings/importTranscript';
import { sessionBytes } from '../../../src/recordings/lens/sessionBytes';
import { windowOrigin } from '../../../src/recordings/windowOrigin';
import { tempFolder } from '../../tools/support/tempFolder';

const says = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
const reads = (id: string) => ({
  role: 'assistant',
  parts: [
    { type: 'reasoning', content: 'Hm.' },
    { type: 'tool_call', id, name: 'read_file', arguments: { path: `${id}.ts` } },
  ],
});
const came = (id: string) => ({
  role: 'user',
  parts: [{ type: 'tool_call_response', id, response: [{ type: 'text', text: `text of ${id}` }] }],
});

const line = (type: string, attrs: object) =>
  `${JSON.stringify({ ts: 5_000, dur: 100, sid: 's1', type, name: type, spanId: 'x', status: 'ok', attrs })}\n`;
const asks = (messages: readonly object[], more: object = {}) =>
  line('llm_request', {
    model: 'claude-sonnet-4.6',
    inputTokens: 2_000,
    outputTokens: 10,
    inputMessages: JSON.stringify(messages),
    maxTokens: 16_000,
    systemPromptFile: 'system_prompt_0.json',
    toolsFile: 'tools_0.json',
    ...more,
  });

const GO = says('user', 'Señor, "systemPromptFile":"nowhere.json"');
const FIRST = [GO];
const SECOND = [GO, reads('a'), came('a')];
const PICTURE = {
  role: 'user',
  parts: [{ type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBORw0KGgo=' }],
};
const THIRD = [...SECOND, says('assistant', 'Gone.'), says('user', 'More'), PICTURE];
const REPLY = line('agent_response', {
  response: JSON.stringify([says('assistant', 'Gone.')]),
});

/** A log with the files beside it; `tools` is the name of that with the tools. */
function log(...lines: readonly string[]) {
  const file = join(tempFolder(), 'debug-logs', 's1', 'main.jsonl');
  const beside = (name: string, content: unknown) =>
    writeFileSync(
      join(dirname(file), name),
      JSON.stringify({ content: JSON.stringify(content) }, null, 2),
    );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    [line('session_start', {}), line('user_message', { content: 'Sí' }), ...lines].join(''),
  );
  beside('system_prompt_0.json', [{ type: 'text', content: 'You are an agent.' }]);
  beside('system_prompt_1.json', [{ type: 'text', content: 'You are another.' }]);
  beside('tools_0.json', [
    { type: 'function', name: 'read_file', description: 'Reads.', parameters: { type: 'object' } },
  ]);
  return file;
}

async function joined(file: string) {
  const text = (await sessionBytes(file)).toString('utf8');
  const read = importTranscript(text, 'auto', 'main.jsonl', () => 0);
  if (!read.ok) throw new Error(read.message);
  const { captured } = await joinCaptures(text, read.transcript, {}, file);
  const body = async (step: number) => {
    const call = captured.steps.get(step);
    const whole = call && (await capturedBody(call));
    return whole?.ok === true ? whole.body : whole?.message;
  };
  return { captured, body, origin: windowOrigin(read.transcript, captured) };
}

describe("requests in a debug log of VS Code's agent", () => {
  it('are the exact windows of its steps, with the system prompt and the tools of each', async () => {
    const other = { systemPromptFile: 'system_prompt_1.json' };
    const file = log(asks(FIRST), asks(SECOND), REPLY, asks(THIRD, other), REPLY);
    const { captured, body, origin } = await joined(file);
    expect(origin).toBe('Exact: the request of every step was recorded.');
    expect(captured.steps.get(2)).toMatchObject({
      model: 'claude-sonnet-4.6',
      usage: { inputTokens: 2_000, outputTokens: 10 },
    });
    const [first, second, third] = await Promise.all([1, 2, 3].map(body));
    expect(first).toMatchObject({ maxTokens: 16_000, raw: { messages: FIRST } });
    expect(second).toMatchObject({
      raw: { messages: SECOND },
      sections: [
        { title: 'Tool read_file', parts: [{ text: 'Reads.' }, { title: 'input schema' }] },
        { title: 'System prompt', parts: [{ text: 'You are an agent.' }] },
        { title: 'Message 1, user', parts: [{ text: GO.parts[0]!.content }] },
        {
          role: 'assistant',
          parts: [
            { title: 'thinking', text: 'Hm.' },
            { title: 'calls read_file', read: '{"path":"a.ts"}' },
          ],
        },
        { role: 'user', parts: [{ title: 'result of read_file', text: 'text of a' }] },
      ],
    });
    expect(third).toMatchObject({ raw: { messages: THIRD } });
    expect(JSON.stringify(third)).toContain('You are another.');
    expect(third).toMatchObject({
      sections: expect.arrayContaining([
        expect.objectContaining({
          parts: [{ title: 'image', text: '[image/png, 12 characters]', read: '' }],
        }),
      ]) as unknown,
    });
  });

  it('grow with the log', async () => {
    const file = log(asks(FIRST), asks(SECOND));
    expect([...(await joined(file)).captured.steps.keys()]).toEqual([1]);
    appendFileSync(file, `${REPLY}${asks(THIRD)}${REPLY}`);
    const { captured, body } = await joined(file);
    expect([...captured.steps.keys()]).toEqual([1, 2, 3]);
    expect(await body(3)).toMatchObject({ raw: { messages: THIRD } });
  });

  it('are not exact if their messages were cut, as older versions did', async () => {
    const cut = { inputMessages: `${JSON.stringify(SECOND).slice(0, 80)}...[truncated]` };
    const file = log(asks(FIRST), REPLY, asks(SECOND, cut), asks(THIRD), REPLY);
    const { captured, origin } = await joined(file);
    expect(captured.steps.size).toBeLessThan(3);
    expect(origin).toContain('The others are reconstructed.');
  });

  it.each([
    ['the file with their tools is missing', {}],
    ['no file with their tools is named', { toolsFile: undefined }],
  ])('are not exact if %s', async (_, named) => {
    const file = log(asks(FIRST, named), REPLY);
    if (!('toolsFile' in named)) rmSync(join(dirname(file), 'tools_0.json'));
    const { captured, origin } = await joined(file);
    expect(captured.steps.size).toBe(0);
    expect(origin).toContain('Reconstructed');
  });

  it.each(['systemPromptFile', 'toolsFile'])(
    'show no file outside the folder of the log, whatever %s names',
    async (name) => {
      const allowed = name === 'toolsFile' ? 'tools_0.json' : 'system_prompt_0.json';
      const entry = JSON.parse(asks(FIRST, { [name]: '../../secret.json' })) as object;
      // The last key of this name has a name that is there.
      const file = log(`${JSON.stringify({ ...entry, more: { [name]: allowed } })}\n`, REPLY);
      writeFileSync(join(dirname(file), '../../secret.json'), '{"content":"password"}');
      const { captured, body } = await joined(file);
      expect(captured.steps.size).toBe(1);
      expect(await body(1)).toBe(
        'its log does not name files with the system prompt and the tools in its own folder.',
      );
    },
  );

  it.skipIf(process.platform === 'win32')('follow no link in place of a file', async () => {
    const file = log(asks(FIRST), REPLY);
    const { captured, body } = await joined(file);
    const tools = join(dirname(file), 'tools_0.json');
    const secret = join(dirname(file), '../../secret.json');
    writeFileSync(secret, '{"content":"password"}');
    rmSync(tools);
    symlinkSync(secret, tools);
    expect(captured.steps.size).toBe(1);
    expect(await body(1)).toBe(
      'a file with its system prompt or its tools is a link to another file.',
    );
    expect((await sessionBytes(file)).toString('utf8')).not.toContain('password');
    expect((await joined(file)).captured.steps.size).toBe(0);
  });

  it('cannot be read once VS Code has cut the beginning of the log', async () => {
    const file = log(asks(FIRST), REPLY);
    const { body } = await joined(file);
    writeFileSync(file, readFileSync(file, 'utf8').slice(300));
    expect(await body(1)).toContain('the recorded request is not whole');
  });
});
