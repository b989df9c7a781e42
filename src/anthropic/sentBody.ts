import type { ModelRequest } from '../agent/model';
import { messagesBody } from './requestBody';
import { serverEditingOf } from './serverEditing';

/**
 * The body of a request to /v1/messages as it is sent. Beta names travel in the header
 * `anthropic-beta`, and the key in a header of its own: neither is in here.
 */
export function sentBody(request: ModelRequest): Readonly<Record<string, unknown>> {
  const { betas: _inHeader, ...editing } = serverEditingOf(request) ?? { betas: [] };
  return { ...messagesBody(request), stream: true, ...editing };
}
