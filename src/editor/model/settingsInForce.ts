import type { ModelLimits } from '../../agent/model';
import { modelSize } from '../../model/modelWindows';
import { type SettingsProblem, type UsableSettings } from '../../settings/readSettings';
import { DEFAULT_SETTINGS, type Settings } from '../../settings/settings';
import { budgetOf, fitting, type ValidSettings } from '../../settings/windowBudget';

/** The configuration of VS Code. */
export interface Configuration {
  /** Reads every setting; `good` has the last good value of each. */
  readSettings(good: Settings): UsableSettings;
}

interface Models {
  /** Looks up the limits of the model; {} if they are unknown. Never rejects. */
  limitsOf(settings: Settings): Promise<ModelLimits>;
}

/** These decide where prompts go and who answers: a wrong value must not send them elsewhere. */
const DIRECTING = ['plimsoll.provider', 'plimsoll.baseUrl', 'plimsoll.model'];

/**
 * Holds the settings for the next step. An unusable setting keeps its last good value, or its
 * default; the others apply as set.
 */
export class SettingsInForce {
  #valid: ValidSettings;
  #problems: readonly SettingsProblem[] = [];
  /** The last answer of the model list, with its model and server. */
  #known: { readonly model: string; readonly limits: ModelLimits };
  #reading = 0;

  constructor(
    private readonly configuration: Configuration,
    private readonly models: Models,
    /** Called when the current settings or their problems have changed. */
    private readonly changed: () => void,
  ) {
    const { settings } = configuration.readSettings(DEFAULT_SETTINGS);
    this.#valid = startingValue(settings);
    this.#known = { model: modelNamed(settings), limits: {} };
  }

  get valid(): ValidSettings {
    return this.#valid;
  }

  /** The problems of the settings, each by its full name. */
  get problems(): readonly SettingsProblem[] {
    return this.#problems;
  }

  /** The first problem that blocks all prompts; undefined for none. */
  get blocking(): SettingsProblem | undefined {
    return this.#problems.find(({ setting }) => DIRECTING.includes(setting));
  }

  /**
   * Reads the configuration and applies every usable value. Resolves when the model list has
   * arrived. A changed watermark applies before that; another model or server waits for the list.
   */
  async refresh(): Promise<void> {
    const reading = ++this.#reading;
    const good = this.#valid.asSet;
    const read = this.configuration.readSettings(good);
    const model = modelNamed(read.settings);
    if (model === this.#known.model) this.#apply(read, this.#known.limits, good);
    const limits = await this.models.limitsOf(read.settings);
    // A later reading replaces this one.
    if (reading !== this.#reading) return;
    this.#known = { model, limits };
    this.#apply(read, limits, good);
  }

  #apply({ settings, problems }: UsableSettings, limits: ModelLimits, good: Settings): void {
    const before = this.#snapshot;
    const fit = fitting(settings, modelSize(settings.model, limits), good);
    if (fit !== undefined) this.#valid = sameOr(this.#valid, fit.valid);
    this.#problems = [...problems, ...(fit?.problems ?? [])];
    if (before !== this.#snapshot) this.changed();
  }

  get #snapshot(): string {
    return JSON.stringify([this.#valid, this.#problems]);
  }
}

/** Names a model together with the server that offers it. */
function modelNamed({ provider, baseUrl, model }: Settings): string {
  return JSON.stringify([provider, baseUrl, model]);
}

/** Before the model list arrives, the window is the configured one, or an assumption. */
function startingValue(settings: Settings): ValidSettings {
  const fit = fitting(settings, modelSize(settings.model, {}), DEFAULT_SETTINGS);
  if (fit !== undefined) return fit.valid;
  const result = budgetOf(DEFAULT_SETTINGS, modelSize(DEFAULT_SETTINGS.model, {}));
  if (!result.ok) throw new Error('The default settings do not fit together.');
  return result.valid;
}

function sameOr(old: ValidSettings, read: ValidSettings): ValidSettings {
  return JSON.stringify(old) === JSON.stringify(read) ? old : read;
}
