import * as vscode from 'vscode';

/** The vendor of package.json. */
const VENDOR = 'plimsoll';

/** The part of VS Code's interface for models that the types of the oldest version lack. */
interface ModelRegistry {
  registerLanguageModelChatProvider?(vendor: string, provider: object): vscode.Disposable;
}

/**
 * Offers the chat one model. VS Code asks no participant anything while it has no model to pass on,
 * so without this `@plimsoll` would stay silent in an editor without another one. The agent uses
 * its own connection; the model says so to anyone else.
 */
export function registerChatModel(): readonly vscode.Disposable[] {
  const { registerLanguageModelChatProvider: register } = vscode.lm as ModelRegistry;
  if (register === undefined) return [];
  const model = {
    id: 'plimsoll',
    name: 'Plimsoll',
    family: 'plimsoll',
    version: '1',
    tooltip: 'For @plimsoll, which uses the model in its own settings.',
    maxInputTokens: 200_000,
    maxOutputTokens: 8_192,
    capabilities: { toolCalling: true },
    isUserSelectable: true,
    isDefault: true,
  };
  return [
    register(VENDOR, {
      provideLanguageModelChatInformation: async () => [model],
      provideLanguageModelChatResponse: async () => {
        throw new Error('Begin the message with @plimsoll: this model answers only there.');
      },
      provideTokenCount: async (_model: unknown, text: unknown) =>
        Math.ceil((typeof text === 'string' ? text : JSON.stringify(text)).length / 4),
    }),
  ];
}
