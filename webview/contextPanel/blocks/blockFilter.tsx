import type { VNode } from 'preact';
import { Icon } from '../../kit/icon';
import { formatNumber } from '../../kit/tokens';
import { SORTS, type Look } from '../store/look';
import { SORT_LABELS, STATE_FILTERS, stateFilterOf } from './listRows';

export interface BlockFilterProps {
  readonly look: Look;
  readonly matches: number;
  readonly of: number;
  readonly onLook: (changes: Partial<Look>) => void;
  /** Id of the list of keys. */
  readonly keysId: string;
  readonly showsKeys: boolean;
  readonly onShowKeys: () => void;
}

/** Asks which blocks to show and in which order, and says how many are left. */
export function BlockFilter(props: BlockFilterProps): VNode {
  const { look, matches, of, onLook, keysId, showsKeys, onShowKeys } = props;
  const states = stateFilterOf(look.states);
  const isFiltered = look.query.trim() !== '' || states !== 'all';
  return (
    <div class="filter">
      <span class="words">
        <input
          type="text"
          value={look.query}
          placeholder="Filter…"
          aria-label="Filter blocks by name, state or reason"
          spellcheck={false}
          onInput={(event) => onLook({ query: event.currentTarget.value })}
          onKeyDown={(event) => event.key === 'Escape' && onLook({ query: '' })}
          data-testid="filter"
        />
        <span class="matches number quiet small" role="status">
          {isFiltered ? `${formatNumber(matches)} of ${formatNumber(of)}` : ''}
        </span>
      </span>
      <button
        type="button"
        class="plain toggle"
        aria-pressed={look.byTurn}
        onClick={() => onLook({ byTurn: !look.byTurn })}
        data-testid="by-turn"
      >
        <Icon name="group" /> By turn
      </button>
      <select
        aria-label="States to show"
        value={states}
        onChange={(event) => onLook({ states: event.currentTarget.value })}
        data-testid="states"
      >
        {STATE_FILTERS.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <select
        aria-label="Order"
        value={look.sort}
        onChange={(event) => {
          const sort = SORTS.find((each) => each === event.currentTarget.value);
          if (sort !== undefined) onLook({ sort });
        }}
        data-testid="sort"
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {SORT_LABELS[sort]}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="plain toggle"
        aria-label="Two lines a block"
        title="Two lines a block"
        aria-pressed={look.rows === 'comfortable'}
        onClick={() => onLook({ rows: look.rows === 'compact' ? 'comfortable' : 'compact' })}
        data-testid="row-style"
      >
        <Icon name="rows" />
      </button>
      <button
        type="button"
        class="plain toggle"
        aria-label="Keys"
        title="Keys (?)"
        aria-expanded={showsKeys}
        aria-controls={showsKeys ? keysId : undefined}
        onClick={onShowKeys}
        data-testid="show-keys"
      >
        <Icon name="help" />
      </button>
    </div>
  );
}
