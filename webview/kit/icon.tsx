import type { VNode } from 'preact';
import type { CallKind } from '../../src/editor/contextPanel/state';
// Our icon names and the names of VS Code's icons: the build keeps only these of its font.
import CODICONS from './codicons.json';

export type IconName = keyof typeof CODICONS;

/** Draws one of VS Code's icons. It is decoration: the text next to it has to say the same. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return <span class={`icon codicon codicon-${CODICONS[name]}`} aria-hidden="true" />;
}

const CALL_ICONS: Readonly<Record<CallKind, IconName>> = {
  read: 'file',
  list: 'list',
  search: 'search',
  edit: 'edit',
  write: 'newFile',
  command: 'terminal',
  scratchpad: 'note',
  recall: 'recall',
  fetch: 'fetch',
  agent: 'agent',
  other: 'tool',
};

export function callIcon(kind: CallKind): IconName {
  return CALL_ICONS[kind];
}

/** Draws the Plimsoll mark: a circle with a line through it, the load line on a ship's hull. */
export function Mark({ size = 16 }: { readonly size?: number }): VNode {
  return (
    <svg
      class="mark"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="4.75" />
      <path d="M0.75 8h14.5" />
    </svg>
  );
}
