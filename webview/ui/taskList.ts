import type { Parser } from './fileLinks';

/** Draws `[ ]` and `[x]` at the beginning of a list's item as a box. */
export function drawTasks(parser: Parser): void {
  parser.core.ruler.after('inline', 'tasks', ({ tokens, Token }) => {
    for (const [at, { type, children, level }] of tokens.entries()) {
      const [first] = children ?? [];
      const item = tokens[at - 2];
      if (type !== 'inline' || first?.type !== 'text') continue;
      if (item?.type !== 'list_item_open' || item.level !== level - 2) continue;
      const [mark, state] = /^\[([ xX])\] /.exec(first.content) ?? [];
      if (mark === undefined) continue;
      first.content = first.content.slice(mark.length);
      const box = new Token('html_inline', '', 0);
      box.content = `<span>${state === ' ' ? '☐' : '☑'}</span> `;
      children?.unshift(box);
    }
  });
}
