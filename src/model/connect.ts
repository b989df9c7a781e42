import { RetryingModel } from '../agent/retryingModel';
import { AnthropicModel, type AnthropicModelOptions } from './anthropicModel';
import { makeClient, type ClientOptions } from './client';
import { AnthropicModelCatalog } from './modelCatalog';
import { AnthropicTokenCounter } from './tokenCounter';

/** Connects to a server that speaks the Messages API, with one client for all requests. */
export function connect({ idleMs, clock, ...options }: ClientOptions & AnthropicModelOptions) {
  const client = makeClient(options);
  const limits = { ...(idleMs === undefined ? {} : { idleMs }), ...(clock && { clock }) };
  return {
    model: new RetryingModel(new AnthropicModel(client, limits), clock),
    counter: new AnthropicTokenCounter(client),
    catalog: new AnthropicModelCatalog(client),
  };
}
