import * as vscode from 'vscode';
import { MORE_TOOLS } from '../../agent/compactTools';
import type { Tool } from '../../agent/tool';
import type { Settings } from '../../settings/settings';
import type { ToolSurroundings } from '../../tools/toolbox';
import type { OfferedTool, ThirdPartyTool } from '../../tools/thirdParty/thirdPartyTools';
import type { LoadedTools } from '../platform';
import type { ModelAccess } from '../model/modelAccess';

/** All tools, and those the agent gets. */
interface ToolsInForce {
  /** The tools of the next prompt, in the order that the prompt cache relies on. */
  readonly tools: readonly Tool[];
  readonly own: readonly Tool[];
  readonly others: readonly ThirdPartyTool[];
  /** Names of chosen tools that are missing or cannot be used. */
  readonly missing: readonly string[];
}

/** Works out which tools the agent has: its own except those switched off, then the chosen ones. */
function toolsInForce(
  {
    makeTools,
    makeThirdPartyTools,
    neededTools,
  }: Pick<LoadedTools, 'makeTools' | 'makeThirdPartyTools' | 'neededTools'>,
  { scratchpad, tools: { enabled, disabled } }: Pick<Settings, 'scratchpad' | 'tools'>,
  offered: readonly OfferedTool[],
  project: Pick<ToolSurroundings, 'hasFolders' | 'hasProfile' | 'hasSkills' | 'agents'>,
): ToolsInForce {
  const own = makeTools(scratchpad.fields, { ...project, hasProblems: true });
  const names = new Set([...own.map(({ definition }) => definition.name), MORE_TOOLS]);
  const others = makeThirdPartyTools(offered, names);
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

/** Reads the available tools, and which of them the settings choose. */
export function toolsNow(
  access: Pick<ModelAccess, 'settings' | 'estimator'>,
  loaded: LoadedTools,
  project: Pick<ToolSurroundings, 'hasFolders' | 'hasProfile' | 'hasSkills' | 'agents'>,
): ToolsInForce {
  const { settings } = access.settings.valid;
  const room = {
    tokens: settings.context.toolResultCapTokens,
    estimate: access.estimator.estimate,
  };
  return toolsInForce(loaded, settings, toolsOffered(room), project);
}

/** The length limit of an answer, for a tool that can cut its own. */
interface AnswerRoom {
  readonly tokens: number;
  readonly estimate: (text: string) => number;
}

/** Reads the tools of other extensions and MCP servers; VS Code does not announce changes. */
function toolsOffered(room: AnswerRoom): readonly OfferedTool[] {
  const { tools } = vscode.lm;
  const extensions = extensionsWithTools();
  const servers = serversOf(tools.filter(({ tags }) => tags.includes('mcp')).map(nameOf));
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    provider: servers.get(name) ?? extensions.get(name) ?? 'The editor',
    description,
    inputSchema,
    invoke: async (input, signal) => {
      const source = new vscode.CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const options: vscode.LanguageModelToolInvocationOptions<object> = {
          input,
          toolInvocationToken: undefined,
          tokenizationOptions: {
            tokenBudget: room.tokens,
            countTokens: async (text) => room.estimate(text),
          },
        };
        const { content } = await vscode.lm.invokeTool(name, options, source.token);
        return content;
      } finally {
        signal.removeEventListener('abort', cancel);
        source.dispose();
      }
    },
  }));
}

/** The names of extensions that contribute tools, by tool name. */
function extensionsWithTools(): ReadonlyMap<string, string> {
  return new Map(
    vscode.extensions.all.flatMap(({ id, packageJSON }) => {
      const { displayName, contributes } = packageJSON as {
        readonly displayName?: unknown;
        readonly contributes?: { readonly languageModelTools?: unknown };
      };
      const tools: unknown = contributes?.languageModelTools;
      if (!Array.isArray(tools)) return [];
      const provider = typeof displayName === 'string' ? displayName : id;
      return tools.flatMap((tool: unknown) => {
        const name: unknown =
          typeof tool === 'object' && tool !== null ? Reflect.get(tool, 'name') : undefined;
        return typeof name === 'string' ? [[name, provider] as const] : [];
      });
    }),
  );
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

/** Longest prefix that VS Code gives the tools of one MCP server, characters. */
const LONGEST_BEGINNING = 18;

/**
 * Names the MCP servers of tools, as far as names show it: VS Code calls a tool `mcp_`, then the
 * shortened server name, then the server's name for it. It does not say where one ends, so tools
 * with a common prefix count as one server's.
 */
export function serversOf(tools: readonly string[]): ReadonlyMap<string, string> {
  const alike = new Map<string, string[]>();
  for (const tool of tools) {
    const first = tool.split('_')[1] ?? '';
    alike.set(first, [...(alike.get(first) ?? []), tool]);
  }
  return new Map(
    [...alike].flatMap(([first, names]) => {
      const server = names.length === 1 ? first : serverIn(names) || first;
      return names.map((name) => [name, `MCP server ${server}`] as const);
    }),
  );
}

/** The server in the common prefix of all names, up to its last `_`. */
function serverIn([first = '', ...others]: readonly string[]): string {
  let length = Math.min(first.length, LONGEST_BEGINNING);
  while (others.some((other) => other.slice(0, length) !== first.slice(0, length))) length -= 1;
  const end = first.slice(0, length).lastIndexOf('_');
  return first.slice('mcp_'.length, Math.max('mcp_'.length, end));
}
