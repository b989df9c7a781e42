import DOMPurify, { type Config } from 'dompurify';
import MarkdownIt from 'markdown-it';

/** What earlier parts of a text define for later ones, such as link addresses. */
export type MarkdownEnv = Record<string, unknown>;

/** Parses Markdown; its HTML still has to be sanitised. */
export const parser = new MarkdownIt({ html: false, linkify: true, breaks: false });
// "readme.md" is a file here, not a host in Moldova: only text with http(s) becomes a link.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.validateLink = (url) => isWebAddress(url) || linkedPlace(url) !== undefined;
// A picture would send a request to a server, with whatever the model put into its address.
parser.disable('image');
linkFiles(parser);
drawTasks(parser);

parser.renderer.rules['link_open'] = (tokens, index, options, _env, renderer) => {
  const token = tokens[index];
  const written = `${token?.attrGet('href') ?? ''}`;
  const linkedTo = isWebAddress(written) ? undefined : linkedPlace(written);
  if (linkedTo !== undefined) token?.attrSet('href', addressOf(linkedTo));
  const href = token?.attrGet('href');
  const place = href ? placeOf(`${href}`) : undefined;
  // VS Code opens other links outside the webview and asks first; the tooltip shows the target.
  if (place) token?.attrSet('title', placeName(place));
  else if (href) token?.attrSet('title', href);
  return renderer.renderToken(tokens, index, options);
};

/** A span contains the box of a task. */
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
 * Renders untrusted Markdown to HTML without scripts, pictures, styles or links other than to the
 * web.
 */
export function renderMarkdown(markdown: string, env: MarkdownEnv = {}): string {
  return sanitise(parser.render(markdown, env));
}

/** Renders items of a list; an ordered list starts at `first`. */
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

/** Sanitises highlighted code, which has a class on each word. */
export function sanitiseCode(html: string): string {
  return DOMPurify.sanitize(html, { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'] });
}

/** Removes everything that rendered Markdown does not need, as a second line of defence. */
export function sanitise(html: string): string {
  return DOMPurify.sanitize(html, ALLOWED);
}

/** Whether a link may be followed: only http and https, and without a user or password. */
function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** Draws `[ ]` and `[x]` at the beginning of a list item as a box. */
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

type Parser = InstanceType<typeof MarkdownIt>;
type Token = ReturnType<Parser['parse']>[number];
type State = Parameters<Parameters<Parser['core']['ruler']['push']>[1]>[0];

/** A file, or a line of it, that a reply names. */
export interface FilePlace {
  readonly path: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** Extensions that make a name a file: `Math.max` is not one. */
const ENDINGS =
  'astro bash c cc cfg cjs clj conf cpp cs css csv cts dart ex exs go gql gradle graphql h hpp hs htm html ini java ' +
  'js json jsonc jsx kt kts less lock lua md mdx mjs mts php proto ps1 py r rb rs scala scss sh sql svelte swift tf ' +
  'toml ts tsx txt vue xml yaml yml zsh';

const NAME = String.raw`(?:\.{0,2}/)?(?:[\w.@+-]+/)*[\w.@+-]*\w\.(?:${ENDINGS.replaceAll(' ', '|')})`;
const LINE = String.raw`(?::(\d{1,7})(?:[-:]\d{1,7})?)?`;

/** A path that stands alone in prose. */
const IN_PROSE = new RegExp(String.raw`(?<![\w@:/.\\-])(${NAME})${LINE}(?![\w/-])`, 'g');
const WHOLE = new RegExp(`^(${NAME})${LINE}$`);

const PREFIX = '#file=';

/** The link address, which only this page can follow. */
function addressOf({ path, line }: FilePlace): string {
  return `${PREFIX}${encodeURIComponent(path)}${line === undefined ? '' : `&line=${line}`}`;
}

/** A path as a link's target: `src/a.js`, `./a.js#L3`, `a.js#L3-L9`, `a.js:3`. */
const LINKED = /^(?:\.\/)?((?![#/\\]|\w+:)[^#?:]+?)(?:(?:#L|:)(\d{1,7})(?:[-:]L?\d{1,7})?)?$/;

/** The file that a link of a reply points to; undefined for any other link. */
function linkedPlace(url: string): FilePlace | undefined {
  const [, path, line] = LINKED.exec(url) ?? [];
  if (path === undefined) return undefined;
  const decodedPath = decodedUri(path);
  if (decodedPath === undefined) return undefined;
  return { path: decodedPath, ...(line === undefined ? {} : { line: Number(line) }) };
}

function decodedUri(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function placeName({ path, line }: FilePlace): string {
  return line === undefined ? path : `${path}:${line}`;
}

/** The target of a link; undefined for other links. */
export function placeOf(address: string): FilePlace | undefined {
  const [, path, line] = /^#file=([^&]+)(?:&line=(\d+))?$/.exec(address) ?? [];
  if (path === undefined) return undefined;
  return { path: decodeURIComponent(path), ...(line === undefined ? {} : { line: Number(line) }) };
}

/**
 * Makes links of file names: in code always, in prose if they have a folder or a line. Whether the
 * file exists is checked on click.
 */
function linkFiles(parser: Parser): void {
  parser.core.ruler.after('linkify', 'files', (state) => {
    for (const block of state.tokens) {
      if (block.type !== 'inline' || block.children === null) continue;
      let within = 0;
      block.children = block.children.flatMap((token) => {
        if (token.type === 'link_open') within += 1;
        if (token.type === 'link_close') within -= 1;
        return within > 0 ? [token] : linked(token, state);
      });
    }
  });
}

function linked(token: Token, state: State): Token[] {
  if (token.type === 'code_inline') {
    const place = placeIn(WHOLE.exec(token.content.trim()));
    return place === undefined ? [token] : inLink(place, token, state);
  }
  if (token.type !== 'text') return [token];
  const all: Token[] = [];
  let end = 0;
  const text = (content: string): Token => {
    const part = new state.Token('text', '', 0);
    part.content = content;
    part.level = token.level;
    return part;
  };
  for (const match of token.content.matchAll(IN_PROSE)) {
    const place = placeIn(match);
    if (place === undefined || (place.line === undefined && !place.path.includes('/'))) continue;
    if (match.index > end) all.push(text(token.content.slice(end, match.index)));
    all.push(...inLink(place, text(match[0]), state));
    end = match.index + match[0].length;
  }
  if (all.length === 0) return [token];
  if (end < token.content.length) all.push(text(token.content.slice(end)));
  return all;
}

function placeIn(match: RegExpExecArray | RegExpMatchArray | null): FilePlace | undefined {
  const [, path, line] = match ?? [];
  if (path === undefined) return undefined;
  return { path, ...(line === undefined ? {} : { line: Number(line) }) };
}

function inLink(place: FilePlace, token: Token, state: State): Token[] {
  const open = new state.Token('link_open', 'a', 1);
  open.attrSet('href', addressOf(place));
  return [open, token, new state.Token('link_close', 'a', -1)];
}
