import type { HiddenFile, ShownLines } from '../block';
import type { FileView } from '../plan';
import type { FileModel } from './fileModel';
import { linesWithin, type KnownFile } from './knownFile';

/** Says whether what a view says of files holds for them: each text at its number, and each note. */
export function showsAsIs({ shown, hidden }: FileView, files: FileModel): boolean {
  return (
    shown.every((lines) => isShownAsIs(lines, files.get(lines.path))) &&
    hidden.every(({ path, onDisk }) => whyNotShown(files.get(path)) === onDisk)
  );
}

/** Of a file that is only changed, lines could be shown, and a view that shows none says nothing of it. */
function whyNotShown(file: KnownFile | undefined): HiddenFile['onDisk'] {
  return file?.onDisk === 'changedOutside' ? undefined : file?.onDisk;
}

function isShownAsIs(
  { first, text, changedOutside }: ShownLines,
  file: KnownFile | undefined,
): boolean {
  if (file === undefined || (file.onDisk === 'changedOutside') !== (changedOutside === true))
    return false;
  // Files that were read have a number at every line.
  if (first === undefined) return false;
  const last = first + text.split('\n').length - 1;
  const now = linesWithin(file, { first, last });
  return now.map((line) => line.text).join('\n') === text;
}
