import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { capturedBody } from '../../../src/recordings/captures/capturedBody';
import { END_BYTES } from '../../../src/recordings/captures/capturedCall';
import { type CapturesRead, joinCaptures } from '../../../src/recordings/captures/joinCaptures';
import { importTranscript } from '../../../src/recordings/importTranscript';
import { tempFolder } from '../../tools/support/tempFolder';
import { readBytes } from './support/readBytes';

const THREAD = '01a20000-0bcf-7193-9e1f-9d8b5ac218fc';

const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});
const call = (n: number) => ({
  type: 'function_call',
  call_id: `call_${n}`,
  name: 'shell',
  arguments: `{"command":"ls ${n}"}`,
});
const output = (n: number) => ({
  type: 'function_call_output',
  call_id: `call_${n}`,
  output: `file ${n}`,
});

const PROMPT = message('user', 'List the files.');
const REPLIES = [call(1), call(2), message('assistant', 'Done.')];
const INPUTS = [
  [PROMPT],
  [PROMPT, call(1), output(1)],
  [PROMPT, call(1), output(1), call(2), output(2)],
];

const usage = (n: number) => ({
  input_tokens: 1_000 + n,
  cached_input_tokens: 500,
  output_tokens: 20,
});

/** The lines of the rollout. */
function rollout(): string {
  const line = (type: string, payload: object) => ({
    timestamp: '2026-09-01T10:00:00Z',
    type,
    payload,
  });
  const item = (payload: object) => line('response_item', payload);
  const counted = (n: number) =>
    line('event_msg', {
      type: 'token_count',
      info: { total_token_usage: { input_tokens: n * 1_000 }, last_token_usage: usage(n) },
    });
  const lines = [
    line('session_meta', {
      id: THREAD,
      cwd: '/ws',
      base_instructions: { text: 'You are an agent.' },
    }),
    line('turn_context', { model: 'gpt-5.2' }),
    item(PROMPT),
    ...REPLIES.flatMap((reply, index) => [
      item(reply),
      counted(index + 1),
      ...(index < 2 ? [item(output(index + 1))] : []),
    ]),
  ];
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}

const TOOLS = [{ type: 'function', name: 'shell', parameters: { type: 'object', properties: {} } }];

const body = (input: readonly unknown[]) => ({
  model: 'gpt-5.2',
  instructions: 'You are an agent.',
  input,
  tools: TOOLS,
  stream: true,
});

const response = (n: number) => ({
  response_id: `resp_${n}`,
  token_usage: usage(n),
  output_items: [REPLIES[n - 1]],
});

const HALF_LINE = '{"schema_version":1,"payl';

/** Writes a bundle; `refOf` stores a payload and returns how the events name it. */
function bundle(
  folder: string,
  version: number,
  refOf: (path: string, id: string, value: unknown) => object,
  inputs: readonly { readonly input: readonly unknown[]; readonly mode?: object }[],
): void {
  const path = join(folder, `trace-aaaa-${THREAD}`);
  mkdirSync(join(path, 'payloads'), { recursive: true });
  writeFileSync(join(path, 'manifest.json'), JSON.stringify({ schema_version: version }));
  const event = (payload: object) => ({
    schema_version: version,
    seq: 1,
    thread_id: THREAD,
    payload,
  });
  const events = inputs.flatMap(({ input, mode }, index) => {
    const n = index + 1;
    return [
      event({
        type: 'inference_started',
        inference_call_id: `i${n}`,
        thread_id: THREAD,
        model: 'gpt-5.2',
        request_payload: refOf(path, `raw_payload:${2 * n}`, body(input)),
        ...(mode === undefined ? {} : { request_input_mode: mode }),
      }),
      event({
        type: 'inference_completed',
        inference_call_id: `i${n}`,
        response_id: `resp_${n}`,
        response_payload: refOf(path, `raw_payload:${2 * n + 1}`, response(n)),
      }),
    ];
  });
  const other = {
    type: 'inference_started',
    inference_call_id: 'o',
    thread_id: 'another',
    model: 'm',
  };
  const lines = [event({ type: 'rollout_started' }), event(other), ...events];
  const text = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(join(path, 'trace.jsonl'), `${text}${HALF_LINE}`);
}

