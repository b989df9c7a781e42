'use strict';
const { join } = require('node:path');
const vscode = require('vscode');

const text = (value) =>
  new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(value)]);

/** Answers for an extension of others: two tools, one of which waits to be stopped, and an MCP server. */
exports.activate = (context) => {
  const called = [];
  context.subscriptions.push(
    vscode.lm.registerTool('harbour_depth', {
      async invoke({ input }, token) {
        called.push(input);
        if (input.harbour === 'Nowhere') throw new Error('There is no such harbour.');
        if (input.harbour === 'Faraway') {
          await new Promise((resolve) => token.onCancellationRequested(resolve));
          called.push('cancelled');
          return text('Too late.');
        }
        return text(`${input.harbour} is 7 m deep at ${input.tide ?? 'any'} tide.`);
      },
    }),
    vscode.lm.registerTool('harbour_close', {
      prepareInvocation({ input }) {
        const title = `Close ${input.harbour}?`;
        called.push(title);
        return { confirmationMessages: { title, message: 'Ships would have to wait.' } };
      },
      async invoke({ input }) {
        called.push(input);
        return text(`${input.harbour} is closed.`);
      },
    }),
    vscode.lm.registerTool('harbour_odd', { invoke: async () => text('Never.') }),
    vscode.lm.registerMcpServerDefinitionProvider('harbourServers', {
      provideMcpServerDefinitions: () => [
        new vscode.McpStdioServerDefinition(
          'everything',
          process.execPath,
          [
            join(
              __dirname,
              '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
            ),
            'stdio',
          ],
          {},
          '1.0.0',
        ),
      ],
    }),
  );
  return { called };
};
