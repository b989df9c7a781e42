import type { Problem } from '../protocol/agentView';
import { NO_KEY } from './connection';
import type { Settings } from './settings';

/** What has to be in order before a model can be asked. */
export interface Conditions {
  readonly hasFolder: boolean;
  /** What is wrong with the settings, naming each. */
  readonly settingsProblem: string | undefined;
  readonly settings: Settings;
  readonly hasApiKey: boolean;
}

/** Names what stands in the way of a turn, with the button that helps; the first thing first. */
export function problemOf(conditions: Conditions): Problem | undefined {
  if (!conditions.hasFolder) {
    return {
      message: 'Open a folder: the agent works on the files of a workspace.',
      action: { label: 'Open folder', wish: { type: 'openFolder' } },
    };
  }
  if (conditions.settingsProblem !== undefined) {
    return {
      message: conditions.settingsProblem,
      action: { label: 'Open settings', wish: { type: 'openSettings' } },
    };
  }
  const { provider, baseUrl } = conditions.settings;
  if (provider === 'anthropic' && baseUrl === '' && !conditions.hasApiKey) {
    return {
      message: NO_KEY,
      action: { label: 'Set API key', wish: { type: 'setApiKey' } },
    };
  }
  return undefined;
}
