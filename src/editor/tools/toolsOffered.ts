import * as vscode from 'vscode';
import type { OfferedTool } from '../../tools/others/otherTools';
import { serversOf } from './toolProviders';

/** How long an answer may be, for a tool that can cut its own. */
export interface AnswerRoom {
  readonly tokens: number;
  readonly estimate: (text: string) => number;
}

/** Reads what other extensions and MCP servers offer now; the editor does not say when that changes. */
export function toolsOffered(room: AnswerRoom): readonly OfferedTool[] {
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

/** The names of extensions that contribute tools, by the names of those. */
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
