import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';

describe('tools of others', function () {
  this.timeout(120_000);
  it('probe', async () => {
    const say = (what: string, value: unknown) =>
      appendFileSync('/tmp/lm-probe.txt', `${what} ${JSON.stringify(value)}\n`);
    const ext = vscode.extensions.getExtension('plimsoll-test.tool-provider');
    say('ext', ext?.isActive);
    say(
      'activated',
      await ext?.activate().then(
        () => true,
        (e: unknown) => String(e),
      ),
    );
    say(
      'tools',
      vscode.lm.tools.map(({ name, tags }) => [name, tags]),
    );
    const commands = await vscode.commands.getCommands();
    say(
      'commands',
      commands.filter((c) => c.includes('mcp')),
    );
    try {
      const r = await vscode.lm.invokeTool('harbour_depth', {
        input: { harbour: 'Hull' },
        toolInvocationToken: undefined,
      });
      say('answer', r.content);
    } catch (e) {
      say('error', String(e));
    }
    const names = () =>
      vscode.lm.tools
        .map(({ name, tags }) => [name, tags])
        .filter(([n]) => String(n).includes('mcp'));
    const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
    await wait(1000);
    const start = async (arg: string, options: object) => {
      const began = Date.now();
      const started = await Promise.race([
        vscode.commands.executeCommand('workbench.mcp.startServer', arg, options).then(
          (v) => v ?? 'done',
          (e: unknown) => String(e),
        ),
        new Promise((r) => setTimeout(() => r('timeout'), 10000)),
      ]);
      say('start', [arg, started, Date.now() - began, names()]);
    };
    await start('plimsoll-test.tool-provider/everything', { autoTrustChanges: true });
    await start('*', { autoTrustChanges: true, waitForLiveTools: true });
    await vscode.workspace.getConfiguration().update('chat.disableAIFeatures', false, true);
    await wait(1500);
    await start('*', { autoTrustChanges: true, waitForLiveTools: true });
    await wait(2000);
    say('names', names());
    say('access', vscode.workspace.getConfiguration().get('chat.mcp.access'));
    say('autostart', vscode.workspace.getConfiguration().get('chat.mcp.autostart'));
  });
});
