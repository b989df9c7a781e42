import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openLog } from '../../src/sessions/sessionLog';
import { oddServer } from '../model/asking';
import { httpAgent } from '../support/httpAgent';
import { runs } from '../support/runs';
import { readWhole } from '../sessions/support/storedLog';
import { tempFolder } from '../tools/support/tempFolder';

const number = fc.constantFrom(
  '0',
  '12',
  '-3',
  '0.5',
  '1e400',
  '-1e400',
  '1e300',
  '9007199254740993',
);
const word = fc.constantFrom('"a"', '"\\ud800"', '""', 'null', 'true', '{}', '[1]', '"id 1"');
const value = fc.oneof(number, word, fc.json());
const usage = fc
  .dictionary(
    fc.constantFrom(
      'input_tokens',
      'cache_creation_input_tokens',
      'cache_read_input_tokens',
      'output_tokens',
      'iterations',
    ),
    fc.oneof(
      value,
      value.map((tokens) => `[{"type":"compaction","input_tokens":${tokens}}]`),
    ),
  )
  .map(objectOf);
const block = fc
  .tuple(
    fc.constantFrom('text', 'thinking', 'redacted_thinking', 'tool_use', 'compaction', 'other'),
    fc.dictionary(
      fc.constantFrom('text', 'thinking', 'signature', 'data', 'id', 'name', 'input', 'content'),
      value,
    ),
  )
  .map(([type, fields]) => objectOf({ type: `"${type}"`, ...fields }));
const depth = fc.constantFrom(1, 499, 500, 501, 20_000);
const deep = depth.map((levels) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
const partial = fc.oneof(deep, fc.json(), fc.constantFrom('{"a":1e999}', '{"__proto__":{"b":1}}'));
const delta = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('text_delta', 'thinking_delta', 'signature_delta', 'compaction_delta'),
      fc.dictionary(fc.constantFrom('text', 'thinking', 'signature', 'content'), value),
    )
    .map(([type, fields]) => objectOf({ type: `"${type}"`, ...fields })),
  partial.map((json) => `{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}`),
);
const index = fc.constantFrom('0', '1', '2', '"x"', '-1');
const stopReason = fc.constantFrom(
  '"end_turn"',
  '"max_tokens"',
  '"tool_use"',
  '5',
  'null',
  '"odd"',
);
const edits = fc.oneof(
  value,
  fc
    .tuple(value, value)
    .map(([type, n]) => `{"applied_edits":[{"type":${type},"cleared_tool_uses":${n}}]}`),
);
const event = fc.oneof(
  fc
    .tuple(value, usage)
    .map(
      ([model, said]) => `{"type":"message_start","message":{"model":${model},"usage":${said}}}`,
    ),
  fc
    .tuple(index, block)
    .map(([at, begun]) => `{"type":"content_block_start","index":${at},"content_block":${begun}}`),
  fc
    .tuple(index, delta)
    .map(([at, more]) => `{"type":"content_block_delta","index":${at},"delta":${more}}`),
  fc
    .tuple(stopReason, usage, edits)
    .map(
      ([reason, said, applied]) =>
        `{"type":"message_delta","delta":{"stop_reason":${reason}},"usage":${said},"context_management":${applied}}`,
    ),
);

/**
 * Joins values that are already JSON, so that numbers no parser could have written stay unchanged.
 */
function objectOf(fields: Readonly<Record<string, string>>): string {
  const members = Object.entries(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${members.join(',')}}`;
}

it('any stored part of a server’s answer reads back unchanged', async () => {
  let answers: (readonly string[])[] = [];
  const url = await oddServer((request, response) => {
    request.resume();
    const events = request.url === '/v1/messages' ? answers.shift() : undefined;
    if (events === undefined) {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const all = [...events, '{"type":"message_stop"}'];
    response.end(
      all.map((data) => `event: ${/"type":"(\w+)"/.exec(data)?.[1]}\ndata: ${data}\n\n`).join(''),
    );
  });
  let replies = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { maxLength: 12 }), { maxLength: 2 }),
      async (said) => {
        answers = [...said];
        const agent = httpAgent({ url });
        await agent.run('look');
        const { events } = agent.session;
        replies += events.filter(({ type }) => type === 'replyReceived').length;
        const file = join(tempFolder(), 'log.jsonl');
        const log = openLog(file);
        for (const one of events) log.append(one);
        log.close();
        const read = readWhole(file);
        expect(read.ok && read.damaged).toEqual([]);
        expect(read.ok && read.events).toEqual(events);
      },
    ),
    { numRuns: runs(70, 3_000) },
  );
  expect(replies).toBeGreaterThan(0);
});
