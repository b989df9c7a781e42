import type { ContextWindow } from '../../contextWindow';
import type { FileModel } from '../../files/fileModel';
import type { KnownFile } from '../../files/knownFile';
import { regionsOf, touchOf, type Region } from '../../files/regions';
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

/** What is known of files, in regions, the likeliest to be needed first. */
export function regionsInWork(window: ContextWindow, files: FileModel): readonly Region[] {
  const wanted = lastUsesOf(window);
  return [...files.values()]
    .flatMap((file) =>
      regionsOf(file, window.step, isWanted(wanted, file.path), window.fileChoices),
    )
    .toSorted((a, b) => b.score - a.score);
}
