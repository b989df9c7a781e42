import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';

export interface WorkspaceFolder {
  /** What the paths of its files begin with; '' for the only folder of a workspace. */
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
}

/** A folder of a workspace in which something runs. */
export interface FolderPlace {
  /** Absolute path. */
  readonly root: string;
  readonly folders: WorkspaceFolders;
}

/** What the workspace was before. */
interface Past {
  /** Folders that were removed: their names are not given to another folder. */
  readonly gone?: readonly WorkspaceFolder[];
  /** It had one folder, so paths in the log may have no name. */
  readonly wasOne?: boolean;
}

/**
 * The folders of a workspace, the first of which is where commands run by default. A path in a call, in
 * the log or on screen is relative to the only folder, or begins with the name of its folder:
 * `server/src/a.ts`. A name is the end of the folder's own path, long enough to tell it from the
 * others.
 */
export class WorkspaceFolders {
  readonly first: WorkspaceFolder;

  constructor(
    readonly all: readonly [WorkspaceFolder, ...(readonly WorkspaceFolder[])],
    readonly past: Past = {},
  ) {
    this.first = all[0];
  }

  /** Whether paths begin with the name of a folder. */
  get areNamed(): boolean {
    return this.first.name !== '';
  }

  /**
   * Names the workspace for approval rules: a permission for one folder is none for a workspace that
   * has more.
   */
  get id(): string {
    return this.all.map(({ root }) => root).join(delimiter);
  }

  /** Whether a path means the whole workspace. */
  isWhole(path: string): boolean {
    return this.areNamed && /^\.?[/\\]*$/.test(path) && !isAbsolute(path);
  }

  /**
   * The absolute path of a file or folder. A path without a folder name is refused where there are
   * several: a guess could change another file than the one that was meant.
   */
  absolute(path: string): string {
    if (!this.areNamed) return resolve(this.first.root, path);
    const plain = withoutDot(path);
    const known = [...this.all, ...(this.past.gone ?? [])];
    const folder = known.find(({ name }) => isBelow(name, plain));
    if (folder !== undefined) return join(folder.root, plain.slice(folder.name.length));
    return resolve(this.past.wasOne === true ? this.first.root : sep, path);
  }

  /** Whether a path begins with the name of a folder. */
  namesFolder(path: string): boolean {
    return this.areNamed && this.all.some(({ name }) => isBelow(name, withoutDot(path)));
  }

  /** What these folders are for a workspace of other ones. */
  pastFor(roots: readonly string[]): Past {
    return {
      gone: [...this.all, ...(this.past.gone ?? [])].filter(
        ({ name, root }) => name !== '' && !roots.includes(root),
      ),
      wasOne: !this.areNamed || this.past.wasOne === true,
    };
  }

  /** The path of an absolute one in the innermost folder; undefined if it is in no folder. */
  pathOf(absolute: string): string | undefined {
    return this.pathsOf(absolute)[0];
  }

  /** Its paths in all folders that contain it, the innermost first: one may be inside another. */
  pathsOf(absolute: string): readonly string[] {
    return this.#around(absolute).map((folder) => pathFrom(folder, wayTo(folder, absolute)) || '.');
  }

  /** The path of the same file or folder in each folder. */
  inEach(path: string): readonly string[] {
    return this.all.map((folder) => pathFrom(folder, path));
  }

  /** The innermost folder that contains an absolute path, and the path from its root; '' for itself. */
  placeOf(
    absolute: string,
  ): { readonly folder: WorkspaceFolder; readonly path: string } | undefined {
    const [folder] = this.#around(absolute);
    return folder && { folder, path: wayTo(folder, absolute) };
  }

  #around(absolute: string): readonly WorkspaceFolder[] {
    return this.all
      .filter(({ root }) => contains(root, absolute))
      .toSorted((one, other) => other.root.length - one.root.length);
  }

  /** The same folders at other places, such as their targets if they are links. */
  movedTo(place: (root: string) => string): WorkspaceFolders {
    const [first = this.first, ...others] = this.all.map(({ name, root }) => ({
      name,
      root: place(root),
    }));
    return new WorkspaceFolders([first, ...others], this.past);
  }
}

/** The roots of the folders that the `id` of a workspace names. */
export function rootsOf(id: string): readonly string[] {
  return id.split(delimiter);
}

/** A path from the root of a folder as a path of the workspace; '' for the only folder itself. */
export function pathFrom({ name }: WorkspaceFolder, path: string): string {
  return [name, path].filter((part) => part !== '').join('/');
}

function wayTo({ root }: WorkspaceFolder, absolute: string): string {
  return relative(root, absolute).split(sep).join('/');
}

/** A path with forward slashes, without `./` before it. */
function withoutDot(path: string): string {
  return path
    .split(sep)
    .join('/')
    .replace(/^(\.\/+)+/, '');
}

export function oneFolder(root: string): WorkspaceFolders {
  return new WorkspaceFolders([{ name: '', root: resolve(root) }]);
}

/** Where something runs unless a folder is named. */
export function firstPlace(folders: WorkspaceFolders): FolderPlace {
  return { root: folders.first.root, folders };
}

/**
 * A workspace of these folders. `before` are its folders until now: they keep their names, and a
 * workspace that had several folders keeps the names with one, so that paths in the log stay right.
 */
export function foldersAt(
  roots: readonly [string, ...(readonly string[])],
  before?: WorkspaceFolders,
): WorkspaceFolders {
  const [root, ...others] = roots;
  if (others.length === 0 && before?.areNamed !== true) return oneFolder(root);
  const past = before?.pastFor(roots) ?? {};
  const known = [...(before?.all ?? []), ...(past.gone ?? [])];
  const names = namesFor(
    roots,
    new Map(known.flatMap(({ root: one, name }) => (name === '' ? [] : [[one, name]]))),
  );
  const folderAt = (path: string) => ({ name: names.get(path) ?? path, root: path });
  return new WorkspaceFolders([folderAt(root), ...others.map(folderAt)], past);
}

/** The shortest ends of the paths that tell them apart. */
function namesFor(
  roots: readonly string[],
  kept: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>(kept);
  const fresh = roots
    .filter((root) => !kept.has(root))
    .map((root) => ({ root, parts: partsOf(root), length: 1 }));
  const nameOf = ({
    parts,
    length,
  }: {
    readonly parts: readonly string[];
    readonly length: number;
  }) => parts.slice(-length).join('/');
  const isTaken = (one: (typeof fresh)[number]) =>
    [...kept.values(), ...fresh.filter((other) => other !== one).map(nameOf)].some((name) =>
      clash(name, nameOf(one)),
    );
  for (;;) {
    const longer = fresh.filter((one) => one.length < one.parts.length && isTaken(one));
    if (longer.length === 0) break;
    for (const one of longer) one.length += 1;
  }
  for (const one of fresh) {
    let name = nameOf(one);
    for (let at = 2; [...names.values()].some((other) => clash(other, name)); at += 1) {
      name = `${nameOf(one)}-${at}`;
    }
    names.set(one.root, name);
  }
  return names;
}

/** The parts of a path that can be in a name; a drive's colon cannot. */
function partsOf(root: string): readonly string[] {
  const parts = root.split(/[\\/]/).filter((part) => part !== '' && !part.endsWith(':'));
  return parts.length === 0 ? ['root'] : parts;
}

/** Whether one name would be taken for the beginning of the other, in any case of letters. */
function clash(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return isBelow(a, b) || isBelow(b, a);
}

function isBelow(name: string, path: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}

/** Whether a path is a folder or below it; both are absolute. */
export function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
