import type { StepBlock, ToolPair, ToolResult } from '../block';
import { callEffectOf } from '../callEffect';
import type { FileModel } from '../fileFacts';
import type { FileView } from '../plan';
import {
  afterEdit,
  afterRead,
  afterWrite,
  unknownFile,
  type KnownFile,
  type KnownLine,
  type Sighting,
} from './knownFile';
import { afterShown } from './afterShown';

export type { FileModel } from '../fileFacts';

/** Takes in one call with its result; a call that failed has shown and changed nothing. */
export function withCall(files: FileModel, { step }: StepBlock, pair: ToolPair): FileModel {
  const { use, result } = pair;
  if (result === undefined || result.isError || result.origin !== 'ran') return files;
  const effect = callEffectOf(use);
  if (effect.kind !== 'read' && effect.kind !== 'edit' && effect.kind !== 'write') return files;
  const { path } = effect;
  const file = files.get(path) ?? unknownFile(path);
  const by = (place: Sighting['in']): Sighting => ({ step, use: use.id, in: place });
  switch (effect.kind) {
    case 'read':
      return changed(files, file, afterResult(file, result, by));
    case 'edit':
      // A change that is not an exact replacement leaves nothing that is known for sure.
      return effect.replacements.length === 0
        ? files.with([[path, { ...unknownFile(path), editedAt: step }]])
        : changed(files, file, withShown(afterEdit(file, effect.replacements, by('call')), pair));
    case 'write':
      return effect.text === undefined
        ? files.with([[path, undefined]])
        : changed(files, file, afterWrite(file, effect.text, by('call')));
  }
}

/** Lines that came with the answer are seen there, and were seen when they were: nobody asked for them. */
function withShown(file: KnownFile, { use, result }: ToolPair): KnownFile {
  const by = ({ seen }: KnownLine): Sighting => ({ step: seen.step, use: use.id, in: 'result' });
  return afterShown(file, result?.shown ?? [], by);
}

/** Takes in what a view shows: its lines are seen there, and were seen when they were. */
export function withView(
  files: FileModel,
  { id, shown }: Pick<FileView, 'id' | 'shown'>,
): FileModel {
  const paths = [...new Set(shown.map(({ path }) => path))];
  return files.with(
    paths.flatMap((path) => {
      const file = files.get(path);
      if (file === undefined) return [];
      const lines = shown.filter((each) => each.path === path);
      const by = ({ seen }: KnownLine): Sighting => ({ step: seen.step, use: id, in: 'view' });
      return [[path, afterShown(file, lines, by)] as const];
    }),
  );
}

/** What was cut is known too: the log holds it, and a view may show it. */
function afterResult(
  file: KnownFile,
  result: ToolResult,
  by: (place: Sighting['in']) => Sighting,
): KnownFile {
  if (result.admission.form === 'whole') return afterRead(file, [result.text], by('result'));
  const whole = afterRead(file, [result.text], by('cut'));
  return afterRead(whole, admittedParts(result), by('result'));
}

function changed(files: FileModel, before: KnownFile, after: KnownFile): FileModel {
  return before === after ? files : files.with([[after.path, after]]);
}

/** The whole lines of a result that entered the window. */
function admittedParts({ text, admission }: ToolResult): readonly string[] {
  if (admission.form === 'whole') return [text];
  const { headChars, tailChars } = admission;
  const head = text.slice(0, headChars);
  const tail = tailChars === 0 ? '' : text.slice(-tailChars);
  // The lines at the cut may lack their ends.
  return [head.slice(0, head.lastIndexOf('\n') + 1), tail.slice(tail.indexOf('\n') + 1)];
}
