import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MessagesRequest } from '../../src/offline/messagesApi';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { scriptedModel } from './support/scriptedModel';
import { until } from './support/until';

/**
 * The third-party extension next to Plimsoll, and its MCP server under the editor's name for it.
 */
const PROVIDER = 'plimsoll-test.tool-provider';
const SERVER = `${PROVIDER}/everything`;
const ECHO = 'mcp_everything_re_echo';

/** The user's request: one call, with its input as JSON. */
const WANTED = /call ([\w-]+) (\{[^}]*\})/g;

/** The model's answer to the result. */
const ANSWER = /Answer \d+\./;

describe('third-party tools', () => {
  const settings = changedSettings();
  const asked: MessagesRequest[] = [];
  let agent: AgentPage;
  let model: Awaited<ReturnType<typeof scriptedModel>>;
  let called: unknown[];

  /** A row of the tree of tools. */
  const row = (name: string) =>
    agent.editor.at('.pane-body [role="treeitem"]').withText(name).first;
  const box = (name: string) => row(name).at('.custom-view-tree-node-item-checkbox');
  /** Clicks a box in one step once its tree is at rest: a row may be redrawn under the pointer. */
  const switches = async (name: string) => {
    await agent.editor.at('.pane-body [role="treeitem"]').comeToRest();
    await box(name).clickInOneGo();
  };
  const chosen = (...names: readonly string[]) =>
    until(`${names.join(', ')} are chosen`, () => {
      const now = vscode.workspace.getConfiguration('plimsoll').get<string[]>('tools.enabled');
      return String(now) === String(names) ? true : undefined;
    });

  /**
   * Makes the user choose these tools, since a workspace may only suggest them. Every turn reads
   * the settings first.
   */
  const withTools = (...names: readonly string[]) => settings.set('tools.enabled', names, 'user');

  /** Starts the MCP server and waits until the editor has its tools. */
  const startServer = () =>
    until('the editor knows the server', async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', SERVER, {
        autoTrustChanges: true,
        waitForLiveTools: true,
      });
      return vscode.lm.tools.some(({ name }) => name === ECHO) ? true : undefined;
    });

  /** Makes the agent call a tool, approves the call, and waits for the result. */
  async function calls(name: string, input: object, title: string): Promise<void> {
    await agent.submit(`Please call ${name} ${JSON.stringify(input)}`);
    await agent.find('approval').shows(title);
    await agent.find('approval-allow').click();
  }

  /** The newest result that the model got. */
  const told = () => {
    const [last] = [asked.at(-1)?.messages.at(-1)?.content].flat();
    return typeof last === 'object' && last.type === 'tool_result'
      ? JSON.stringify(last.content)
      : '';
  };

  before(async () => {
    let ids = 0;
    model = await scriptedModel(settings, (request) => {
      asked.push(request);
      const [last] = [request.messages.at(-1)?.content].flat().slice(-1);
      // A stopped turn leaves its result before the next prompt.
      const said = typeof last === 'object' && last.type === 'text' ? last.text : '';
      const [, name = '', input = '{}'] = [...said.matchAll(WANTED)].at(-1) ?? [];
      if (name === '') return { content: [{ type: 'text', text: `Answer ${asked.length}.` }] };
      const id = `toolu_other_${(ids += 1)}`;
      const given = JSON.parse(input) as Readonly<Record<string, unknown>>;
      return { content: [{ type: 'tool_use', id, name, input: given }] };
    });
    const extension = vscode.extensions.getExtension<{ called: unknown[] }>(PROVIDER);
    ({ called } = await extension!.activate());
    agent = await AgentPage.onNewSession();
  });

  after(async () => {
    await vscode.commands.executeCommand('plimsoll.leaveTools');
    await model.close();
  });

  it('are chosen in a tree, by provider, each with its cost', async () => {
    await withTools();
    await vscode.commands.executeCommand('plimsoll.chooseTools');
    await row('harbour_depth').shows(/≈ \d+ tokens · Tells how deep a harbour is/);
    await row('harbour_odd').shows(
      'It cannot be chosen: its input schema has oneOf at its top level.',
    );
    await box('harbour_odd').isGone();
    await switches('harbour_depth');
    await chosen('harbour_depth');
    await row('Harbour Tools').shows(/1 of 3 on · ≈ \d+ tokens/);
    await switches('Harbour Tools');
    await chosen('harbour_depth', 'harbour_close');
    await agent.editor
      .at('.pane-body .message')
      .withText('tools are on: ≈')
      .shows(/tokens in every request; ≈ \$0\.\d+ from the prompt cache/);
    // The tree follows changes made elsewhere.
    await withTools('harbour_depth');
    await row('Harbour Tools').shows(/1 of 3 on/);
    await withTools();
    await row('Harbour Tools').shows(/0 of 3 on/);
  });

  it('run after an approval, with an input that matches the schema', async () => {
    await withTools('harbour_depth', 'harbour_close');
    called.splice(0);
    await calls('harbour_depth', { harbour: 'Hull', tide: 'low' }, 'Call harbour_depth of Harbour');
    await agent.turn('"Hull"').shows(ANSWER);
    assert.match(told(), /Hull is 7 m deep at low tide\./);
    assert.deepEqual(called, [{ harbour: 'Hull', tide: 'low' }]);
    const names = asked.at(-1)?.tools?.map(({ name }) => name) ?? [];
    assert.deepEqual(names.slice(-2), ['harbour_depth', 'harbour_close']);
    await agent.submit('Please call harbour_depth {"tide":"ebb"}');
    await agent.turn('"ebb"').shows(ANSWER);
    assert.match(told(), /was not called: .*required property .*harbour.*tide: /);
    assert.equal(called.length, 1);
    await calls('harbour_depth', { harbour: 'Nowhere' }, 'Nowhere');
    await agent.turn('"Nowhere"').shows(ANSWER);
    assert.match(told(), /harbour_depth of Harbour Tools failed\..*There is no such harbour\./s);
  });

  it('are also confirmed by the editor if they ask for it', async () => {
    await withTools('harbour_close');
    // Under test VS Code answers its own dialogs with yes: the test only sees that it asks.
    await calls('harbour_close', { harbour: 'Hull' }, 'Call harbour_close of Harbour Tools');
    await agent.turn('harbour_close').shows(ANSWER);
    assert.deepEqual(called.slice(-2), ['Close Hull?', { harbour: 'Hull' }]);
    assert.match(told(), /Hull is closed\./);
  });

  it('stop with the Stop button', async () => {
    await withTools('harbour_depth');
    await calls('harbour_depth', { harbour: 'Faraway' }, 'Faraway');
    await until('it was called', () => JSON.stringify(called).includes('Faraway'));
    await vscode.commands.executeCommand('plimsoll.stopTurn');
    await until('it was cancelled', () => called.at(-1) === 'cancelled');
    await agent.does('idle');
  });

  it('of an MCP server run over stdio, and a change shows its effect on the cache', async () => {
    await startServer();
    await withTools('harbour_depth', 'harbour_close');
    await agent.submit('Say something with these tools.');
    await agent.turn('with these tools').shows(ANSWER);
    await vscode.commands.executeCommand('plimsoll.chooseTools');
    await row('MCP server everything_re').shows(/0 of \d+ on/);
    await switches('Harbour Tools');
    await chosen();
    await switches(ECHO);
    await chosen(ECHO);
    await agent.editor
      .at('.pane-body .message')
      .withText('tools are on: ≈')
      .shows(
        /tools differ from those of the last request: the next prompt starts a new prompt cache/,
      );
    await calls(ECHO, { message: 'Ahoy' }, `Call ${ECHO} of MCP server everything_re`);
    await agent.turn('"Ahoy"').shows(ANSWER);
    assert.match(told(), /Echo: Ahoy/);
  });

  itInSoak('are listed one by one in the Context panel, and their tokens add up', async () => {
    await startServer();
    await withTools(ECHO);
    const panel = await PanelPage.ofSession(agent);
    await panel.showPart('fixed');
    const echo = panel.find('tool-cost').withText(ECHO);
    await echo.shows(/MCP server everything_re.*≈.\d+.*≈.\$0\.\d+ from the prompt cache/s);
    await panel.find('tools-total').shows(/^\d+ tools, ≈.[\d,]+ tokens in every request/);
  });
});
