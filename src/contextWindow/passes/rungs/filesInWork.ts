import type { ContextWindow } from '../../window';
import type { KnownFile, FileModel } from '../../files/knownFile';
import { byWish, highestScore, type Region, regionsOf, touchOf } from '../../files/regions';
import { isWanted, lastUsesOf } from './need';

/** The files that were worked with, those first that are likeliest to be needed. */
export function filesInWork(window: ContextWindow): readonly KnownFile[] {
  const wanted = lastUsesOf(window);
  const touched = [...window.files.values()].map((file) => ({
    file,
    touch: touchOf(file, window.step, isWanted(wanted, file.path)),
  }));
  return touched.toSorted((a, b) => b.touch - a.touch).map(({ file }) => file);
}

/** So many files are cut into regions at first; twice as many each time that those do not suffice. */
const FIRST_FILES = 16;

/**
 * What is known of files, in regions, best first as `byWish` sorts them. A file is cut when one of its
 * regions could be next: most files of a long session were left long ago, and nobody gets to them.
 */
export function* regionsInWork(window: ContextWindow, files: FileModel): Generator<Region, void> {
  const { step, fileChoices } = window;
  const wanted = lastUsesOf(window);
  const all = [...files.values()].map((file, place) => {
    const isNamed = isWanted(wanted, file.path);
    const most = fileChoices.has(file.path) ? Infinity : highestScore(file, step, isNamed);
    return { file, place, isNamed, most };
  });
  const placeOf = new Map(all.map(({ file, place }) => [file.path, place]));
  const byWishThenPlace = (a: Region, b: Region): number =>
    byWish(a, b) || (placeOf.get(a.path) ?? 0) - (placeOf.get(b.path) ?? 0);
  const waiting = all.filter(({ file }) => file.runs.length > 0);
  waiting.sort((a, b) => b.most - a.most);
  let cut: readonly Region[] = [];
  for (let from = 0, count = FIRST_FILES; from < waiting.length; from += count, count *= 2) {
    const regions = waiting
      .slice(from, from + count)
      .flatMap(({ file, isNamed }) => regionsOf(file, step, isNamed, fileChoices));
    cut = [...cut, ...regions].toSorted(byWishThenPlace);
    const next = waiting[from + count]?.most ?? -Infinity;
    // A file that the user said something of may have a region that comes before all others.
    const ready = cut.findIndex(
      ({ score, why }) => next === Infinity || (why.chosen !== true && score <= next),
    );
    yield* ready === -1 ? cut : cut.slice(0, ready);
    cut = ready === -1 ? [] : cut.slice(ready);
  }
}
