import type { Settings } from './settings';

/** Names who answers under the settings: the model, or the script where there is none. */
export function modelName({ provider, model }: Settings): string {
  return provider === 'offline' ? 'offline demo script' : model;
}
