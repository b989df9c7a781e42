// The chat of VS Code asks no participant anything while it has no model to hand on. This one is never asked itself.
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  const register = vscode.lm.registerLanguageModelChatProvider;
  if (typeof register !== 'function') return;
  subscriptions.push(
    register('plimsoll-test', {
      provideLanguageModelChatInformation: async () => [
        {
          id: 'stand-in',
          name: 'Stand-in',
          family: 'stand-in',
          version: '1',
          maxInputTokens: 10_000,
          maxOutputTokens: 1_000,
          capabilities: { toolCalling: true },
          isUserSelectable: true,
          isDefault: true,
        },
      ],
      provideLanguageModelChatResponse: async () => {
        throw new Error('The stand-in was asked.');
      },
      provideTokenCount: async () => 1,
    }),
  );
};
