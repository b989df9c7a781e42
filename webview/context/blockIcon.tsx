import type { VNode } from 'preact';
import type { BlockView } from '../../src/protocol/contextPanel';
import { Icon, toolIcon } from '../ui/icon';

/** Draws what kind of block it is; a step by the first tool it called. */
export function BlockIcon({ block }: { readonly block: Pick<BlockView, 'kind' | 'tools'> }): VNode {
  switch (block.kind) {
    case 'anchor':
    case 'prompt':
    case 'summary':
    case 'note':
      return <Icon name={block.kind} />;
    case 'step': {
      const [first] = block.tools;
      return first === undefined ? <ReplyIcon /> : <Icon name={toolIcon(first)} />;
    }
  }
}

/** Draws lines of text: a step in which the model only answered. */
function ReplyIcon(): VNode {
  return (
    <svg class="icon" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d="M2.5 4h11M2.5 8h11M2.5 12h6.5"
        fill="none"
        stroke="currentColor"
        stroke-width="1.3"
        stroke-linecap="round"
      />
    </svg>
  );
}
