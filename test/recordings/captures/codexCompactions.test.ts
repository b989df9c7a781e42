import { appendFileSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readHere } from '../../../src/editor/recordings/recordingFile';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import { windowOrigin } from '../../../src/recordings/windowOrigin';
import { tempFolder } from '../../tools/support/tempFolder';
import { codex, write } from '../lens/support/agentHomes';

const THREAD = '01a20000-0bcf-7193-9e1f-9d8b5ac218fc';

let home: string;
let captures: string;
let bundle: string;
let finder: SessionFinder;

beforeEach(() => {
  home = realpathSync(tempFolder());
  captures = join(home, 'captures');
  bundle = join(captures, `trace-aaaa-${THREAD}`);
  mkdirSync(join(bundle, 'payloads'), { recursive: true });
  finder = new SessionFinder({ home, environment: {}, now: () => Date.now() });
  for (const [id, parent] of [[THREAD], ['child', THREAD]] as const) {
    const meta =
      parent === undefined
        ? codex.meta(id, '/ws')
        : codex.meta(id, '/ws', { subagent: { thread_spawn: { parent_thread_id: parent } } });
    write(codex.file(home, id), meta, codex.prompt(`Prompt of ${id}.`), codex.count(9_000));
  }
});

const text = (role: string, type: string, said: string) => ({
  type: 'message',
  role,
  content: [{ type, text: said }],
});
const INPUT = [
  text('user', 'input_text', 'List the files.'),
  { type: 'function_call', call_id: 'call_1', name: 'shell', arguments: '{"command":"ls"}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'hull.txt' },
];
const TOOLS = [{ type: 'function', name: 'shell', parameters: { type: 'object', properties: {} } }];
const ASKED = { model: 'gpt-5.2', instructions: 'You are an agent.', input: INPUT, tools: TOOLS };
const SECRET = { type: 'compaction', encrypted_content: 'gAAA' };

/** Traces a compaction; without an answer none was traced. */
function trace(n: number, request: object, output?: readonly object[], thread = THREAD): void {
  const payload = (name: string, value: object) => {
    writeFileSync(join(bundle, 'payloads', name), JSON.stringify(value));
    return { raw_payload_id: `raw_payload:${name}`, path: `payloads/${name}` };
  };
  const id = { compaction_id: `c${n}`, compaction_request_id: `compaction_request:${n}` };
  const started = {
    type: 'compaction_request_started',
    ...id,
    thread_id: thread,
    model: 'gpt-5.2',
    request_payload: payload(`${n}-request.json`, request),
  };
  const events: object[] = [started];
  if (output !== undefined) {
    const response_payload = payload(`${n}-response.json`, { output_items: output });
    events.push({ type: 'compaction_request_completed', ...id, response_payload });
  }
  const lines = events.map((one, index) => ({
    schema_version: 2,
    wall_time_unix_ms: n * 1_000 + index,
    thread_id: thread,
    payload: one,
  }));
  appendFileSync(
    join(bundle, 'trace.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
}

const found = async () =>
  (await finder.find(undefined, {}, { requests: { codex: [captures] } })).sessions;

async function opened(file: string) {
  const read = await readHere({ file });
  if (!read.ok) throw new Error(read.message);
  const { transcript, captured } = read;
  const last = transcript.entries.at(-1);
  const said = last?.type === 'reply' ? last.parts : [];
  return {
    said: said.flatMap((part) => (part.type === 'text' ? part.text : [])),
    prompts: transcript.entries.flatMap((one) => (one.type === 'prompt' ? one.text : [])),
    system: transcript.system,
    origin: windowOrigin(transcript, captured),
  };
}

describe('a compaction that Codex traced', () => {
  it('is a window below its session, or the sub-agent that it belongs to', async () => {
    trace(1, ASKED, [SECRET]);
    trace(2, ASKED, [SECRET], 'child');
    const [session] = await found();
    expect(session?.inner.map(({ title, usedAt, model }) => [title, usedAt, model])).toEqual([
      ['Prompt of child.', expect.any(Number), undefined],
      ['Side request: compaction', 1_000, 'gpt-5.2'],
    ]);
    expect(session?.inner[0]?.inner.map(({ usedAt }) => usedAt)).toEqual([2_000]);
    expect((await finder.find()).sessions[0]?.inner).toHaveLength(1);
    trace(3, ASKED, [SECRET]);
    expect((await found())[0]?.inner.map(({ usedAt }) => usedAt).slice(1)).toEqual([3_000, 1_000]);
    rmSync(bundle, { recursive: true });
    expect((await found())[0]?.inner).toHaveLength(1);
  });

  it('can be opened with what was sent, and says what its answer is', async () => {
    trace(1, ASKED, [text('user', 'input_text', 'List the files.'), SECRET]);
    const compaction = (await found())[0]?.inner.find(({ title }) => title.startsWith('Side'));
    expect(await opened(compaction!.file)).toEqual({
      said: [
        '[The reply is the new history of 2 items, with a summary that OpenAI has encrypted.]',
      ],
      prompts: ['List the files.'],
      system: 'You are an agent.',
      origin: 'Exact: this file is a request itself.',
    });
  });

  it('is not exact without its tools, which newer versions do not trace', async () => {
    const { tools: _tools, ...asked } = ASKED;
    trace(1, { ...asked, input: [...INPUT, { type: 'compaction_trigger' }] }, [SECRET]);
    const { prompts, said, origin } = await opened(
      join(bundle, 'trace.jsonl#compaction_request%3A1'),
    );
    expect(prompts.at(-1)).toBe('[Codex asks for a compaction: compaction_trigger]');
    expect(said).toEqual([
      '[The reply is the new history of 1 item, with a summary that OpenAI has encrypted.]',
    ]);
    expect(origin).toBe('Reconstructed: this file has no tools.');
  });

  it('has a summary that can be read, and says if its answer was not traced', async () => {
    trace(1, ASKED, [text('assistant', 'output_text', 'The files were listed.')]);
    trace(2, ASKED);
    const texts = [1, 2].map(async (n) => {
      const { said } = await opened(join(bundle, `trace.jsonl#compaction_request%3A${n}`));
      return said;
    });
    expect(await Promise.all(texts)).toEqual([
      ['The files were listed.'],
      ['[The reply to this request was not recorded.]'],
    ]);
  });

  it('cannot be opened once it was deleted', async () => {
    trace(1, ASKED, [SECRET]);
    const file = join(bundle, 'trace.jsonl#compaction_request%3A1');
    rmSync(join(bundle, 'payloads', '1-request.json'));
    expect(await readHere({ file })).toMatchObject({ ok: false });
    expect(await readHere({ file: file.replace('%3A1', '%3A9') })).toMatchObject({
      message: expect.stringContaining('its trace has no compaction') as string,
    });
  });
});
