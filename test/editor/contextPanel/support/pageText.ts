import MarkdownIt from 'markdown-it';

/** The tags of a page, with their attributes. */
export const tagsIn = (html: string) => html.match(/<[^<>]*>/g) ?? [];

/** The text of an HTML page. */
export function textIn(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Text as a Markdown table can hold it: on one line. */
export const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Inserted into names, numbers and addresses, so that no forge recognises them. */
export const BREAK = '\u200B';

/** The text of a Markdown page as it is read. */
export const readIn = (html: string) => textIn(html).replaceAll(BREAK, '');

/** Renders Markdown like a forge that allows HTML. */
export const markdown = new MarkdownIt({ html: true });

/** A text that a Markdown renderer keeps; it replaces NUL. */
export const plain = (text: string) => text.replaceAll('\0', '\uFFFD');
