import { settingName } from './readSettings';
import { MODEL_KEYS, type ContextSettings, type ModelSettings, type Settings } from './settings';

/** Names what answers: the model, or the demo script. */
export function modelName({ provider, model }: Settings): string {
  return provider === 'offline' ? 'offline demo script' : model;
}

/** The entry of `plimsoll.context.models` that applies to a model. */
interface ModelEntry {
  /** A model's id, or the beginning of ids and a `*`. */
  readonly id: string;
  readonly set: ModelSettings;
}

/** Finds the entry for a model: its exact id, else the longest beginning of it. */
export function entryFor(models: ContextSettings['models'], model: string): ModelEntry | undefined {
  const [found] = Object.keys(models)
    .filter((id) => id === model || (id.endsWith('*') && model.startsWith(id.slice(0, -1))))
    .toSorted((a, b) => Number(b === model) - Number(a === model) || b.length - a.length);
  return found === undefined ? undefined : { id: found, set: models[found] ?? {} };
}

/** The settings that apply to a model. */
export function forModel(context: ContextSettings, model: string): ContextSettings {
  return { ...context, ...entryFor(context.models, model)?.set };
}

/** Finds the entry that holds a model's setting; undefined if the general setting applies. */
export function holderOf(
  { models }: Pick<ContextSettings, 'models'>,
  model: string,
  key: string,
): ModelEntry | undefined {
  const entry = entryFor(models, model);
  const isHeld = MODEL_KEYS.some((one) => one === key && entry?.set[one] !== undefined);
  return isHeld ? entry : undefined;
}

/** The full name of the setting that applies to a model. */
export function nameInForce(
  context: Pick<ContextSettings, 'models'>,
  model: string,
  key: string,
): string {
  const holder = holderOf(context, model, key);
  return settingName(
    holder === undefined ? ['context', key] : ['context', 'models', holder.id, key],
  );
}

/** Changes settings where they apply to a model: in its entry if the entry holds them. */
export function withInForce(
  context: ContextSettings,
  model: string,
  changes: Partial<ContextSettings>,
): ContextSettings {
  return Object.entries(changes).reduce((before, [key, value]) => {
    const holder = holderOf(before, model, key);
    if (holder === undefined) return { ...before, [key]: value };
    const { id, set } = holder;
    return { ...before, models: { ...before.models, [id]: { ...set, [key]: value } } };
  }, context);
}
