import DOMPurify, { type Config } from 'dompurify';
import MarkdownIt from 'markdown-it';
import { linkFiles, placeName, placeOf, type Parser } from './fileLinks';

/** What earlier parts of a text define for later ones, such as the addresses of links. */
export type MarkdownEnv = Record<string, unknown>;

/** Reads markdown; what it renders is not sanitised yet. */
export const parser = new MarkdownIt({ html: false, linkify: true, breaks: false });
// "readme.md" is a file here, not a host in Moldova: only text that spells out http(s) becomes a link.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.validateLink = (url) => isWebAddress(url);
// A picture would be a request to somebody's server, with whatever the model put into its address.
parser.disable('image');
linkFiles(parser);
drawTasks(parser);

parser.renderer.rules['link_open'] = (tokens, index, options, _env, renderer) => {
  const token = tokens[index];
  const href = token?.attrGet('href');
  const place = href ? placeOf(`${href}`) : undefined;
  // VS Code opens other links outside the webview and asks first; the tooltip shows where each leads.
  if (place) token?.attrSet('title', placeName(place));
  else if (href) token?.attrSet('title', href);
  return renderer.renderToken(tokens, index, options);
};

/** A span holds the box of a task. */
const TAGS =
  'p br hr h1 h2 h3 h4 h5 h6 strong em s a ul ol li blockquote pre code table thead tbody tr th td ' +
  'span';

const ALLOWED: Config = {
  ALLOWED_TAGS: TAGS.split(' '),
  ALLOWED_ATTR: ['href', 'title', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|#file=)/i,
  ADD_URI_SAFE_ATTR: ['start'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  KEEP_CONTENT: true,
};

/**
 * Renders untrusted markdown to HTML without scripts, pictures, styles or links, except to the web.
 */
export function renderMarkdown(markdown: string, env: MarkdownEnv = {}): string {
  return sanitise(parser.render(markdown, env));
}

/** Renders items of a list; those of an ordered one are counted from `first`. */
export function renderList(markdown: string, first: number, env: MarkdownEnv): string {
  const tokens = parser.parse(markdown, env);
  const [list] = tokens;
  if (list?.type === 'ordered_list_open' && first !== 1) list.attrSet('start', `${first}`);
  return sanitise(parser.renderer.render(tokens, parser.options, env));
}

/** Renders rows of a table: the rows of its head, and those of its body. */
export function renderTable(
  markdown: string,
  env: MarkdownEnv,
): { readonly head: string; readonly body: string } {
  const page = document.createElement('template');
  page.innerHTML = renderMarkdown(markdown, env);
  const rowsOf = (part: string) => page.content.querySelector(part)?.innerHTML ?? '';
  return { head: rowsOf('thead'), body: rowsOf('tbody') };
}

/** Renders code whose words have a class each by which they are coloured. */
export function sanitiseCode(html: string): string {
  return DOMPurify.sanitize(html, { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'] });
}

/**
 * Removes from HTML everything that rendered markdown does not need, as a second line of defence.
 */
export function sanitise(html: string): string {
  return DOMPurify.sanitize(html, ALLOWED);
}

/** Says whether a link may be followed: only http and https, and without a user or password. */
function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** Draws `[ ]` and `[x]` at the beginning of a list's item as a box. */
function drawTasks(parser: Parser): void {
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
