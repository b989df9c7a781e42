/** More names than this in a prompt say no longer what it is about. */
const MOST = 40;

/** Letters that paths and names in code are made of; from a letter to the last that is no mark. */
const WORD = /[\w./-]+/g;
const BARE = /[A-Za-z_].*\w/;

/** With a dot, slash, underscore, digit or inner capital inside: a path or a name in code. */
const NAME = /^.+(?:[./_]|[a-z][A-Z]|\d).*\w$/;

/** The paths and names of code a text speaks of, each once, in order. */
export function identifiersIn(text: string): readonly string[] {
  // Word by word: looked for in the whole text, a long run without a break would take forever.
  const words = text.slice(0, 20_000).match(WORD) ?? [];
  const bare = words.map((word) => BARE.exec(word)?.[0] ?? '');
  return [...new Set(bare.filter((word) => word.length >= 4 && NAME.test(word)))].slice(0, MOST);
}
