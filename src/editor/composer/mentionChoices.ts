import type { MentionChoice } from './state';

/** Most lines of the list. */
export const MOST_CHOICES = 30;

/** The files and folders that fit what was typed, the best first. */
export function pathChoices(paths: readonly string[], query: string): readonly MentionChoice[] {
  const folders = foldersOf(paths);
  const scored = [...paths, ...folders].flatMap((path) => {
    const score = fit(path, query);
    return score === undefined ? [] : [{ path, score }];
  });
  const best = scored.toSorted(
    (one, other) =>
      other.score - one.score ||
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

/** Every folder that has one of the files, with a slash at its end. */
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
 * How well a path fits: its characters must come in this order. The name counts more than the folders,
 * what stands together more than what is scattered. Undefined where it does not fit.
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
