import type { Tool } from '../../agent/tool';
import type { Settings } from '../../settings/settings';
import type { OfferedTool, OtherTool } from '../../tools/others/otherTools';
import type { LoadedTools } from '../hostParts';
import type { ModelAccess } from '../model/modelAccess';
import { toolsOffered } from './toolsOffered';

/** The tools there are, and those that the agent is told of. */
export interface ToolsInForce {
  /** What the next prompt is sent with, in the order that the prompt cache relies on. */
  readonly tools: readonly Tool[];
  readonly own: readonly Tool[];
  readonly others: readonly OtherTool[];
  /** Names of tools that were chosen, and that nobody offers now or that cannot be used. */
  readonly missing: readonly string[];
}

/** Works out which tools the agent has: its own but for those switched off, then the chosen ones. */
function toolsInForce(
  {
    makeTools,
    makeOtherTools,
    neededTools,
  }: Pick<LoadedTools, 'makeTools' | 'makeOtherTools' | 'neededTools'>,
  { scratchpad, tools: { enabled, disabled } }: Pick<Settings, 'scratchpad' | 'tools'>,
  offered: readonly OfferedTool[],
  hasProfile: boolean,
): ToolsInForce {
  const own = makeTools(scratchpad.fields, { hasProfile, hasProblems: true });
  const names = new Set(own.map(({ definition }) => definition.name));
  const others = makeOtherTools(offered, names);
  const usable = new Map(
    others.flatMap((one) => ('tool' in one ? [[one.offered.name, one.tool] as const] : [])),
  );
  const chosen = [...new Set(enabled)];
  const kept = own.filter(
    ({ definition: { name } }) => neededTools.has(name) || !disabled.includes(name),
  );
  return {
    tools: [...kept, ...chosen.flatMap((name) => usable.get(name) ?? [])],
    own,
    others,
    missing: chosen.filter((name) => !usable.has(name)),
  };
}

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