const inFiles = (path: string, id: string, value: unknown) => {
  const name = `payloads/${id.split(':')[1]}.json`;
  writeFileSync(join(path, name), JSON.stringify(value));
  return { raw_payload_id: id, kind: { type: 'inference_request' }, path: name };
};

const joined = async (folder: string, before?: CapturesRead) => {
  const read = importTranscript(rollout(), 'auto', 'rollout.jsonl', () => 0);
  if (!read.ok) throw new Error(read.message);
  const folders = { codex: [folder] };
  return joinCaptures(rollout(), read.transcript, folders, 'rollout.jsonl', before);
};

/** The items of the request that each step answers. */
const inputsOf = async (folder: string) => {
  const { captured } = await joined(folder);
  const bodies = await Promise.all([...captured.steps.values()].map(capturedBody));
  return bodies.map((read) => (read.ok ? read.body.raw['input'] : read.message));
};

describe('requests traced by Codex', () => {
  it.each([1, 2])('belong to their steps, schema version %s', async (version) => {
    const folder = tempFolder();
    bundle(
      folder,
      version,
      inFiles,
      INPUTS.map((input) => ({ input })),
    );
    const { captured, transcript } = await joined(folder);
    expect([...captured.steps.keys()]).toEqual([1, 2, 3]);
    expect(captured.steps.get(2)?.usage).toMatchObject({ inputTokens: 502, cacheReadTokens: 500 });
    expect(await inputsOf(folder)).toEqual(INPUTS);
    expect(transcript.tools.map(({ name }) => name)).toEqual(['shell']);
  });

  it('are whole also if Codex sent only what is new', async () => {
    const folder = tempFolder();
    const rest = (n: number) => ({
      input: [output(n)],
      mode: { type: 'incremental', previous_response_id: `resp_${n}` },
    });
    const first = { input: [PROMPT], mode: { type: 'full_snapshot' } };
    bundle(folder, 1, inFiles, [first, rest(1), rest(2)]);
    expect(await inputsOf(folder)).toEqual(INPUTS);
  });

  it('are not exact if what they leave out was not traced', async () => {
    const folder = tempFolder();
    const lost = (type: string) => ({
      input: [output(1)],
      mode: { type, previous_response_id: 'resp_0' },
    });
    bundle(folder, 1, inFiles, [
      { input: [PROMPT] },
      lost('incremental'),
      lost('incremental_with_untraced_prefix'),
    ]);
    expect([...(await joined(folder)).captured.steps.keys()]).toEqual([1]);
  });

  it('are read once while the session grows', async () => {
    const folder = tempFolder();
    const counted = await readBytes();
    const path = join(folder, `trace-aaaa-${THREAD}`);
    const sizes = (...names: readonly string[]) =>
      names.reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
    const inputs = INPUTS.map((input) => ({ input }));
    bundle(folder, 1, inFiles, inputs.slice(0, 2));
    const first = await joined(folder);
    expect([...first.captured.steps.keys()]).toEqual([1, 2]);
    const before = sizes('trace.jsonl');
    bundle(folder, 1, inFiles, inputs);
    counted.taken();
    const second = await joined(folder, structuredClone(first.capturesRead));
    // The half-written line is read again, and the end before and after it tells whether the file is
    // the same; the newest request gives the system prompt and tools.
    const added = sizes('trace.jsonl') - before + HALF_LINE.length + 2 * END_BYTES;
    expect(counted.taken()).toBe(added + sizes('payloads/7.json', 'payloads/6.json'));
    expect(second.captured).toEqual((await joined(folder)).captured);
    expect([...second.captured.steps.keys()]).toEqual([1, 2, 3]);
  });

  it('with a damaged response are read again only once its file has changed', async () => {
    const folder = tempFolder();
    const counted = await readBytes();
    const path = join(folder, `trace-aaaa-${THREAD}`);
    const response = join(path, 'payloads', '5.json');
    bundle(
      folder,
      1,
      inFiles,
      INPUTS.map((input) => ({ input })),
    );
    const whole = readFileSync(response, 'utf8');
    writeFileSync(response, whole.slice(0, 20));
    const first = await joined(folder);
    expect([...first.captured.steps.keys()]).toEqual([1, 3]);
    counted.taken();
    const second = await joined(folder, structuredClone(first.capturesRead));
    expect([...second.captured.steps.keys()]).toEqual([1, 3]);
    const again = HALF_LINE.length + 2 * END_BYTES;
    expect(counted.taken()).toBe(again + statSync(join(path, 'payloads', '6.json')).size);
    writeFileSync(response, whole);
    const third = await joined(folder, structuredClone(second.capturesRead));
    expect([...third.captured.steps.keys()]).toEqual([1, 2, 3]);
  });

  it('are forgotten with their bundle', async () => {
    const folder = tempFolder();
    bundle(folder, 1, inFiles, [{ input: [PROMPT] }]);
    const { capturesRead } = await joined(folder);
    expect([...capturesRead.bundles.keys()]).toEqual([join(folder, `trace-aaaa-${THREAD}`)]);
    rmSync(join(folder, `trace-aaaa-${THREAD}`), { recursive: true });
    const second = await joined(folder, capturesRead);
    expect([second.captured.steps.size, second.capturesRead.bundles.size]).toEqual([0, 0]);
  });

  it('are read from the beginning if their file was written again', async () => {
    const folder = tempFolder();
    const inputs = INPUTS.map((input) => ({ input }));
    bundle(folder, 1, inFiles, inputs);
    const first = await joined(folder);
    rmSync(join(folder, `trace-aaaa-${THREAD}`), { recursive: true });
    bundle(folder, 1, inFiles, inputs.slice(0, 1));
    const second = await joined(folder, first.capturesRead);
    expect([...second.captured.steps.keys()]).toEqual([1]);
  });

  it('are read from the beginning if another file was written over theirs', async () => {
    const folder = tempFolder();
    const trace = join(folder, `trace-aaaa-${THREAD}`, 'trace.jsonl');
    const inputs = INPUTS.map((input) => ({ input }));
    bundle(folder, 1, inFiles, inputs.slice(0, 1));
    const first = await joined(folder);
    bundle(folder, 1, inFiles, inputs);
    const longer = readFileSync(trace, 'utf8');
    writeFileSync(trace, `${'\n'.repeat(300)}${longer}`);
    const second = await joined(folder, first.capturesRead);
    expect([...second.captured.steps.keys()]).toEqual([1, 2, 3]);
  });

  it('are read up to the last line, whether or not it has a line break, once', async () => {
    const folder = tempFolder();
    const trace = join(folder, `trace-aaaa-${THREAD}`, 'trace.jsonl');
    bundle(
      folder,
      1,
      inFiles,
      INPUTS.map((input) => ({ input })),
    );
    const compaction = JSON.stringify({
      thread_id: THREAD,
      payload: { type: 'compaction_request_started' },
    });
    writeFileSync(trace, readFileSync(trace, 'utf8').slice(0, -HALF_LINE.length) + compaction);
    const first = await joined(folder);
    appendFileSync(trace, '\n');
    const second = await joined(folder, first.capturesRead);
    for (const { captured } of [first, second]) {
      expect([...captured.others]).toEqual([['compaction', 1]]);
    }
  });

  it('do not lead out of their bundle', async () => {
    const folder = tempFolder();
    const outside = (_path: string, id: string, value: unknown) => {
      writeFileSync(join(folder, 'outside.json'), JSON.stringify(value));
      return { raw_payload_id: id, path: '../outside.json' };
    };
    bundle(folder, 1, outside, [{ input: [PROMPT] }]);
    expect((await joined(folder)).captured.steps.size).toBe(0);
  });

  const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer };

  it.skipIf(zstdCompressSync === undefined)('are read from shards, schema version 3', async () => {
    const folder = tempFolder();
    const values: Buffer[] = [];
    const inShard = (path: string, id: string, value: unknown) => {
      const bytes = Buffer.from(JSON.stringify(value));
      const head = Buffer.alloc(10);
      head.writeUInt16LE(id.length, 0);
      head.writeBigUInt64LE(BigInt(bytes.length), 2);
      values.push(head, Buffer.from(id), bytes);
      // The agent is still writing the last value.
      const packed = zstdCompressSync?.(Buffer.concat([...values, head.subarray(0, 4)]));
      writeFileSync(join(path, 'payloads', '000001.zst'), packed ?? '');
      return { raw_payload_id: id, kind: { type: 'inference_request' }, shard: 1 };
    };
    bundle(
      folder,
      3,
      inShard,
      INPUTS.map((input) => ({ input })),
    );
    expect(await inputsOf(folder)).toEqual(INPUTS);
  });
});
