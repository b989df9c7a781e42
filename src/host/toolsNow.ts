import type { LoadedTools } from './hostParts';
import type { ModelAccess } from './modelAccess';
import { toolsInForce, type ToolsInForce } from './toolsInForce';
import { toolsOffered } from './toolsOffered';

/** Reads which tools there are now, and which of them the settings choose. */
export function toolsNow(
  access: Pick<ModelAccess, 'settings' | 'estimator'>,
  loaded: LoadedTools,
  hasProfile: boolean,
): ToolsInForce {
  const { settings } = access.settings.valid;
  const room = {
    tokens: settings.context.toolResultCapTokens,
    estimate: (text: string) => access.estimator.estimate(text),
  };
  return toolsInForce(loaded, settings, toolsOffered(room), hasProfile);
}
