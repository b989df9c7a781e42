import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { definitionsOf, isCompact, textsSent } from '../../agent/compactTools';
import type { Tool } from '../../agent/tool';
import { accountOf } from '../session/derive';
import * as notices from '../notifications';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';
import {
  choiceWords,
  rowWords,
  switched,
  type ToolGroup,
  toolGroups,
  type ToolRow,
} from './toolChoice';
import { toolsNow } from './toolsInForce';
import { errorText, type Refusal } from '../../contextWindow/result';

/** The view in package.json, and the context key that shows it. */
const VIEW = 'plimsoll.tools';
const IS_SHOWN = 'plimsoll.choosingTools';

/** Lets the user choose the agent's tools, its own and third-party ones. */
export class ToolPicker {
  #tree: ToolTree | undefined;
  #view: vscode.TreeView<ToolNode> | undefined;
  #settled: Promise<void> = Promise.resolve();

  readonly commands = {
    chooseTools: () => this.choose(),
    leaveTools: () => this.leave(),
  };

  constructor(
    private readonly services: Services,
    private readonly current: CurrentSession,
  ) {}

  /** Shows the tree with the tools available now. */
  async choose(): Promise<void> {
    // A view that becomes visible reads the available tools automatically.
    if (this.#view === undefined) this.#createView();
    else if (this.#view.visible) this.#tree?.refresh();
    await vscode.commands.executeCommand('setContext', IS_SHOWN, true);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  /** Hides the tree. */
  async leave(): Promise<void> {
    await vscode.commands.executeCommand('setContext', IS_SHOWN, false);
  }

  /** Turns third-party tools off, as unticking them in the tree does; says why it failed. */
  async turnOff(names: readonly string[]): Promise<Refusal> {
    const { enabled } = this.services.access.settings.valid.asSet.tools;
    const off = new Set(names);
    try {
      const left = enabled.filter((name) => !off.has(name));
      await this.#store('plimsoll.tools.enabled', left);
      await this.services.access.refresh();
    } catch (error) {
      return `The tools stay on, since the setting could not be stored: ${errorText(error)}`;
    }
    this.#tree?.refresh();
    return undefined;
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
      // The first time it reads anyway: redrawing a row under the pointer would lose its click.
      if (visible && wasHidden) tree.refresh();
      wasHidden = !visible;
    });
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('plimsoll')) return;
      this.#inTurn('The settings could not be read', () => this.services.access.refresh());
    });
  }

  /**
   * One after the other: each starts from the stored result of the one before. The tree shows the
   * result.
   */
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
    const before = this.services.access.settings.valid.asSet.tools;
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
    await this.services.access.refresh();
  }

  /**
   * Stores a list where it is already set, else for the workspace, because tools differ by
   * workspace.
   */
  async #store(setting: string, value: readonly string[]): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const set = configuration.inspect(setting);
    const isUsers = set?.globalValue !== undefined && set.workspaceValue === undefined;
    await configuration.update(
      setting,
      value,
      isUsers ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace,
    );
  }

  /** Reads the available tools, and shows the cost of the choice above the tree. */
  async #groups(): Promise<readonly ToolGroup[]> {
    const { access, home, loadTools } = this.services;
    const folders = this.services.folders.now;
    if (folders === undefined) {
      this.#say(['Open a folder first: the agent works in one.']);
      return [];
    }
    const loaded = await loadTools(folders);
    const { settings, asSet, budget } = access.settings.valid;
    const { window } = this.current.run;
    const place = { place: settings.memory.profile, home, folders };
    const { memory = [] } = window.preamble;
    const { own, others, tools } = toolsNow(access, loaded, {
      hasFolders: folders.areNamed,
      hasProfile: loaded.makeProfile(place) !== undefined,
      hasSkills: memory.some(({ skill }) => skill !== undefined),
    });
    const estimate = access.estimator.estimate;
    const compact = isCompact(window, { budget, model: settings.model });
    const usable = others.flatMap((other) => ('tool' in other ? [other.tool] : []));
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
      ...(compact ? { sent: textsSent([...own, ...usable], compact) } : {}),
      estimate,
    });
    this.#say(
      choiceWords({
        groups,
        next: definitionsOf(tools, compact),
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

/** A provider or one of its tools in the tree. */
type ToolNode =
  | { readonly type: 'group'; readonly group: ToolGroup }
  | { readonly type: 'tool'; readonly group: ToolGroup; readonly row: ToolRow };

/** The tools by provider, each with a checkbox; a provider's checkbox switches all of its tools. */
class ToolTree implements vscode.TreeDataProvider<ToolNode> {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly groups: () => Promise<readonly ToolGroup[]>) {}

  /** Redraws everything. */
  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: ToolNode): Promise<ToolNode[]> {
    if (node === undefined) {
      return (await this.groups()).map((group) => ({ type: 'group', group }));
    }
    if (node.type === 'tool') return [];
    const { group } = node;
    return group.rows.map((row) => ({ type: 'tool', group, row }));
  }

  getTreeItem(node: ToolNode): vscode.TreeItem {
    return node.type === 'group' ? groupItem(node.group) : toolItem(node.group, node.row);
  }
}

function groupItem({ label, isOwn, rows }: ToolGroup): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  // Users open the tree for third-party tools.
  const item = new vscode.TreeItem(label, isOwn ? Collapsed : Expanded);
  const on = rows.filter(({ isOn }) => isOn);
  const tokens = on.reduce((sum, row) => sum + row.tokens, 0);
  item.id = `group:${label}`;
  item.description = [`${on.length} of ${rows.length} on`, rowWords({ tokens })]
    .filter((words) => words !== '')
    .join(' · ');
  const free = switchable(rows);
  if (free.length > 0) item.checkboxState = boxOf(free.every(({ isOn }) => isOn));
  return item;
}

function toolItem({ label }: ToolGroup, row: ToolRow): vscode.TreeItem {
  const { name, description, fixed, isOn } = row;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `tool:${label}:${name}`;
  item.description = [rowWords(row), fixed ?? '', description]
    .filter((words) => words !== '')
    .join(' · ');
  item.tooltip = [name, rowWords(row), fixed ?? '', description]
    .filter((words) => words !== '')
    .join('\n\n');
  if (fixed === undefined) item.checkboxState = boxOf(isOn);
  return item;
}

function boxOf(isOn: boolean): vscode.TreeItemCheckboxState {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return isOn ? Checked : Unchecked;
}

/** The rows that a checkbox can switch. */
function switchable(rows: readonly ToolRow[]): readonly ToolRow[] {
  return rows.filter(({ fixed }) => fixed === undefined);
}
