import * as vscode from 'vscode';
import { rowWords, type ToolGroup, type ToolRow } from './toolChoice';

/** A provider or one of its tools, as the tree has it. */
export type ToolNode =
  | { readonly type: 'group'; readonly group: ToolGroup }
  | { readonly type: 'tool'; readonly group: ToolGroup; readonly row: ToolRow };

/** The tools by provider, each with a box; the box of a provider stands for all of its tools. */
export class ToolTree implements vscode.TreeDataProvider<ToolNode> {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly groups: () => Promise<readonly ToolGroup[]>) {}

  /** Draws everything anew. */
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
  // Those of others are what one comes for.
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

/** The rows that a box can switch. */
export function switchable(rows: readonly ToolRow[]): readonly ToolRow[] {
  return rows.filter(({ fixed }) => fixed === undefined);
}
