import type { ModelLimits } from '../../agent/model';
import { modelSize } from '../../model/modelWindows';
import { type SettingsProblem, type UsableSettings } from '../../settings/readSettings';
import { DEFAULT_SETTINGS, type Settings } from '../../settings/settings';
import { budgetOf, fitting, type ValidSettings } from '../../settings/windowBudget';

/** What the settings need from outside. */
export interface SettingsEffects {
  /** Reads the configuration again; `good` has the last good value of each setting. */
  read(good: Settings): UsableSettings;
  /** Looks up what the model can hold; {} where nobody says. Never rejects. */
  limitsOf(settings: Settings): Promise<ModelLimits>;
  /** Called when what is in force, or a problem, has changed. */
  changed(): void;
}

/** Where prompts go and who answers: a wrong value must not send them elsewhere. */
const DIRECTING = ['plimsoll.provider', 'plimsoll.baseUrl', 'plimsoll.model'];

/**
 * Remembers the settings that the next step runs under. Of a setting that cannot be used, the last good
 * value is in force, else the default; those beside it are as they are set.
 */
export class SettingsInForce {
  #valid: ValidSettings;
  #problems: readonly SettingsProblem[] = [];
  #reading = 0;

  constructor(private readonly effects: SettingsEffects) {
    this.#valid = startingValue(effects.read(DEFAULT_SETTINGS).settings);
  }

  get valid(): ValidSettings {
    return this.#valid;
  }

  /** What is wrong with the settings as they are, each by its full name. */
  get problems(): readonly SettingsProblem[] {
    return this.#problems;
  }

  /** The first problem that no prompt may be sent with; undefined for none. */
  get blocking(): SettingsProblem | undefined {
    return this.#problems.find(({ setting }) => DIRECTING.includes(setting));
  }

  /** Reads the configuration again and uses what of it can be used; resolves once that is known. */
  async refresh(): Promise<void> {
    const reading = ++this.#reading;
    const before = this.#told;
    const good = this.#valid.asSet;
    const { settings, problems } = this.effects.read(good);
    const limits = await this.effects.limitsOf(settings);
    // A later reading has begun meanwhile, and replaces this one.
    if (reading !== this.#reading) return;
    const fit = fitting(settings, modelSize(settings.model, limits), good);
    if (fit !== undefined) this.#valid = sameOr(this.#valid, fit.valid);
    this.#problems = [...problems, ...(fit?.problems ?? [])];
    if (before !== this.#told) this.effects.changed();
  }

  get #told(): string {
    return JSON.stringify([this.#valid, this.#problems]);
  }
}

/** Before the model list has answered, the window is the one that is set, or an assumption. */
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
