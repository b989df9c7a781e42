import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiError, type ApiError, errorBody, errorTypeOfStatus, invalid } from './apiError';
import { editedPrompt } from './applyContextEdits';
import { countTokens } from './countTokens';
import { type Fault, type FaultEffect, FaultQueue } from './fault';
import {
  betaFault,
  betasOf,
  headerFault,
  type Headers,
  unknownBetasOf,
  withoutSecrets,
} from './rules/headers';
import { plainMessage } from './messageAnswer';
import type { MessagesRequest, Respond } from './messagesApi';
import { modelInfo, modelPage, type OfflineModel, offlineModels } from './models';
import { acceptedThinking, ScriptedModel } from './scriptedModel';
import { planStream, streamEvents, type StreamPlan } from './sse';
import { validateRequest } from './rules/validateRequest';

export interface StrictServerOptions {
  readonly respond: Respond;
  /** The available models; default `offlineModels`. */
  readonly models?: readonly OfflineModel[];
  /** Called for each request once its status is decided, before the answer's body is sent. */
  readonly onRequest?: (request: RecordedRequest) => void;
  /**
   * Whether requests with betas that the server does not know pass, also with unknown fields, and
   * are noted in their record; for clients that are not ours. By default they are refused.
   */
  readonly passesUnknownBetas?: boolean;
  /** Clock of the prompt cache in ms; default Date.now. */
  readonly now?: () => number;
}

export interface StrictServer {
  /** Base URL for a client, without a slash at the end. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Makes a later valid request fail; an invalid one is still rejected and uses up no fault. */
  addFault(fault: Fault): void;
  /** Closes every connection and frees the port; a second call is harmless. */
  close(): Promise<void>;
}

type Endpoint = 'messages' | 'count_tokens';

const endpoints: Readonly<Record<string, Endpoint>> = {
  '/v1/messages': 'messages',
  '/v1/messages/count_tokens': 'count_tokens',
};

const faultPaths = {
  messages: '/v1/messages',
  count_tokens: '/v1/messages/count_tokens',
} as const;

