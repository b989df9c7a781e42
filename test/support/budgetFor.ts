import type { ModelLimits } from '../../src/agent/model';
import { modelSize } from '../../src/model/modelWindows';
import type { Settings } from '../../src/settings/settings';
import { budgetOf, type ValidSettingsResult } from '../../src/settings/windowBudget';

/** Computes the budget for the model in the settings; `limits` comes from the model list. */
export function budgetFor(settings: Settings, limits: ModelLimits = {}): ValidSettingsResult {
  return budgetOf(settings, modelSize(settings.model, limits));
}
