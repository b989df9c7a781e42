import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestSection } from '../../../src/protocol/requestView';
import type { Unfolded } from '../look';
import { formatCount } from '../parts/formatCount';
import { LinkButton } from '../parts/linkButton';
import { RequestSectionCard } from './requestSection';

/** Sections drawn of a long request: its beginning, and the newest; a request can have thousands. */
const HEAD = 100;
const TAIL = 200;
const PAGE = 300;

/** Sections opened at once where something was looked for. */
const OPENED = 20;

export interface RequestSectionsProps {
  readonly sections: readonly RequestSection[];
  readonly pattern: RegExp | undefined;
  readonly unfolded: Unfolded;
  readonly onUnfold: (id: string, isOpen: boolean) => void;
}

/** Lists the sections of a request, those in the middle of a long one when they are asked for. */
export function RequestSections(props: RequestSectionsProps): VNode {
  const { sections, pattern, unfolded, onUnfold } = props;
  const [head, setHead] = useState(HEAD);
  const hidden = Math.max(0, sections.length - head - TAIL);
  const isOpenAtFirst = (index: number): boolean =>
    pattern === undefined ? index === sections.length - 1 : index < OPENED;
  const card = (section: RequestSection, index: number): VNode => (
    <RequestSectionCard
      key={section.id}
      section={section}
      pattern={pattern}
      isOpen={unfolded[section.id] ?? isOpenAtFirst(index)}
      onUnfold={onUnfold}
    />
  );
  const tail = hidden === 0 ? sections.length : head + hidden;
  return (
    <div class="sections">
      {sections.slice(0, hidden === 0 ? tail : head).map(card)}
      {hidden > 0 && (
        <LinkButton onClick={() => setHead(head + PAGE)} data-testid="more-sections">
          Show more ({formatCount(hidden, 'section')} between)
        </LinkButton>
      )}
      {sections.slice(tail).map((section, index) => card(section, tail + index))}
    </div>
  );
}
