import { oneFolder } from '../../../src/agent/workspaceFolders';
import type { Profile } from '../../../src/agent/memory/projectMemory';
import type { PreparedCall, Tool, ToolContext, ToolOutput } from '../../../src/agent/tool';
import type { Workspace } from '../../../src/agent/workspace';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import { makeNodeWorkspace } from '../../../src/tools/files/nodeWorkspace';

export type Input = Readonly<Record<string, unknown>>;

/** A folder, or a folder together with the user's profile. */
export type Where = string | Workspace | { readonly root: string; readonly profile: Profile };

const nowhere = (root: string) => ({ folders: oneFolder(root), rgPath: undefined });

/** Prepares a call; throws if the tool refuses it. */
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

/** Prepares and runs a call with approval; a refusal becomes an error output. */
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

/** The error that the model reads; throws if the call succeeds. */
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
