import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Tool } from '../../agent/tool';
import { accountOf } from '../contextPanel/account';
import { choiceWords, switched, toolGroups, type ToolGroup } from './toolChoice';
import type { AgentController } from '../session/agentController';
import type { HostParts } from '../hostParts';
import type { ModelAccess } from '../model/modelAccess';
import * as notices from '../notices';
import { switchable, ToolTree, type ToolNode } from './toolTree';
import { toolsNow } from './toolsInForce';
import { errorText } from '../../contextWindow/result';

/** The view of package.json, and what says that it is shown. */
const VIEW = 'plimsoll.tools';
const IS_SHOWN = 'plimsoll.choosingTools';

/** What the choice of tools works on. */
export interface ToolDeskParts {
  readonly host: Pick<HostParts, 'loadTools' | 'root' | 'home'>;
  readonly controller: Pick<AgentController, 'window'>;
  readonly access: Pick<ModelAccess, 'settings' | 'estimator' | 'refresh'>;
  /** Told what the user wants the workspace to set that costs money. */
  readonly allowCost: (setting: string, value: unknown) => Promise<void>;
}

/** Lets the user choose which tools the agent has, its own and those of others. */
export class ToolDesk {
  #tree: ToolTree | undefined;
  #view: vscode.TreeView<ToolNode> | undefined;
  #settled: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ToolDeskParts) {}

  /** Shows the tree; what is offered now is read anew. */
  async choose(): Promise<void> {
    // A view that comes into sight reads for itself what is offered.
    if (this.#view === undefined) this.#createView();
    else if (this.#view.visible) this.#tree?.refresh();
    await vscode.commands.executeCommand('setContext', IS_SHOWN, true);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  /** Puts the tree away. */
  async leave(): Promise<void> {
    await vscode.commands.executeCommand('setContext', IS_SHOWN, false);
  }

  #createView(): void {
    const tree = new ToolTree(() => this.#groups());
    const view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: tree,
      manageCheckboxStateManually: true,
      showCollapseAll: true,
    });
    this.#tree = tree;
    this.#view = view;
    view.onDidChangeCheckboxState(({ items }) => {
      this.#inTurn('The choice of tools could not be stored', () => this.#switch(items));
    });
    let wasHidden = false;
    view.onDidChangeVisibility(({ visible }) => {
      // At first it is read anyway: a row that is drawn anew under the pointer loses its click.
      if (visible && wasHidden) tree.refresh();
      wasHidden = !visible;
    });
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('plimsoll')) return;
      this.#inTurn('The settings could not be read', () => this.parts.access.refresh());
    });
  }

  /** One after the other: each begins with what the one before has stored. The tree shows what came of it. */
  #inTurn(problem: string, work: () => Promise<void>): void {
    this.#settled = this.#settled
      .then(work)
      .catch((error: unknown) => {
        const why = errorText(error);
        notices.warn(`${problem}: ${why}`);
      })
      .then(() => this.#tree?.refresh());
  }

  async #switch(
    items: readonly (readonly [ToolNode, vscode.TreeItemCheckboxState])[],
  ): Promise<void> {
    const before = this.parts.access.settings.valid.asSet.tools;
    const after = items.reduce((chosen, [node, state]) => {
      const names =
        node.type === 'tool' ? [node.row.name] : switchable(node.group.rows).map(nameOf);
      const isOn = state === vscode.TreeItemCheckboxState.Checked;
      return switched(chosen, node.group, names, isOn);
    }, before);
    for (const key of ['enabled', 'disabled'] as const) {
      if (!isDeepStrictEqual(before[key], after[key])) {
        await this.#store(`plimsoll.tools.${key}`, after[key]);
      }
    }
    await this.parts.access.refresh();
  }

  /** Stores a list where it is already set, else for the workspace: what is offered differs by it. */
  async #store(setting: string, value: readonly string[]): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const set = configuration.inspect(setting);
    const isUsers = set?.globalValue !== undefined && set.workspaceValue === undefined;
    if (!isUsers) await this.parts.allowCost(setting, value);
    await configuration.update(
      setting,
      value,
      isUsers ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace,
    );
  }

  /** Reads what there is, and says above the tree what the choice costs. */
  async #groups(): Promise<readonly ToolGroup[]> {
    const { host, access, controller } = this.parts;
    if (host.root === undefined) {
      this.#say(['Open a folder first: the agent works in one.']);
      return [];
    }
    const loaded = await host.loadTools(host.root);
    const { settings, asSet, budget } = access.settings.valid;
    const place = { place: settings.memory.profile, home: host.home, root: host.root };
    const { own, others, tools } = toolsNow(
      access,
      loaded,
      loaded.makeProfile(place) !== undefined,
    );
    const estimate = (text: string): number => access.estimator.estimate(text);
    const groups = toolGroups({
      own: own.map(definitionOf),
      needed: loaded.neededTools,
      others: others.map((other) => {
        const { name, provider, description } = other.offered;
        const row = { name, provider, description };
        return 'tool' in other
          ? { ...row, definition: definitionOf(other.tool) }
          : { ...row, why: other.why };
      }),
      ...asSet.tools,
      estimate,
    });
    const { window } = controller;
    this.#say(
      choiceWords({
        groups,
        next: tools.map(definitionOf),
        window,
        used: accountOf(window, budget, estimate).measured.used.tokens,
        model: settings.model,
        offline: settings.provider === 'offline',
      }),
    );
    return groups;
  }

  #say(words: readonly string[]): void {
    if (this.#view !== undefined) this.#view.message = words.join(' ');
  }
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function definitionOf({ definition }: Tool): Tool['definition'] {
  return definition;
}
