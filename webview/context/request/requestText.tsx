import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RequestView } from '../../../src/protocol/requestView';
import { formatNumber } from '../../ui/tokens';
import type { Unfolded } from '../look';
import { formatCount } from '../parts/formatCount';
import { RequestSections } from './requestSections';
import { hitPattern, searchRequest } from './searchRequest';

export interface RequestTextProps {
  readonly request: RequestView;
  /** What is looked for in it. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly unfolded: Unfolded;
  readonly onUnfold: (id: string, isOpen: boolean) => void;
}

/** Draws a request section by section, with a search through all of it. */
export function RequestText(props: RequestTextProps): VNode {
  const { request, query, onQuery, unfolded, onUnfold } = props;
  const { model, maxTokens, notes, sections } = request;
  const pattern = useMemo(() => hitPattern(query), [query]);
  const found = useMemo(() => searchRequest(sections, pattern), [sections, pattern]);
  const reply =
    maxTokens === undefined ? '' : ` · reply of at most ${formatNumber(maxTokens)} tokens`;
  return (
    <>
      <p class="quiet small" data-testid="request-facts">
        {model} · {formatCount(sections.length, 'section')}
        {reply}
      </p>
      {notes.length > 0 && (
        <ul class="request-notes small" aria-label="Not as it was sent" data-testid="request-notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class="search">
        <input
          type="search"
          value={query}
          placeholder="Search in the request"
          aria-label="Search in the request"
          onInput={(event) => onQuery(event.currentTarget.value)}
          data-testid="request-search"
        />
        <span class="quiet small number" role="status" data-testid="request-hits">
          {pattern === undefined ? '' : hitWords(found.hits, found.sections.length)}
        </span>
      </div>
      <RequestSections
        sections={found.sections}
        pattern={pattern}
        unfolded={unfolded}
        onUnfold={onUnfold}
      />
    </>
  );
}

function hitWords(hits: number, sections: number): string {
  if (hits === 0) return 'no hit';
  return `${formatCount(hits, 'hit')} in ${formatCount(sections, 'section')}`;
}
