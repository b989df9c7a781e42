import MarkdownIt from 'markdown-it';

/** The tags of a page, with what they carry. */
export const tagsIn = (html: string) => html.match(/<[^<>]*>/g) ?? [];

/** The text of a page of HTML. */
export function textIn(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Text as a table of Markdown can hold it: on one line. */
export const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** What is put inside names, numbers and addresses, so that no forge recognises them. */
export const BREAK = '\u200B';

/** The text of a page of Markdown as it is read. */
export const readIn = (html: string) => textIn(html).replaceAll(BREAK, '');

/** Renders Markdown as a forge does that lets HTML through. */
export const markdown = new MarkdownIt({ html: true });

/** A text that a renderer of Markdown passes on; it replaces the NUL. */
export const plain = (text: string) => text.replaceAll('\0', '\uFFFD');
