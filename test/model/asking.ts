import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import type { Model, ModelEvent, ModelRequest, ModelResult } from '../../src/agent/model';
import { AnthropicModel } from '../../src/model/anthropicModel';
import { makeClient } from '../../src/model/client';
import type { FaultEffect, FaultPath } from '../../src/offline/fault';
import type { Respond, ScriptedPart } from '../../src/offline/messagesApi';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';

export const KEY = 'test-key-0123456789';

export function prompt(text: string, changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-haiku-4-5',
    maxTokens: 1_000,
    system: [{ type: 'text', text: 'You are brief.' }],
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    ...changes,
  };
}

export const editTool: ModelRequest['tools'][number] = {
  name: 'edit_file',
  description: 'Edits a file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
};

/** Scripts a model that gives every prompt the same reply. */
export function says(...content: readonly (ScriptedPart | string)[]): Respond {
  return () => ({
    content: content.map((part) =>
      typeof part === 'string' ? { type: 'text', text: part } : part,
    ),
  });
}

/** Starts the strict loopback server with faults queued for one path, and a client for it. */
export async function double(
  respond: Respond,
  faults: readonly FaultEffect[] = [],
  path: FaultPath = '/v1/messages',
) {
  const server: StrictServer = await startStrictServer({ respond });
  onTestFinished(() => server.close());
  for (const effect of faults) server.addFault({ path, effect });
  const client = makeClient({ apiKey: KEY, baseUrl: server.url });
  return { server, client, model: new AnthropicModel(client) };
}

/** Starts a plain HTTP server for answers that the strict server never gives. */
export async function oddServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Fakes the timers until the test ends, so that a slow machine cannot reach a time limit early. The
 * returned function advances them by the given ms.
 */
export function heldTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

/** Asks a model and collects its events. */
export async function ask(
  model: Model,
  request: ModelRequest,
  signal = new AbortController().signal,
  heard: (event: ModelEvent) => void = () => undefined,
): Promise<{ readonly events: readonly ModelEvent[]; readonly result: ModelResult }> {
  const events: ModelEvent[] = [];
  const asking = model.ask(request, signal);
  for (;;) {
    const next = await asking.next();
    if (next.done === true) return { events, result: next.value };
    events.push(next.value);
    heard(next.value);
  }
}

/** The failure of a result; throws if the request was answered. */
export function failureIn(result: ModelResult) {
  if (result.ok) throw new Error('the request was answered');
  return result.failure;
}

/** The reply of a result; throws if the request failed. */
export function replyIn(result: ModelResult) {
  if (!result.ok) throw new Error(result.failure.message);
  return result.reply;
}
