import type MarkdownIt from 'markdown-it';

export type Parser = InstanceType<typeof MarkdownIt>;
type Token = ReturnType<Parser['parse']>[number];
type State = Parameters<Parameters<Parser['core']['ruler']['push']>[1]>[0];

/** A place in a file that a reply names. */
export interface FilePlace {
  readonly path: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** Endings by which a name is taken for a file: `Math.max` is none. */
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

/** The address of a place, which only this page can follow. */
function addressOf({ path, line }: FilePlace): string {
  return `${PREFIX}${encodeURIComponent(path)}${line === undefined ? '' : `&line=${line}`}`;
}

/** What the link to a place shows: where it leads. */
export function placeName({ path, line }: FilePlace): string {
  return line === undefined ? path : `${path}:${line}`;
}

/** The place a link leads to; undefined for a link to somewhere else. */
export function placeOf(address: string): FilePlace | undefined {
  const [, path, line] = /^#file=([^&]+)(?:&line=(\d+))?$/.exec(address) ?? [];
  if (path === undefined) return undefined;
  return { path: decodeURIComponent(path), ...(line === undefined ? {} : { line: Number(line) }) };
}

/**
 * Makes links of the files a text names: as code, and in prose where a folder or a line is named, too. Whether there is
 * such a file is said once it is asked for.
 */
export function linkFiles(parser: Parser): void {
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
