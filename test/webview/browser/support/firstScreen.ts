import type { Locator } from 'playwright-core';

/** The most words and numbers above the list of blocks, with every card and a finding. */
export const MOST = { words: 110, numbers: 32 } as const;

/** The words and numbers that a reader sees above the list of blocks. */
export interface FirstScreen {
  readonly words: number;
  readonly numbers: number;
  readonly text: string;
}

/**
 * Counts the words and numbers in sight above a panel's list of blocks, without the column next to it.
 * "4,746" is a number, "tokens" a word; text for screen readers and painted text do not count.
 */
export function firstScreenOf(panel: Locator): Promise<FirstScreen> {
  return panel.evaluate(() => {
    const top = document.querySelector('.list')?.getBoundingClientRect().top ?? innerHeight;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent === null || parent.closest('.list, .side, .spoken, option') !== null) continue;
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const clip = parent.closest('.ellipsis')?.getBoundingClientRect().right ?? innerWidth;
      for (const { index, 0: word } of (node.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const { bottom, right, width, height } = range.getBoundingClientRect();
        const isDrawn = width > 1 && height > 1 && right <= clip + 1;
        if (isDrawn && bottom <= Math.min(top + 1, innerHeight)) seen.push(word);
      }
    }
    return {
      words: seen.filter((word) => /\p{L}/u.test(word) && !/\d/.test(word)).length,
      numbers: seen.filter((word) => /\d/.test(word)).length,
      text: seen.join(' '),
    };
  });
}
