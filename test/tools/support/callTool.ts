import type { Profile } from '../../../src/agent/memory/projectMemory';
import type { PreparedCall, Tool, ToolContext, ToolOutput } from '../../../src/agent/tool';
import type { Workspace } from '../../../src/agent/workspace';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import { makeNodeWorkspace } from '../../../src/tools/files/nodeWorkspace';

export type Input = Readonly<Record<string, unknown>>;

/** A folder, or a folder of a user with a profile. */
export type Where = string | Workspace | { readonly root: string; readonly profile: Profile };

const nowhere = (root: string) => ({ root, rgPath: undefined });

/** Prepares a call; throws when the tool refuses it. */
export async function prepare(
  tool: Tool,
  input: Input,
  where: Where,
  window: ContextWindow = EMPTY_WINDOW,
): Promise<PreparedCall> {
  const preparation = await tool.prepare(input, contextOf(where, window));
  if (!preparation.ok) throw new Error(preparation.message);
  return preparation.call;
}

/** Prepares and runs a call as an agent whose user says yes; a refusal is an error output. */
export async function call(
  tool: Tool,
  input: Input,
  where: Where,
  window: ContextWindow = EMPTY_WINDOW,
): Promise<ToolOutput> {
  const preparation = await tool.prepare(input, contextOf(where, window));
  if (!preparation.ok) return { text: preparation.message, isError: true };
  return preparation.call.run(new AbortController().signal, () => {});
}

/** What the model reads when a call fails; throws when it does not. */
export async function errorOf(...args: Parameters<typeof call>): Promise<string> {
  const { text, isError } = await call(...args);
  if (!isError) throw new Error(`no error: ${text}`);
  return text;
}

function contextOf(where: Where, window: ContextWindow): ToolContext {
  const rest = { window, state: window.state };
  if (typeof where === 'string' || !('profile' in where)) {
    return { workspace: workspaceOf(where), ...rest };
  }
  return { workspace: workspaceOf(where.root), profile: where.profile, ...rest };
}

function workspaceOf(where: string | Workspace): Workspace {
  return typeof where === 'string' ? makeNodeWorkspace(nowhere(where)) : where;
}
