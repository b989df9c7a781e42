import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  /** Why it is disabled; absent if it is not. */
  readonly whyNot?: string | undefined;
  /** Whether it is switched on; absent for an item that is not a switch. */
  readonly checked?: boolean;
  /** Draws a line above it. */
  readonly begins?: boolean;
  readonly testId: string;
}

interface MenuButtonProps {
  /** Name of button and menu. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly children: ComponentChildren;
  readonly 'data-testid': string;
}

/** Draws a button that opens a menu; arrow keys, Home, End, letters and Escape work as menus do. */
export function MenuButton(props: MenuButtonProps): VNode {
  const { label, items, children } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (isOpen) menu.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      class="menu-button"
      onFocusOut={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        class="plain opener"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        // In Safari and some embeddings a press does not focus the button; without focus nothing
        // closes the menu.
        onPointerDown={(event) => event.currentTarget.focus()}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
        data-testid={props['data-testid']}
      >
        {children}
      </button>
      {isOpen && (
        <div
          ref={menu}
          id={id}
          class="menu"
          role="menu"
          aria-label={label}
          onKeyDown={(event) => menuKeys(event, close)}
        >
          {items.map((item) => (
            <Entry key={item.testId} item={item} close={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function Entry({ item, close }: { readonly item: MenuItem; readonly close: () => void }): VNode {
  const { label, run, whyNot, checked, begins = false, testId } = item;
  const isSwitch = checked !== undefined;
  return (
    <button
      type="button"
      class={begins ? 'plain entry begins' : 'plain entry'}
      role={isSwitch ? 'menuitemcheckbox' : 'menuitem'}
      aria-checked={isSwitch ? checked : undefined}
      aria-disabled={whyNot === undefined ? undefined : true}
      title={whyNot}
      tabIndex={-1}
      // Safari does not focus a pressed button: the menu would close before the click arrives.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        if (whyNot !== undefined) return;
        close();
        run();
      }}
      data-testid={testId}
    >
      <span class="check" aria-hidden="true">
        {checked === true ? '✓' : ''}
      </span>
      {label}
    </button>
  );
}

/** Moves the focus through a menu's items as menus do; Escape and Tab close it. */
export function menuKeys(
  event: KeyboardEvent & { currentTarget: Element },
  close: () => void,
): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const { key } = event;
  if (key === 'Escape' || key === 'Tab') {
    close();
    if (key === 'Tab') return;
  } else {
    const to = destination(key, at, items);
    if (to === undefined) return;
    to.focus();
  }
  event.preventDefault();
  event.stopPropagation();
}

function destination(
  key: string,
  at: number,
  items: readonly HTMLElement[],
): HTMLElement | undefined {
  const { length } = items;
  if (key === 'ArrowDown') return items[(at + 1) % length];
  if (key === 'ArrowUp') return items[(at - 1 + length) % length];
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const letter = key.toLowerCase();
  const begins = (item: HTMLElement): boolean =>
    (item.textContent ?? '').replace('✓', '').trim().toLowerCase().startsWith(letter);
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins);
}
