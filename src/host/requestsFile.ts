import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A request the offline server was sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/**
 * Writes the body of every POST /v1/messages into a file, one JSON value a line, in order; the
 * file is emptied first.
 */
export function requestsFile(file: string): (request: SentRequest) => void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return ({ method, path, body }) => {
    if (method === 'POST' && path === '/v1/messages') {
      appendFileSync(file, `${JSON.stringify(body)}\n`);
    }
  };
}
