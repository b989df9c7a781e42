import type { VNode } from 'preact';
import type { BlockView } from '../../../src/protocol/contextPanel';
import { Icon, toolIcon, type IconName } from '../../ui/icon';

/** Draws what kind of block it is; a step by the first tool it called. */
export function BlockIcon({ block }: { readonly block: Pick<BlockView, 'kind' | 'tools'> }): VNode {
  return <Icon name={iconOf(block)} />;
}

function iconOf({ kind, tools }: Pick<BlockView, 'kind' | 'tools'>): IconName {
  switch (kind) {
    case 'anchor':
    case 'prompt':
    case 'summary':
    case 'note':
      return kind;
    case 'step': {
      const [first] = tools;
      return first === undefined ? 'reply' : toolIcon(first);
    }
  }
}
