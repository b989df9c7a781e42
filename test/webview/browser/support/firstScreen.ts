import type { Page } from 'playwright-core';

/** The words and numbers that a reader sees above the list of blocks. */
export interface FirstScreen {
  readonly words: number;
  readonly numbers: number;
  readonly text: string;
}

/**
 * Counts the words and numbers in sight above the list of blocks, without the column next to it.
 * "4,746" is a number, "tokens" a word; text for screen readers and painted text do not count.
 */
export function firstScreenOf(page: Page): Promise<FirstScreen> {
  return page.evaluate(() => {
    const top = document.querySelector('.list')?.getBoundingClientRect().top ?? innerHeight;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent === null || parent.closest('.list, .side, .spoken, option') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { bottom, width, height } = range.getBoundingClientRect();
      const isVisible = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (isVisible && width > 1 && height > 1 && bottom <= top + 1 && bottom <= innerHeight) {
        seen.push(node.textContent ?? '');
      }
    }
    const tokens = seen.join(' ').split(/\s+/);
    return {
      words: tokens.filter((token) => /\p{L}/u.test(token) && !/\d/.test(token)).length,
      numbers: tokens.filter((token) => /\d/.test(token)).length,
      text: tokens.join(' ').trim(),
    };
  });
}
