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
    const id = 'plimsoll-test.tool-provider/harbourServers.everything';
    for (const arg of [id]) {
      const started = await Promise.race([
        vscode.commands
          .executeCommand('workbench.mcp.startServer', arg, {
            autoTrustChanges: true,
            waitForLiveTools: true,
          })
          .then(
            (v) => v ?? 'done',
            (e: unknown) => String(e),
          ),
        new Promise((r) => setTimeout(() => r('timeout'), 15000)),
      ]);
      say('start', [arg, started]);
    }
    say(
      'servers',
      (vscode.lm as unknown as { mcpServerDefinitions?: unknown }).mcpServerDefinitions ===
        undefined,
    );
    await new Promise((r) => setTimeout(r, 3000));
    say(
      'tools after',
      vscode.lm.tools.map(({ name, tags, description }) => [name, tags, description.slice(0, 60)]),
    );
  });
});
