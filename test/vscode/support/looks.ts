import type { Locator } from 'playwright-core';

/** What a text should be: it contains the words, or matches, or satisfies. */
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

// These look at the elements that exist at this moment, for callers that wait and look again. A
// page that is being made again has none.

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

/** What the fields of a form hold. */
export function valuesOf(locator: Locator): Promise<readonly string[]> {
  return locator
    .evaluateAll((elements) => elements.map((element) => (element as HTMLInputElement).value))
    .catch(() => []);
}

export function hasFocus(locator: Locator): Promise<boolean> {
  return locator
    .evaluateAll((elements) =>
      elements.some(
        // A page that keys do not go to has an active element, too.
        ({ ownerDocument }, at) =>
          ownerDocument.activeElement === elements[at] && ownerDocument.hasFocus(),
      ),
    )
    .catch(() => false);
}

/** Tells whether the first lies within the part of its list that is in sight. */
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
