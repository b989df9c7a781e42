import type { VNode } from 'preact';

/** Outlines on a grid of 16, drawn with the text's colour. */
const OUTLINES = {
  file: 'M4 1.5h5.2L12.5 4.8v9.7h-8.5zM9 1.5v3.5h3.5',
  list: 'M2.5 4h.01M5.5 4h8M2.5 8h.01M5.5 8h8M2.5 12h.01M5.5 12h8',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2',
  edit: 'M3 13l.6-2.8 7-7a1.4 1.4 0 0 1 2 0l.2.2a1.4 1.4 0 0 1 0 2l-7 7zM9.5 4.3l2.2 2.2',
  create: 'M8 3v10M3 8h10',
  terminal: 'M2.5 4l4 4-4 4M8.5 12.5h5',
  note: 'M3.5 2.5h9v11h-9zM6 6h4M6 9h2.5',
  recall: 'M3 6.5h6.5a3.5 3.5 0 1 1 0 7H6M5.8 3.5L2.8 6.5l3 3',
  tool: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  down: 'M8 3v10M3.8 8.8L8 13l4.2-4.2',
  send: 'M8 13V3M3.8 7.2L8 3l4.2 4.2',
  warning: 'M8 2.2L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.01',
  cross: 'M4 4l8 8M12 4l-8 8',
  anchor:
    'M8 5.2v8.3M8 1.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM2.8 9c.3 2.8 2.4 4.5 5.2 4.5s4.9-1.7 5.2-4.5M5.8 7.2h4.4',
  prompt: 'M2.5 3h11v8H7.2L4.5 13.5V11h-2z',
  summary: 'M12 4.2V2.8H4L8.2 8 4 13.2h8v-1.4',
} as const;

export type IconName = keyof typeof OUTLINES;

/** Draws a small outline icon; it is decoration, so the words beside it must say the same. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg
      class="icon"
      width="14"
      height="14"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.3"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={OUTLINES[name]} />
    </svg>
  );
}

const TOOL_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['read_file', 'file'],
  ['list_files', 'list'],
  ['search_text', 'search'],
  ['edit_file', 'edit'],
  ['create_file', 'create'],
  ['run_command', 'terminal'],
  ['update_scratchpad', 'note'],
  ['recall', 'recall'],
]);

/** The icon of a tool by its name; a ring for tools we do not know. */
export function toolIcon(toolName: string): IconName {
  return TOOL_ICONS.get(toolName) ?? 'tool';
}
