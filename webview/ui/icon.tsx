import type { VNode } from 'preact';

/** What we call an icon, and what VS Code's own set calls it. */
const CODICONS = {
  file: 'file',
  list: 'list-tree',
  search: 'search',
  edit: 'edit',
  create: 'add',
  newFile: 'new-file',
  terminal: 'terminal',
  note: 'note',
  recall: 'history',
  tool: 'tools',
  chevron: 'chevron-right',
  open: 'chevron-down',
  down: 'arrow-down',
  warning: 'warning',
  cross: 'close',
  anchor: 'target',
  prompt: 'comment',
  reply: 'comment-discussion',
  summary: 'combine',
  pinned: 'pinned',
  more: 'ellipsis',
  group: 'group-by-ref-type',
  help: 'question',
} as const;

export type IconName = keyof typeof CODICONS;

/** Draws one of VS Code's icons; it is decoration, so the words beside it must say the same. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return <span class={`icon codicon codicon-${CODICONS[name]}`} aria-hidden="true" />;
}

const TOOL_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['read_file', 'file'],
  ['list_files', 'list'],
  ['search_text', 'search'],
  ['edit_file', 'edit'],
  ['create_file', 'newFile'],
  ['run_command', 'terminal'],
  ['update_scratchpad', 'note'],
  ['recall', 'recall'],
]);

/** The icon of a tool by its name; crossed tools for those we do not know. */
export function toolIcon(toolName: string): IconName {
  return TOOL_ICONS.get(toolName) ?? 'tool';
}
