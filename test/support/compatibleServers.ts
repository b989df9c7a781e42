import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

/** One refusal of a request. */
interface Refusal {
  readonly status: number;
  readonly body: Json;
}

/** What makes a server differ from Anthropic's. */
interface Behaviour {
  /** What it answers to count_tokens: a number of tokens, or a refusal. */
  readonly count: (body: Json) => number | Refusal;
  /** Why it refuses a request; undefined if it answers. */
  readonly refuses?: (body: Json) => Refusal | undefined;
  /** The usage at the start and at the end of a reply. */
  readonly usage?: (tokens: number) => readonly [start: Json, end: Json];
  readonly models?: readonly string[];
}

/** A double of a compatible server, on a free port of 127.0.0.1. */
export interface CompatibleDouble {
  readonly url: string;
  /** Bodies of the requests to /v1/messages. */
  readonly asked: readonly Json[];
  /** How often a count was asked for. */
  readonly counted: () => number;
  close(): Promise<void>;
}

/** The tokens of a request by the double's tokenizer. */
export function tokensOf({ system, tools, messages }: Json): number {
  const texts = JSON.stringify([system ?? '', tools ?? [], messages], (name, value: unknown) =>
    name === 'cache_control' ? undefined : value,
  );
  return Math.ceil(texts.length / 3);
}

const error = (status: number, message: string, type = 'invalid_request_error'): Refusal => ({
  status,
  body: { type: 'error', error: { type, message } },
});

const noSuchRoute: Refusal = { status: 404, body: { detail: 'Not Found' } };

const holds = (body: Json, text: string) => JSON.stringify(body).includes(text);

/** Doubles of the servers that a user may have, in their own words. */
export const COMPATIBLE = {
  ollama: {
    count: () => noSuchRoute,
    // The first number is an estimate: anthropic.go sends the characters divided by four.
    usage: (tokens) => [
      { input_tokens: tokens * 2, output_tokens: 0 },
      { input_tokens: tokens, output_tokens: 3 },
    ],
    refuses: (body) =>
      body['model'] === 'gemma3:4b' && body['tools'] !== undefined
        ? error(400, 'registry.ollama.ai/library/gemma3:4b does not support tools')
        : undefined,
    models: ['qwen3-coder', 'gemma3:4b'],
  },
  lmStudio: {
    count: () => ({
      status: 404,
      body: { error: 'Unexpected endpoint or method. (POST /v1/messages/count_tokens)' },
    }),
  },
  openRouter: {
    count: () => noSuchRoute,
    refuses: (body) => {
      const lacking = (what: string) => error(404, `No endpoints found that support ${what}`);
      if (holds(body, '"cache_control"')) return lacking('cache control');
      return holds(body, '"type":"image"') ? lacking('image input') : undefined;
    },
  },
  /** Its own tokenizer leaves out the tools (BerriAI/litellm#29269). */
  liteLlmFallback: { count: (body) => tokensOf({ ...body, tools: [] }) },
  liteLlm: { count: (body) => Math.round(tokensOf(body) * 1.03) },
  vllm: {
    count: tokensOf,
    // Until it knows what was cached, it reports the whole prompt as input.
    usage: (tokens) => [
      { input_tokens: tokens, output_tokens: 0 },
      { input_tokens: 10, cache_read_input_tokens: tokens - 10, output_tokens: 3 },
    ],
  },
  vllmWithoutTools: {
    count: tokensOf,
    refuses: (body) =>
      body['tools'] === undefined
        ? undefined
        : error(
            400,
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            'BadRequestError',
          ),
  },
  llamaCpp: {
    count: tokensOf,
    refuses: (body) =>
      holds(body, '"type":"image"')
        ? error(
            500,
            'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
            'server_error',
          )
        : undefined,
  },
  /** As in router-for-me/CLIProxyAPI#679. */
  undercountingProxy: { count: (body) => Math.ceil(tokensOf(body) * 0.07) },
  /** Above the 5 % that are still agreement. */
  overcountingProxy: { count: (body) => Math.round(tokensOf(body) * 1.06) },
  zeroProxy: { count: () => 0 },
  strictProxy: {
    count: tokensOf,
    refuses: (body) =>
      ['thinking', 'output_config']
        .filter((field) => body[field] !== undefined)
        .map((field) => error(400, `${field}: Extra inputs are not permitted`))
        .at(0),
  },
} satisfies Readonly<Record<string, Behaviour>>;

/** Starts a double of a kind of server that gives every prompt the same reply. */
export async function startCompatible(
  behaviour: Behaviour,
  reply = 'Done.',
): Promise<CompatibleDouble> {
  const { count, refuses, usage = plainUsage, models = ['qwen3-coder'] } = behaviour;
  const asked: Json[] = [];
  let counted = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = (text === '' ? {} : JSON.parse(text)) as Json;
    switch (request.url?.replace(/\?.*/, '')) {
      case '/v1/models':
        // OpenAI's form, which all of them have.
        return send(response, 200, { data: models.map((id) => ({ id, object: 'model' })) });
      case '/v1/messages/count_tokens': {
        counted += 1;
        const answer = count(body);
        return typeof answer === 'number'
          ? send(response, 200, { input_tokens: answer })
          : send(response, answer.status, answer.body);
      }
      case '/v1/messages': {
        asked.push(body);
        const refusal = refuses?.(body);
        if (refusal !== undefined) return send(response, refusal.status, refusal.body);
        return stream(response, body, reply, usage(tokensOf(body)));
      }
      default:
        return send(response, 404, { error: 'not found' });
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    counted: () => counted,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

function plainUsage(tokens: number): readonly [Json, Json] {
  return [{ input_tokens: tokens, output_tokens: 0 }, { output_tokens: 3 }];
}

function send(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function stream(
  response: ServerResponse,
  { model }: Json,
  text: string,
  [start, end]: readonly [Json, Json],
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [] };
  const events: readonly Json[] = [
    { type: 'message_start', message: { ...message, usage: start } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: end },
    { type: 'message_stop' },
  ];
  for (const event of events) {
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
