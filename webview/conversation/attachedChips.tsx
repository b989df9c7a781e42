import type { VNode } from 'preact';
import type { AttachedItem, AttachedView } from '../../src/editor/composer/state';
import { Icon, type IconName } from '../kit/icon';
import { formatTokens } from '../kit/tokens';
import { VisibleText } from '../kit/visibleText';
import { useAgentView } from './agentViewStore';
import { composerElement } from './composerElement';

const ICONS: Readonly<Record<AttachedItem['kind'], IconName>> = {
  file: 'file',
  folder: 'list',
  selection: 'edit',
  symbol: 'tool',
  problems: 'warning',
  changes: 'recall',
  terminal: 'terminal',
  page: 'fetch',
  image: 'file',
  document: 'file',
};

/** Shows what is beside the prompt that is being typed, each with its tokens and a button that removes it. */
export function AttachedChips({ attached }: { readonly attached: AttachedView }): VNode {
  return (
    <section class="attached" aria-label="Beside the prompt">
      <ul data-testid="attached">
        {attached.items.map((item) => (
          <Chip key={item.id} item={item} />
        ))}
      </ul>
      {attached.crosses === true && (
        <p class="small attached-warning" role="status" data-testid="attached-warning">
          <Icon name="warning" /> With this the window would cross the high watermark: a pass
          follows.
        </p>
      )}
    </section>
  );
}

function Chip({ item: { id, kind, name, tokens } }: { readonly item: AttachedItem }): VNode {
  const store = useAgentView();
  const size =
    tokens === undefined
      ? 'is being read'
      : `${formatTokens({ tokens, exact: false })} token${tokens === 1 ? '' : 's'}`;
  return (
    <li
      class="attached-chip small"
      data-testid="attached-item"
      data-kind={kind}
      data-tokens={tokens}
      title={`${kind}: ${name}, ${size}, as it was when you added it`}
    >
      <Icon name={ICONS[kind]} />
      <span class="ellipsis">
        <VisibleText text={name} />
      </span>
      <span class="number quiet">{tokens === undefined ? '…' : size}</span>
      <button
        type="button"
        class="plain"
        data-testid="attached-remove"
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={() => {
          store.wish({ type: 'detach', id });
          composerElement()?.focus();
        }}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
}

/** Names what was beside a prompt that was sent. */
export function AttachedNames({ names }: { readonly names: readonly string[] | undefined }) {
  if (names === undefined) return null;
  return (
    <p class="small quiet attached-names" data-testid="attached-names">
      With <VisibleText text={names.join(', ')} />
    </p>
  );
}
