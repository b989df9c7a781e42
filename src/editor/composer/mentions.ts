import type { AttachedKind } from '../../contextWindow/attached';
import { maskEnvFiles } from '../../agent/secrets/envFiles';
import type { Media } from '../../agent/tool';
import { problemLines, type FileProblem } from '../../agent/fileProblems';
import type { Workspace } from '../../agent/workspace';
import { refused, type Result } from '../../contextWindow/result';
import type { Mention, MentionChoice } from './state';

/** Most files of a folder or problems that are listed, and most files that are searched. */
const MOST_LISTED = 1_000;
const MOST_SEARCHED = 50_000;

/** How long the list of workspace files is reused while the user types, ms. */
const LIST_LASTS_MS = 5_000;

/**
 * Lines of code and their place; `path` is relative, or a name for a text that is not a file of the
 * workspace.
 */
export interface PlacedText {
  readonly path: string;
  /** Counted from 1, inclusive. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** A symbol of the language servers. */
export interface FoundSymbol {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

/** The errors and warnings of a line, which only a command mentions. */
export interface LineProblems {
  readonly type: 'lineProblems';
  readonly path: string;
  readonly line: number;
}

/** An attachment before it is read. */
export interface AttachedHead {
  readonly kind: AttachedKind;
  readonly name: string;
}

/** The content of an attachment: text, or an image or document. */
export type AttachedContent = { readonly text: string } | { readonly media: Media };

export interface MentionSources {
  /** Undefined if no folder is open. */
  workspace(): Promise<Pick<Workspace, 'readFile' | 'listFiles' | 'envFiles'> | undefined>;
  /** An image or PDF of the workspace; undefined if the file is neither. */
  media(path: string): Promise<Result<{ readonly media: Media }> | undefined>;
  /** Undefined if nothing is selected. */
  selection(): PlacedText | undefined;
  problems(): readonly FileProblem[];
  /** The paths of files that the user had open, the newest first. */
  recent(): readonly string[];
  /** The symbols that match. */
  symbols(query: string): Promise<readonly FoundSymbol[]>;
  /** The lines of the declaration that starts there; undefined if they are unknown. */
  symbolText(symbol: FoundSymbol): Promise<PlacedText | undefined>;
  /** The uncommitted changes, by git; undefined without git, '' for none. */
  changes(): Promise<string | undefined>;
  /** The text of the active terminal, or why it cannot be read. */
  terminal(): Promise<Result<{ readonly text: string }>>;
  hasTerminal(): boolean;
  fetchPage(url: string): Promise<Result<{ readonly text: string }>>;
  /** Milliseconds since the epoch. */
  now(): number;
}

const NO_FOLDER = 'No folder is open.';

/** Finds what the user can mention in a prompt, and reads it. */
export class Mentions {
  #listed: { readonly paths: readonly string[]; readonly at: number } | undefined;

  constructor(private readonly place: MentionSources) {}

  /** The mentions that match the text after the @; sources without a name come first. */
  async choices(query: string): Promise<readonly MentionChoice[]> {
    if (/^https?:\/\/\S/i.test(query)) {
      return [{ mention: { type: 'page', url: query }, label: query, detail: 'Fetch this page' }];
    }
    const paths = pathChoices(await this.#paths(), query, this.place.recent());
    const symbols = query.length < 2 ? [] : await this.place.symbols(query);
    const named = symbols.map((symbol): MentionChoice => ({
      mention: { type: 'symbol', ...symbol },
      label: symbol.name,
      detail: `${symbol.path}:${symbol.line}`,
    }));
    const wanted = query.toLowerCase();
    const sources = this.#sources().filter(
      ({ mention: { type }, label }) => type.startsWith(wanted) || label.startsWith(wanted),
    );
    // Leave room for symbols below many files.
    const files = paths.slice(0, MOST_CHOICES - sources.length - Math.min(named.length, 8));
    return [...sources, ...files, ...named].slice(0, MOST_CHOICES);
  }

  /** The kind and name of the attachment. */
  head(mention: Mention | LineProblems): AttachedHead {
    switch (mention.type) {
      case 'file':
      case 'folder':
        return { kind: mention.type, name: mention.path };
      case 'symbol':
        return { kind: 'symbol', name: `${mention.name} (${mention.path}:${mention.line})` };
      case 'page':
        return { kind: 'page', name: mention.url };
      case 'selection': {
        const selected = this.place.selection();
        const { path, first, last } = selected ?? { path: 'selection', first: 0, last: 0 };
        return { kind: 'selection', name: `${path}:${first}-${last}` };
      }
      case 'lineProblems':
        return { kind: 'problems', name: `${mention.path}:${mention.line}` };
      case 'problems':
      case 'changes':
      case 'terminal':
        return { kind: mention.type, name: mention.type };
    }
  }

