import * as z from 'zod/mini';
import { refused, type Result } from '../../contextWindow/result';

/** Whether a path matches; relative to the workspace, with forward slashes. */
export type PathMatcher = (path: string) => boolean;

/** A tool's parameter that limits it to some files. */
export const FILE_GLOB = z
  .optional(z.string())
  .check(
    z.describe('Only files that match, for example "*.ts", "src/**/*.{ts,tsx}" or "!*.test.ts".'),
  );

/** Longest glob, characters. */
const LONGEST_GLOB = 1_000;

/** Most globs that braces may expand to: `{a,b}{a,b}` expands to four. */
const MOST_ALTERNATIVES = 200;

/**
 * Makes a matcher that reads globs like .gitignore and ripgrep: a glob without a slash matches the
 * file name in any folder, one with a slash the path from the root. Supports `*` `?` `[a-z]`
 * `[!a-z]` `**` `{a,b}` and a leading `!` for "all but"; `folder/` means everything in it. Refuses
 * invalid and oversized globs.
 */
export function globMatcher(glob: string): Result<{ readonly matches: PathMatcher }> {
  if (glob.length > LONGEST_GLOB) {
    return refused(`The glob has ${glob.length} characters; the limit is ${LONGEST_GLOB}.`);
  }
  const negated = glob.startsWith('!');
  const globs = alternatives(negated ? glob.slice(1) : glob);
  if (globs === undefined) {
    return refused(
      `The braces of ${glob} expand to more than ${MOST_ALTERNATIVES} globs; use fewer of them.`,
    );
  }
  const patterns: GlobPattern[] = [];
  for (const one of globs) {
    const anchored = one.includes('/') ? one.replace(/^\//, '') : `**/${one}`;
    const pattern = globPattern(anchored, 'anywhere');
    if (pattern === undefined) return refused(`${glob} is not a valid glob.`);
    patterns.push(pattern);
  }
  // "All but node_modules" also excludes the files in that folder.
  const matches: PathMatcher = negated
    ? (path) => !patterns.some((pattern) => pattern.matchesAbove(path))
    : (path) => patterns.some((pattern) => pattern.matches(path));
  return { ok: true, matches };
}

/** The file name of every alternative; undefined when the name alone does not decide. */
export function fileNameGlobs(glob: string): readonly string[] | undefined {
  if (glob.startsWith('!')) return undefined;
  const names = alternatives(glob)?.map((one) => one.split('/').at(-1) ?? '');
  return names?.every((name) => name !== '' && !/\*\*|[[\\{]/.test(name)) === true
    ? names
    : undefined;
}

/** The globs that braces expand to; undefined when there are too many. */
function alternatives(glob: string): readonly string[] | undefined {
  return expandBraces(glob)?.map((one) => {
    const clean = one.replace(/^\.\//, '');
    return clean.endsWith('/') ? `${clean}**` : clean;
  });
}

/** A glob to expand, and the index from which to look for its next brace. */
interface Unfinished {
  readonly glob: string;
  readonly from: number;
}

/** Expands `{a,b}`, nested braces included; an unclosed brace is literal. */
function expandBraces(glob: string): readonly string[] | undefined {
  const done: string[] = [];
  const left: Unfinished[] = [{ glob, from: 0 }];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const braces = firstBraces(one);
    if (braces === undefined) {
      done.push(one.glob);
    } else {
      const { open, close, options } = braces;
      const before = one.glob.slice(0, open);
      const after = one.glob.slice(close + 1);
      for (const option of options.toReversed()) {
        left.push({ glob: before + option + after, from: open });
      }
    }
    if (done.length + left.length > MOST_ALTERNATIVES) return undefined;
  }
  return done;
}

/** The first closed braces, split at their own commas. */
function firstBraces({ glob, from }: Unfinished) {
  const open = glob.indexOf('{', from);
  if (open === -1) return undefined;
  const cuts = [open];
  let depth = 0;
  for (let at = open; at < glob.length; at++) {
    const char = glob[at];
    if (char === '{') depth++;
    if (char === ',' && depth === 1) cuts.push(at);
    if (char === '}' && --depth === 0) {
      const ends = [...cuts.slice(1), at];
      const options = ends.map((end, index) => glob.slice((cuts[index] ?? 0) + 1, end));
      return { open, close: at, options };
    }
  }
  return undefined;
}

/**
 * A pattern for a path, without braces. Matching follows all alternatives at the same time, so it
 * takes at most pattern length times path length. A regular expression would backtrack, and a
 * pattern from the model or a .gitignore could block the editor for hours.
 */
export interface GlobPattern {
  matches(path: string): boolean;
  /** Whether the path or a folder above it matches. */
  matchesAbove(path: string): boolean;
}

type Token =
  | { readonly type: 'one'; readonly is: (char: string) => boolean }
  /** `*`: anything within a name; `**`: anything; `**` and a slash: any folders or none. */
  | { readonly type: 'name' | 'all' | 'folders' };

/** Where `**` crosses folders: anywhere, or only between slashes as in .gitignore. */
type DoubleStars = 'anywhere' | 'betweenSlashes';

/** Makes a pattern for a whole path; undefined for a reversed range such as `[z-a]`. */
export function globPattern(glob: string, doubleStars: DoubleStars): GlobPattern | undefined {
  const tokens = tokensOf(glob, doubleStars);
  if (tokens === undefined) return undefined;
  return {
    matches: (path) => matches(tokens, path, false),
    matchesAbove: (path) => matches(tokens, path, true),
  };
}

const PARTS = /\*{2,}\/?|\*|\?|\[[!^]?\]?(?:\\.|[^\]\\])*\]|\\[^]|[^]/gu;

function tokensOf(glob: string, doubleStars: DoubleStars): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (const { 0: part, index } of glob.matchAll(PARTS)) {
    if (part.startsWith('**')) {
      const startsName = index === 0 || glob[index - 1] === '/';
      const endsName = part.endsWith('/') || index + part.length === glob.length;
      const isDouble = doubleStars === 'anywhere' || (startsName && endsName);
      if (isDouble) tokens.push({ type: part.endsWith('/') ? 'folders' : 'all' });
      else tokens.push({ type: 'name' }, ...(part.endsWith('/') ? [exactly('/')] : []));
    } else if (part === '*') {
      tokens.push({ type: 'name' });
    } else if (part === '?') {
      tokens.push({ type: 'one', is: (char) => char !== '/' });
    } else if (part.startsWith('[') && part.length > 2) {
      const one = oneOf(part.slice(1, -1));
      if (one === undefined) return undefined;
      tokens.push(one);
    } else {
      tokens.push(exactly(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part));
    }
  }
  return tokens;
}