/** Answers with a scripted error, in the API's words or a proxy's. */
function sendStatus(exchange: Exchange, effect: FaultEffect & { readonly kind: 'status' }): void {
  const { status, type = errorTypeOfStatus(status), message = 'Scripted fault' } = effect;
  const headers = Object.entries({
    'retry-after': effect.retryAfterSeconds,
    'retry-after-ms': effect.retryAfterMs,
    'x-should-retry': effect.shouldRetry,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
  const body = effect.body ?? errorBody({ status, type, message }, exchange.id);
  exchange.send(status, body, Object.fromEntries(headers));
}

/** Runs the part of a fault before an answer; true if no answer follows. */
async function failed(exchange: Exchange, effect: FaultEffect | undefined): Promise<boolean> {
  switch (effect?.kind) {
    case 'status':
      sendStatus(exchange, effect);
      return true;
    case 'redirect':
      exchange.send(effect.status, '', { location: effect.location });
      return true;
    case 'drop':
      exchange.drop();
      return true;
    case 'hang':
      if (effect.at === 'firstDelta') return false;
      exchange.hang();
      return true;
    case 'slow':
      await exchange.pause(effect.headersMs ?? 0);
      return exchange.gone;
    case 'cut':
    case 'flood':
    case 'malformed':
    case 'errorEvent':
    case 'count':
    case undefined:
      return false;
  }
}

/** Sends a plain answer, damaged by a fault for streams as far as JSON can be. */
function sendPlain(exchange: Exchange, message: object, effect: FaultEffect | undefined): void {
  if (effect?.kind === 'cut' || effect?.kind === 'malformed') {
    const json = JSON.stringify(message);
    const type = { 'content-type': 'application/json' };
    exchange.send(200, json.slice(0, json.length / 2), type);
  } else if (effect?.kind === 'errorEvent') {
    exchange.refuse(apiError(effect.type, effect.message));
  } else if (effect?.kind === 'hang') {
    exchange.hang();
  } else {
    exchange.send(200, message);
  }
}

class Double {
  readonly requests: RecordedRequest[] = [];
  readonly faults = new FaultQueue();
  readonly #models: readonly OfflineModel[];
  readonly #scripted: ScriptedModel;
  readonly #passesUnknownBetas: boolean;

  constructor(options: StrictServerOptions) {
    this.#passesUnknownBetas = options.passesUnknownBetas ?? false;
    this.#models = options.models ?? offlineModels;
    this.#scripted = new ScriptedModel(options.respond, options.now ?? Date.now);
  }

  async handle(exchange: Exchange): Promise<void> {
    this.requests.push(exchange.record);
    const body = await exchange.readJson();
    const path = exchange.url.pathname;
    const refusal =
      headerFault(exchange.headers) ??
      (this.#passesUnknownBetas ? undefined : betaFault(exchange.headers));
    if (refusal !== undefined) return exchange.refuse(refusal);
    if (body === 'tooLarge') {
      return exchange.refuse(apiError('request_too_large', 'Request exceeds the maximum size'));
    }
    const endpoint = endpoints[path];
    const isModels = path === '/v1/models' || path.startsWith('/v1/models/');
    if (endpoint === undefined && !isModels) {
      return exchange.refuse(apiError('not_found_error', 'Not found'));
    }
    if (exchange.record.method !== (endpoint === undefined ? 'GET' : 'POST')) {
      return exchange.refuse({ ...invalid('Method Not Allowed'), status: 405 });
    }
    if (endpoint === undefined) return this.#describe(exchange);
    if (body === 'malformed')
      return exchange.refuse(invalid('The request body is not valid JSON.'));
    return this.#post(exchange, endpoint);
  }

  async #describe(exchange: Exchange): Promise<void> {
    if (await failed(exchange, this.faults.take('/v1/models'))) return;
    const name = decodeURIComponent(exchange.url.pathname.slice('/v1/models/'.length));
    const model = this.#models.find(({ id }) => id === name);
    if (name === '') exchange.send(200, modelPage(this.#models, exchange.url.searchParams));
    else if (model !== undefined) exchange.send(200, modelInfo(model));
    else exchange.refuse(apiError('not_found_error', `model: ${name}`));
  }

  async #post(exchange: Exchange, endpoint: Endpoint): Promise<void> {
    const betas = betasOf(exchange.headers);
    const version = exchange.headers['anthropic-version'] ?? '';
    const context = { models: this.#models, endpoint, version, betas };
    const hasUnknown = this.#passesUnknownBetas && unknownBetasOf(exchange.headers).length > 0;
    const { body } = hasUnknown
      ? withoutExtras(exchange.record.body, (one) => validateRequest(one, context))
      : exchange.record;
    const refusal = validateRequest(body, context);
    if (refusal !== undefined) return exchange.refuse(refusal);
    const effect = this.faults.take(faultPaths[endpoint]);
    if (await failed(exchange, effect)) return;
    const request = body as MessagesRequest;
    const model = this.#models.find(({ id }) => id === request.model);
    if (model === undefined) throw new Error(`no model ${request.model}`);
    if (endpoint === 'count_tokens') {
      const { shown } = acceptedThinking(request, model);
      const counted = countTokens(editedPrompt(shown, model).shown, model);
      return exchange.send(200, {
        input_tokens: effect?.kind === 'count' ? effect.inputTokens : counted,
        ...(request.context_management && {
          context_management: { original_input_tokens: countTokens(shown, model) },
        }),
      });
    }
    const answer = this.#scripted.answer(request, model, betas);
    if (request.stream !== true) return sendPlain(exchange, plainMessage(answer), effect);
    const plan = planStream(streamEvents(answer), effect, exchange.id);
    const slowed = effect?.kind === 'slow' ? effect.deltaMs : undefined;
    return exchange.stream(plan, slowed ?? answer.delayMs);
  }
}

/** How a field is refused that the API has not, or not without its beta. */
const EXTRA = /^(.+): Extra inputs are not permitted$/;

/** A body without the fields that are refused as unknown: they may be those of unknown betas. */
function withoutExtras(
  body: unknown,
  refusalOf: (body: unknown) => ApiError | undefined,
): { readonly body: unknown } {
  const copy: unknown = structuredClone(body);
  for (;;) {
    const path = EXTRA.exec(refusalOf(copy)?.message ?? '')?.[1]?.split('.') ?? [];
    const name = path.pop();
    let parent = copy;
    for (const key of path) {
      const fields = parent as Readonly<Record<string, unknown>>;
      // The path also names the kind of a part, which is not a field.
      if (key in fields) parent = fields[key];
    }
    if (name === undefined || !Reflect.has(parent as object, name)) return { body: copy };
    Reflect.deleteProperty(parent as object, name);
    // Claude Code sets the effort from a message on by a message with that field and no content.
    const [list, index, ...deeper] = path;
    if (list === 'messages' && deeper.length === 0 && isEmptyMessage(parent)) {
      (copy as { readonly messages: unknown[] }).messages.splice(Number(index), 1);
    }
  }
}

function isEmptyMessage(value: unknown): boolean {
  const { content } = value as { readonly content?: unknown };
  return Array.isArray(content) && content.length === 0;
}

/** Starts the strict server, a double of the Messages API, on a free port of 127.0.0.1. */
export async function startStrictServer(options: StrictServerOptions): Promise<StrictServer> {
  const double = new Double(options);
  const server = createServer((request, response) => {
    const id = `req_offline_${String(double.requests.length + 1).padStart(6, '0')}`;
    const exchange = new Exchange(request, response, id, (record) => options.onRequest?.(record));
    double.handle(exchange).catch((error: unknown) => {
      if (exchange.gone || response.headersSent) return void response.destroy();
      exchange.refuse(apiError('api_error', `The offline double failed: ${String(error)}`));
    });
  });
  // A client on a busy machine may send over a connection that idled for longer than Node's 5 s.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: double.requests,
    addFault: (fault) => double.faults.add(fault),
    close: () =>
      new Promise((resolve, reject) => {
        if (!server.listening) return resolve();
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** One request to the strict server and its outcome. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Headers, names in lower case, without credentials. */
  readonly headers: Headers;
  /** The betas in them that the server does not know; absent for none. */
  readonly unknownBetas?: readonly string[];
  /** Parsed body; undefined if there was none or it was not JSON. */
  readonly body: unknown;
  /**
   * Status of the answer; undefined before it, and forever if the server hung or dropped the
   * connection.
   */
  readonly status: number | undefined;
  /** Whether the connection ended before the answer was complete, on either side. */
  readonly abandoned: boolean;
}

const maxBodyBytes = 32 * 1024 * 1024;

/** One request and its answer on the wire; writes nothing more once the client disconnected. */
class Exchange {
  readonly url: URL;
  readonly headers: Headers;
  readonly id: string;
  readonly #record: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #gone = new AbortController();
  readonly #decided: (record: RecordedRequest) => void;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    decided: (record: RecordedRequest) => void,
  ) {
    this.id = id;
    this.url = new URL(request.url ?? '/', 'http://localhost');
    this.headers = request.headers as Headers;
    this.#request = request;
    this.#response = response;
    this.#decided = decided;
    const unknown = unknownBetasOf(this.headers);
    this.#record = {
      method: request.method ?? 'GET',
      path: this.url.pathname,
      headers: withoutSecrets(this.headers),
      ...(unknown.length === 0 ? {} : { unknownBetas: unknown }),
      body: undefined,
      status: undefined,
      abandoned: false,
    };
    response.on('close', () => {
      this.#record.abandoned = !response.writableFinished;
      this.#gone.abort();
    });
  }

  get record(): RecordedRequest {
    return this.#record;
  }

  /** Whether the connection is closed. */
  get gone(): boolean {
    return this.#gone.signal.aborted;
  }

  /**
   * Reads the body as JSON.
   *
   * A body over 32 MB is read to its end and discarded, because a client that is still sending does
   * not read the rejection.
   */
  async readJson(): Promise<'tooLarge' | 'malformed' | 'read'> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const incoming: AsyncIterable<Buffer> = this.#request;
    for await (const chunk of incoming) {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
    if (bytes > maxBodyBytes) return 'tooLarge';
    try {
      this.#record.body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
      return 'read';
    } catch {
      return 'malformed';
    }
  }

  /** Answers with an error. */
  refuse(error: ApiError): void {
    this.send(error.status, errorBody(error, this.id));
  }

  /** Answers with JSON, or with an unchanged text. */
  send(status: number, body: object | string, headers: Headers = {}): void {
    if (this.gone) return;
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    this.#head(status, { 'content-type': type, ...headers });
    this.#response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Answers with a stream of events, `delayMs` before each delta. */
  async stream(plan: StreamPlan, delayMs: number): Promise<void> {
    if (this.gone) return;
    this.#head(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    this.#response.flushHeaders();
    for (const { event, data } of plan.events) {
      if (delayMs > 0 && event === 'content_block_delta') await this.pause(delayMs);
      if (this.gone) return;
      if (!this.#response.write(`event: ${event}\ndata: ${data}\n\n`)) await this.#drained();
    }
    if (plan.end === 'end') this.#response.end();
    if (plan.end !== 'reset') return;
    // Long enough for the client to see the bytes before the connection breaks.
    await this.pause(5);
    this.#response.destroy();
  }

  /** Leaves the request without an answer. */
  hang(): void {
    this.#decided(this.#record);
  }

  /** Closes the connection without an answer. */
  drop(): void {
    this.#decided(this.#record);
    this.#response.destroy();
  }

  /** Waits, at most until the connection is closed. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#gone.signal }).catch(() => undefined);
  }

  #head(status: number, headers: Headers): void {
    this.#record.status = status;
    this.#decided(this.#record);
    this.#response.writeHead(status, { 'request-id': this.id, ...headers });
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const response = this.#response;
      const resume = () => {
        response.off('drain', resume);
        response.off('close', resume);
        resolve();
      };
      response.on('drain', resume);
      response.on('close', resume);
    });
  }
}
