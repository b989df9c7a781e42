import type { VNode } from 'preact';
import type { BlockView } from '../../../src/protocol/contextPanel';
import { callIcon, Icon, type IconName } from '../../ui/icon';

type Drawn = Pick<BlockView, 'kind' | 'callKind'>;

/** Draws what kind of block it is; a step by what its first call was for. */
export function BlockIcon({ block }: { readonly block: Drawn }): VNode {
  return <Icon name={iconOf(block)} />;
}

function iconOf({ kind, callKind }: Drawn): IconName {
  switch (kind) {
    case 'anchor':
    case 'prompt':
    case 'summary':
    case 'note':
      return kind;
    case 'step':
      return callKind === undefined ? 'reply' : callIcon(callKind);
  }
}