  /** Reads a mention, or says why it cannot be read. */
  async read(mention: Mention | LineProblems): Promise<Result<AttachedContent>> {
    const folder = await this.place.workspace();
    const path = 'path' in mention ? mention.path : undefined;
    if (folder !== undefined) await maskEnvFiles(folder, 'all', path);
    switch (mention.type) {
      case 'file': {
        const workspace = await this.place.workspace();
        if (workspace === undefined) return refused(NO_FOLDER);
        return (await this.place.media(mention.path)) ?? workspace.readFile(mention.path);
      }
      case 'folder':
        return this.#folder(mention.path);
      case 'selection': {
        const selected = this.place.selection();
        return selected === undefined
          ? refused('Nothing is selected in the editor.')
          : { ok: true, text: selected.text };
      }
      case 'symbol': {
        const found = await this.place.symbolText(mention);
        return found === undefined
          ? refused(`${mention.name} was not found in ${mention.path}.`)
          : { ok: true, text: found.text };
      }
      case 'lineProblems': {
        const found = this.problemsAt(mention.path, mention.line);
        return found.length === 0
          ? refused('There is no error or warning on this line.')
          : { ok: true, text: problemText(found) };
      }
      case 'problems':
        return { ok: true, text: problemText(this.place.problems()) };
      case 'changes': {
        const changes = await this.place.changes();
        if (changes === undefined) return refused('There is no git repository here.');
        return { ok: true, text: changes === '' ? 'There are no uncommitted changes.' : changes };
      }
      case 'terminal':
        return this.place.terminal();
      case 'page':
        return this.place.fetchPage(mention.url);
    }
  }

  /** The errors and warnings of a line. */
  problemsAt(path: string, line: number): readonly FileProblem[] {
    return this.place.problems().filter((one) => one.path === path && one.line === line);
  }

  /** The selection in the active editor, as its name; undefined for none. */
  get selected(): string | undefined {
    return this.place.selection() && this.head({ type: 'selection' }).name;
  }

  /** Mentions that need no name. */
  #sources(): readonly MentionChoice[] {
    const selected = this.place.selection();
    const problems = this.place.problems().length;
    const count = problems === 1 ? '1 problem' : `${problems} problems`;
    return [
      ...(selected === undefined
        ? []
        : [source('selection', `${selected.path}:${selected.first}-${selected.last}`)]),
      ...(problems === 0 ? [] : [source('problems', count)]),
      source('changes', 'The uncommitted changes', 'git'),
      ...(this.place.hasTerminal() ? [source('terminal', 'The text of the terminal')] : []),
    ];
  }

  async #folder(path: string): Promise<Result<{ readonly text: string }>> {
    const workspace = await this.place.workspace();
    if (workspace === undefined) return refused(NO_FOLDER);
    const query = { path, limit: MOST_LISTED };
    const listed = await workspace.listFiles(query, new AbortController().signal);
    if (!listed.ok) return listed;
    const more = listed.more ? [`[There are more than these ${MOST_LISTED}.]`] : [];
    return { ok: true, text: [...listed.paths, ...more].join('\n') };
  }

  async #paths(): Promise<readonly string[]> {
    const { now } = this.place;
    if (this.#listed !== undefined && now() - this.#listed.at < LIST_LASTS_MS) {
      return this.#listed.paths;
    }
    const workspace = await this.place.workspace();
    const query = { path: '.', limit: MOST_SEARCHED };
    const listed = await workspace?.listFiles(query, new AbortController().signal);
    const paths = listed?.ok === true ? listed.paths : [];
    this.#listed = { paths, at: now() };
    return paths;
  }
}

function source(
  type: 'selection' | 'problems' | 'changes' | 'terminal',
  detail: string,
  label: string = type,
): MentionChoice {
  return { mention: { type }, label, detail };
}

function problemText(problems: readonly FileProblem[]): string {
  return problemLines(problems, MOST_LISTED) || 'There are no errors or warnings.';
}

/** Most lines of the list. */
const MOST_CHOICES = 30;

/** The files and folders that match, best first; of those that match as well, `recent` ones first. */
export function pathChoices(
  paths: readonly string[],
  query: string,
  recent: readonly string[] = [],
): readonly MentionChoice[] {
  const folders = foldersOf(paths);
  const ages = new Map(recent.map((path, age) => [path, age]));
  const ageOf = (path: string): number => ages.get(path) ?? recent.length;
  const scored = [...paths, ...folders].flatMap((path) => {
    const score = fit(path, query);
    return score === undefined ? [] : [{ path, score }];
  });
  const best = scored.toSorted(
    (one, other) =>
      other.score - one.score ||
      ageOf(one.path) - ageOf(other.path) ||
      one.path.length - other.path.length ||
      (one.path < other.path ? -1 : 1),
  );
  return best.slice(0, MOST_CHOICES).map(({ path }) => {
    const type = path.endsWith('/') ? 'folder' : 'file';
    const plain = type === 'folder' ? path.slice(0, -1) : path;
    const at = plain.lastIndexOf('/');
    return {
      mention: { type, path: plain },
      label: path.slice(at + 1),
      detail: plain.slice(0, Math.max(0, at)),
    };
  });
}

/** Every folder that contains one of the files, with a slash at its end. */
function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/**
 * How well a path matches. Its characters have to appear in this order; the file name counts more
 * than the folders, and adjacent characters more than scattered ones. Undefined without a match.
 */
export function fit(path: string, query: string): number | undefined {
  if (query === '') return 0;
  const plain = path.replace(/\/$/, '').toLowerCase();
  const wanted = query.toLowerCase().replace(/\/$/, '');
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  if (name === wanted || plain === wanted) return 100;
  if (name.startsWith(wanted)) return 80;
  if (name.includes(wanted)) return 60;
  if (plain.includes(wanted)) return 50;
  if (isScattered(name, wanted)) return 30;
  return isScattered(plain, wanted) ? 10 : undefined;
}

function isScattered(text: string, query: string): boolean {
  let at = -1;
  for (const character of query) {
    at = text.indexOf(character, at + 1);
    if (at < 0) return false;
  }
  return true;
}
