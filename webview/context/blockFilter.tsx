import type { VNode } from 'preact';
import { formatNumber } from '../ui/tokens';

export interface BlockFilterProps {
  readonly query: string;
  readonly matches: number;
  readonly of: number;
  readonly onQuery: (query: string) => void;
}

/** Asks which blocks to show, and says how many are left. */
export function BlockFilter({ query, matches, of, onQuery }: BlockFilterProps): VNode {
  return (
    <div class="filter">
      <input
        type="text"
        value={query}
        placeholder="Filter by name, state, reason…"
        aria-label="Filter blocks by name, state or reason"
        spellcheck={false}
        onInput={(event) => onQuery(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onQuery('')}
        data-testid="filter"
      />
      <span class="matches number quiet small" role="status">
        {query.trim() === '' ? '' : `${formatNumber(matches)} of ${formatNumber(of)}`}
      </span>
    </div>
  );
}
