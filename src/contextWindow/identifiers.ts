/** More names than this in a prompt say no longer what it is about. */
const MOST = 40;

/** A word with a dot, slash, underscore, digit or inner capital inside: a path or a name in code. */
const NAME = /[A-Za-z_][\w./-]*(?:[./_]|[a-z][A-Z]|\d)[\w./-]*\w/g;

/** The paths and names of code a text speaks of, each once, in order. */
export function identifiersIn(text: string): readonly string[] {
  const found = text.slice(0, 20_000).match(NAME) ?? [];
  return [...new Set(found.filter((name) => name.length >= 4))].slice(0, MOST);
}
