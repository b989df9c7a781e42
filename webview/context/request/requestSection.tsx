import type { VNode } from 'preact';
import type { RequestPart, RequestSection } from '../../../src/protocol/requestView';
import { formatNumber } from '../../ui/tokens';
import { Highlighted } from './highlighted';
import { RequestPartText } from './requestPartText';

export interface RequestSectionCardProps {
  readonly section: RequestSection;
  readonly pattern: RegExp | undefined;
  readonly isOpen: boolean;
  readonly onUnfold: (id: string, isOpen: boolean) => void;
}

/** Folds one tool, the system prompt or one message; marks where the prompt cache may end. */
export function RequestSectionCard(props: RequestSectionCardProps): VNode {
  const { section, pattern, isOpen, onUnfold } = props;
  const { title, role, parts } = section;
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
  const hasBreakpoint = parts.some(({ breakpoint }) => breakpoint === true);
  return (
    <details
      class={`section r-${role}`}
      open={isOpen}
      onToggle={(event) => {
        // Drawing it open or closed raises the event as well.
        const { open } = event.currentTarget;
        if (open !== isOpen) onUnfold(section.id, open);
      }}
      data-testid="request-section"
      data-section={section.id}
      data-role={role}
    >
      <summary>
        <span class="name">
          <Highlighted text={title} pattern={pattern} />
        </span>
        <span class="quiet small number">
          {hasBreakpoint && (
            <span title="The prompt cache may end behind a part of this">cache breakpoint · </span>
          )}
          {formatNumber(characters)} characters
        </span>
      </summary>
      {isOpen && parts.map((part, index) => <Part key={index} part={part} pattern={pattern} />)}
    </details>
  );
}

function Part({
  part,
  pattern,
}: {
  readonly part: RequestPart;
  readonly pattern: RegExp | undefined;
}): VNode {
  const { title, text, breakpoint } = part;
  return (
    <div class="part" data-testid="request-part">
      <h3 class="quiet small">
        <Highlighted text={title} pattern={pattern} />
      </h3>
      <RequestPartText text={text} pattern={pattern} />
      {breakpoint === true && (
        <p class="breakpoint small" data-testid="breakpoint">
          Prompt-cache breakpoint: everything up to here can be read from the cache
        </p>
      )}
    </div>
  );
}