function exactly(wanted: string): Token {
  return { type: 'one', is: (char) => char === wanted };
}

/** A set such as `a-z`, `!ab` or `^ab`; no set contains a slash. */
function oneOf(inner: string): Token | undefined {
  const isNegated = /^[!^]/.test(inner);
  const members = [...inner.slice(isNegated ? 1 : 0).matchAll(/\\([^])|([^])/gu)].map(
    ([, escaped, plain]) => escaped ?? plain ?? '',
  );
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const first = codeOf(members[at]);
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    const last = isRange ? codeOf(members[at + 2]) : first;
    if (last < first) return undefined;
    ranges.push([first, last]);
    if (isRange) at += 2;
  }
  const has = (code: number) => ranges.some(([first, last]) => first <= code && code <= last);
  return { type: 'one', is: (char) => char !== '/' && has(codeOf(char)) !== isNegated };
}

function codeOf(char: string | undefined): number {
  return char?.codePointAt(0) ?? 0;
}

/** Runs the pattern over a path; a state is the index of a token. */
function matches(tokens: readonly Token[], path: string, orAbove: boolean): boolean {
  let places = new Places(tokens);
  let next = new Places(tokens);
  places.reach(0);
  for (const char of path) {
    if (orAbove && char === '/' && places.isReached(tokens.length)) return true;
    for (const place of places.reached) {
      const token = tokens[place];
      switch (token?.type) {
        case undefined:
          break;
        case 'one':
          if (token.is(char)) next.reach(place + 1);
          break;
        case 'name':
          if (char !== '/') next.reach(place);
          break;
        case 'all':
          next.reach(place);
          break;
        case 'folders':
          next.stayIn(place);
          if (char === '/') next.reach(place + 1);
      }
    }
    if (next.reached.length === 0) return false;
    [places, next] = [next, places];
    next.clear();
  }
  return places.isReached(tokens.length);
}

/** The states that a pattern has reached, each once. */
class Places {
  readonly reached: number[] = [];
  /** 0: not reached; 1: inside folders of a `**`; 2: reached at a name's start. */
  readonly #how: Uint8Array;

  constructor(private readonly tokens: readonly Token[]) {
    this.#how = new Uint8Array(tokens.length + 1);
  }

  /** Reaches a state, and the states after tokens that may match nothing. */
  reach(from: number): void {
    for (let place = from; this.#how[place] !== 2; place += 1) {
      if (this.#how[place] === 0) this.reached.push(place);
      this.#how[place] = 2;
      if (place === this.tokens.length || this.tokens[place]?.type === 'one') return;
    }
  }

  /** Stays inside a folder: the next state begins only at a slash. */
  stayIn(place: number): void {
    if (this.#how[place] !== 0) return;
    this.reached.push(place);
    this.#how[place] = 1;
  }

  isReached(place: number): boolean {
    return this.#how[place] === 2;
  }

  clear(): void {
    for (const place of this.reached) this.#how[place] = 0;
    this.reached.length = 0;
  }
}
