import type { Locator } from 'playwright-core';

/** The expected text: it contains the string, matches the pattern, or satisfies the predicate. */
export type Words = string | RegExp | ((text: string) => boolean);

export function meets(words: Words): (text: string | null) => boolean {
  return (text) => {
    if (text === null) return false;
    if (typeof words === 'function') return words(text);
    return typeof words === 'string' ? text.includes(words) : words.test(text);
  };
}

export function told(words: Words): string {
  return typeof words === 'function' ? 'what it should' : String(words);
}

// These check the elements that exist now, for callers that retry. A page that is being rebuilt has
// none.

export function textsOf(locator: Locator): Promise<readonly string[]> {
  return locator
    .evaluateAll((elements) =>
      elements.map((element) =>
        element instanceof HTMLElement ? element.innerText : (element.textContent ?? ''),
      ),
    )
    .catch(() => []);
}

export function attributesOf(locator: Locator, name: string): Promise<readonly (string | null)[]> {
  return locator
    .evaluateAll(
      (elements, attribute) => elements.map((element) => element.getAttribute(attribute)),
      name,
    )
    .catch(() => []);
}

/** The values in the fields of a form. */
export function valuesOf(locator: Locator): Promise<readonly string[]> {
  return locator
    .evaluateAll((elements) => elements.map((element) => (element as HTMLInputElement).value))
    .catch(() => []);
}

export function hasFocus(locator: Locator): Promise<boolean> {
  return locator
    .evaluateAll((elements) =>
      elements.some(
        // A page without the keyboard focus also has an active element.
        ({ ownerDocument }, at) =>
          ownerDocument.activeElement === elements[at] && ownerDocument.hasFocus(),
      ),
    )
    .catch(() => false);
}

/**
 * Returns whether all of the first element is in the visible part of its page, and nothing covers
 * its corners.
 */
export function isInView(locator: Locator): Promise<boolean> {
  return locator
    .evaluateAll(([element]) => {
      if (element === undefined) return false;
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const isOnPage = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const corners = [left + 1, right - 1].flatMap((x) =>
        [top + 1, bottom - 1].map((y) => [x, y]),
      );
      return (
        isOnPage &&
        corners.every(([x = 0, y = 0]) => {
          const drawn = document.elementFromPoint(x, y);
          return drawn !== null && (element.contains(drawn) || drawn.contains(element));
        })
      );
    })
    .catch(() => false);
}

/** Returns whether the first element lies within the visible part of its list. */
export function isInSight(locator: Locator): Promise<boolean> {
  return locator
    .evaluateAll(([row]) => {
      const list = row?.closest('.list')?.getBoundingClientRect();
      if (row === undefined || list === undefined) return false;
      const { top, bottom } = row.getBoundingClientRect();
      return top >= list.top - 1 && bottom <= list.bottom + 1;
    })
    .catch(() => false);
}
