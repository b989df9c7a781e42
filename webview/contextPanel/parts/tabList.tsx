import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';

interface TabItem<T extends string> {
  readonly tab: T;
  readonly label: string;
  /** What waits in the tab, in words; shown as a dot. */
  readonly waits?: string;
}

interface TabListProps<T extends string> {
  readonly label: string;
  readonly items: readonly TabItem<T>[];
  readonly chosen: T;
  /** The beginning of the ids of tabs and panels. */
  readonly id: string;
  readonly onChoose: (tab: T) => void;
}

/** The id of a tab or of the panel it shows. */
export function tabId(id: string, tab: string, part: 'tab' | 'panel'): string {
  return `${id}-${part}-${tab}`;
}

/**
 * Draws tabs; one is in the tab order, and arrow keys, Home and End move to the others and show
 * them.
 */
export function TabList<T extends string>(props: TabListProps<T>): VNode {
  const { label, items, chosen, id, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = items.findIndex(({ tab }) => tab === chosen);
    const next = items[indexFor(event.key, at, items.length)];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.tab);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.tab}"]`)?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {items.map(({ tab, label: words, waits }) => (
        <button
          key={tab}
          type="button"
          class="plain tab"
          role="tab"
          id={tabId(id, tab, 'tab')}
          aria-selected={tab === chosen}
          aria-controls={tabId(id, tab, 'panel')}
          tabIndex={tab === chosen ? 0 : -1}
          title={waits}
          onClick={() => onChoose(tab)}
          data-testid={`tab-${tab}`}
          data-tab={tab}
        >
          {words}
          {waits !== undefined && (
            <>
              <span class="dot" aria-hidden="true">
                {' ●'}
              </span>
              <span class="spoken">, {waits}</span>
            </>
          )}
        </button>
      ))}
    </div>
  );
}

/** The index that a key moves to in a row of items; -1 for none. */
export function indexFor(key: string, at: number, count: number): number {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}
