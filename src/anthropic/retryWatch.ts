import type { Middleware } from '@anthropic-ai/sdk';
import type { ModelEvent } from '../agent/model';
import { retryAfterMs } from './retryAfter';

type Retrying = Extract<ModelEvent, { type: 'retrying' }>;

/** A server that asks for a longer pause than this is not waited for: the failure says when to come back. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Makes the SDK's retries visible: tells of each when the attempt before it fails, so that a long
 * pause has its reason on screen.
 *
 * What is sent again is the SDK's choice (1.12.0): 408, 409, 429, 5xx and failed connections, unless
 * `x-should-retry` says otherwise.
 */
export function watchRetries(
  maxRetries: number,
  signal: AbortSignal,
  tell: (event: Retrying) => void,
): Middleware {
  return async (request, next) => {
    const retry = Number(new Headers(request.headers).get('x-stainless-retry-count') ?? 0) + 1;
    const announce = (what: string, pauseMs?: number) => {
      const when = pauseMs === undefined ? 'soon' : `in ${Math.ceil(pauseMs / 1000)} s`;
      const message = `${what} Trying again ${when} (${retry} of ${maxRetries}).`;
      tell({ type: 'retrying', attempt: retry, message });
    };
    try {
      const response = await next(request);
      if (retry > maxRetries || !isSentAgain(response)) return response;
      const pauseMs = retryAfterMs(response.headers);
      if (pauseMs !== undefined && pauseMs > LONGEST_PAUSE_MS) return notAgain(response);
      announce(`${saysWhat(response.status)} (${response.status}).`, pauseMs);
      return response;
    } catch (error) {
      if (retry <= maxRetries && !signal.aborted) announce('The connection failed.');
      throw error;
    }
  };
}

function isSentAgain({ status, headers }: Response): boolean {
  const asked = headers.get('x-should-retry');
  if (asked === 'true') return status >= 400;
  if (asked === 'false') return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Copies a response with the header that keeps the SDK from sending the request again. */
function notAgain(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('x-should-retry', 'false');
  return new Response(response.body, { status: response.status, headers });
}

function saysWhat(status: number): string {
  if (status === 429) return 'The API limits the rate of requests';
  if (status === 529) return 'The API is overloaded';
  return 'The API had a fault';
}
