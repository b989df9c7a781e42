import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorBody, type ApiError } from './apiError';
import { withoutSecrets, type Headers } from './headers';
import type { StreamPlan } from './sse';

/** One request the double was sent and what became of it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Headers, names in lower case, credentials left out. */
  readonly headers: Headers;
  /** Parsed body; undefined when there was none or it was no JSON. */
  readonly body: unknown;
  /** Status answered; undefined while there is none, and for good when the double hung or dropped the connection. */
  readonly status: number | undefined;
  /** Whether the connection ended before the answer was complete, whoever ended it. */
  readonly abandoned: boolean;
}

const maxBodyBytes = 32 * 1024 * 1024;

/** One request and its answer on the wire; writes nothing more once the client is gone. */
export class Exchange {
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
    this.#record = {
      method: request.method ?? 'GET',
      path: this.url.pathname,
      headers: withoutSecrets(this.headers),
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
   * A body over 32 MB is read to its end and forgotten, because a client still sending does not listen to the refusal.
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

  /** Answers with JSON, or with a text as it is. */
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
    // Long enough for the client to see what was sent before the connection breaks.
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
      const goOn = () => {
        response.off('drain', goOn);
        response.off('close', goOn);
        resolve();
      };
      response.on('drain', goOn);
      response.on('close', goOn);
    });
  }
}
