import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { BlockAction } from './blockActions';
import { menuKeys } from '../parts/menuButton';

interface BlockMenuProps {
  /** Name of the block. */
  readonly label: string;
  readonly at: MenuPlace;
  readonly actions: readonly BlockAction[];
  readonly run: (action: BlockAction) => void;
  /**
   * `giveBack` says whether the focus goes back to what opened the menu; else the user has moved
   * it.
   */
  readonly onClose: (giveBack: boolean) => void;
}

/**
 * Where a menu opens, CSS pixels in the page: below `bottom`, or above `top` if there is no room
 * below.
 */
export interface MenuPlace {
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Draws what can be done to a block. An action that is not possible now can still be reached, so
 * that its reason can be read.
 */
export function BlockMenu({ label, at, actions, run, onClose }: BlockMenuProps): VNode {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (menu.current === null) return;
    place(menu.current, at);
    menu.current.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
  }, [at]);
  useLayoutEffect(() => {
    const leave = (event: Event): void => {
      const isInside = event.target instanceof Node && menu.current?.contains(event.target);
      if (isInside !== true) onClose(event.type !== 'pointerdown');
    };
    const kinds = ['scroll', 'resize', 'pointerdown'] as const;
    for (const kind of kinds) window.addEventListener(kind, leave, { capture: true });
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, leave, { capture: true });
    };
  }, [onClose]);
  const choose = (action: BlockAction): void => {
    if (action.whyNot !== undefined) return;
    onClose(true);
    run(action);
  };
  return (
    <div
      ref={menu}
      class="block-menu"
      role="menu"
      aria-label={`Actions: ${label}`}
      onKeyDown={(event) => {
        const chord = event.ctrlKey || event.metaKey || event.altKey;
        const chosen = actions.find(({ key }) => key === event.key.toUpperCase());
        if (chord || chosen === undefined) return menuKeys(event, () => onClose(true));
        choose(chosen);
        event.preventDefault();
        event.stopPropagation();
      }}
      data-testid="block-actions"
    >
      {actions.map((action) => (
        <button
          key={action.name}
          type="button"
          class="plain entry"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={action.whyNot === undefined ? undefined : true}
          aria-keyshortcuts={action.key}
          onClick={() => choose(action)}
          data-testid="block-action"
          data-action={action.name}
        >
          <span>
            {action.label}
            {action.moves !== undefined && <span class="number"> ({action.moves})</span>}
          </span>
          {action.key !== undefined && <kbd aria-hidden="true">{action.key}</kbd>}
          <span class="hint small">{action.whyNot ?? action.hint}</span>
        </button>
      ))}
    </div>
  );
}

/** Keeps the menu within the page. */
function place(menu: HTMLElement, { right, top, bottom }: MenuPlace): void {
  const { offsetWidth, offsetHeight } = menu;
  const fitsBelow = bottom + offsetHeight <= window.innerHeight;
  const y = fitsBelow ? bottom : top - offsetHeight;
  menu.style.left = `${Math.max(0, right - offsetWidth)}px`;
  menu.style.top = `${Math.max(0, y)}px`;
}
