import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ComposerMenu, MenuChoice } from './useComposerMenu';

/** The list that @ or / opens; the focus stays in the composer, which names the active choice. */
export const COMPOSER_LIST = 'composer-list';

/** The element of a choice. */
export function choiceId(at: number): string {
  return `composer-choice-${at}`;
}

interface ComposerListProps {
  readonly menu: ComposerMenu;
  readonly choose: (choice: MenuChoice) => void;
}

/** Shows what may be chosen, the active choice in sight. */
export function ComposerList({
  menu: { name, choices, active },
  choose,
}: ComposerListProps): VNode {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, choices]);
  return (
    <ul
      id={COMPOSER_LIST}
      ref={list}
      class="composer-list"
      role="listbox"
      // It scrolls, so a keyboard must be able to reach it.
      tabIndex={0}
      aria-label={name}
      data-testid="composer-list"
    >
      {choices.map((choice, at) => (
        <li
          key={at}
          id={choiceId(at)}
          role="option"
          aria-selected={at === active}
          data-testid="composer-choice"
          title={choice.detail === '' ? choice.label : `${choice.label}, ${choice.detail}`}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(choice)}
        >
          <span class="ellipsis">{choice.label}</span>
          <span class="ellipsis small quiet">{choice.detail}</span>
        </li>
      ))}
    </ul>
  );
}
