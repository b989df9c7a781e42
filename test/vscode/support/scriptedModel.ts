import * as vscode from 'vscode';
import { startStrictServer, type StrictServer } from '../../../src/offline/strictServer';
import type { MessagesRequest, ScriptedPart } from '../../../src/offline/messagesApi';
import { AgentPage } from './agentPage';
import type { changedSettings } from './changedSettings';

type Respond = NonNullable<Parameters<typeof startStrictServer>[0]>['respond'];

/** Replaces the model by a function of the test, with its own key. */
export async function scriptedModel(
  settings: ReturnType<typeof changedSettings>,
  respond: Respond,
): Promise<{ close(): Promise<void> }> {
  const server: StrictServer = await startStrictServer({ respond });
  const agent = await AgentPage.onNewSession();
  // The sample project has a small window for the demo.
  await settings.set('context.windowTokens', undefined);
  await settings.set('context.maxReplyTokens', undefined);
  await settings.set('baseUrl', server.url, 'user');
  await settings.set('provider', 'anthropic', 'user');
  await agent.giveKey('sk-ant-only-for-this-test');
  return {
    close: async () => {
      await vscode.commands.executeCommand('plimsoll.clearApiKey');
      await server.close();
    },
  };
}

/** The script of a model: one call in each step. */
export type ScriptedCalls = readonly (readonly [
  name: string,
  input: Readonly<Record<string, unknown>>,
])[];

/**
 * Makes a model make these calls and then say "All done."; `results` holds each result it got,
 * `newest` the newest message of each request, and `asked` counts its requests.
 */
export async function callingModel(
  settings: ReturnType<typeof changedSettings>,
  calls: ScriptedCalls,
): Promise<{
  readonly results: readonly string[];
  readonly newest: readonly string[];
  asked(): number;
  close(): Promise<void>;
}> {
  const [results, newest]: [string[], string[]] = [[], []];
  let step = 0;
  const { close } = await scriptedModel(settings, ({ messages }: MessagesRequest) => {
    newest.push(JSON.stringify(messages.at(-1)));
    const [last] = [messages.at(-1)?.content].flat();
    if (typeof last === 'object' && last.type === 'tool_result') {
      results.push(JSON.stringify(last.content));
    }
    const [name, input] = calls[step] ?? [];
    step += 1;
    const content: readonly ScriptedPart[] =
      name === undefined
        ? [{ type: 'text', text: 'All done.' }]
        : [{ type: 'tool_use', id: `toolu_scripted_${step}`, name, input: input ?? {} }];
    return { content };
  });
  return { results, newest, asked: () => step, close };
}
