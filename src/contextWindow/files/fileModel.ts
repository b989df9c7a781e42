import type { Block, ShownLines, StepBlock, ToolPair, ToolResult } from '../block';
import { callEffectOf } from '../callEffect';
import type { Excerpts } from '../plan';
import {
  afterEdit,
  afterRead,
  afterWrite,
  type FileModel,
  type KnownFile,
  type KnownLine,
  type KnownRun,
  type Sighting,
  unknownFile,
  UNSEEN,
} from './knownFile';
import { inOrder, moved, startIn, withoutRead } from './movedRuns';

/** Records a call with its result; a failed call has shown and changed nothing. */
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
      // After a change other than an exact replacement nothing is certain.
      return effect.replacements.length === 0
        ? files.with([[path, { ...unknownFile(path), editedAt: step }]])
        : changed(files, file, withShown(afterEdit(file, effect.replacements, by('call')), pair));
    case 'write':
      return effect.text === undefined
        ? files.with([[path, undefined]])
        : changed(files, file, afterWrite(file, effect.text, by('call')));
  }
}

/**
 * Lines that came with a result are seen there, but keep the step of their last sighting: the model
 * did not ask for them.
 */
function withShown(file: KnownFile, { use, result }: ToolPair): KnownFile {
  const by = ({ seen }: KnownLine): Sighting => ({ step: seen.step, use: use.id, in: 'result' });
  return afterShown(file, result?.shown ?? [], by);
}

/**
 * Records what the excerpts show: their lines are seen there, but keep the step of their last
 * sighting.
 */
export function withExcerptsShown(
  files: FileModel,
  { id, shown }: Pick<Excerpts, 'id' | 'shown'>,
): FileModel {
  const paths = [...new Set(shown.map(({ path }) => path))];
  return files.with(
    paths.flatMap((path) => {
      const file = files.get(path);
      if (file === undefined) return [];
      const lines = shown.filter((each) => each.path === path);
      const by = ({ seen }: KnownLine): Sighting => ({ step: seen.step, use: id, in: 'excerpts' });
      return [[path, afterShown(file, lines, by)] as const];
    }),
  );
}

/** Truncated lines are known too: the log holds them, and the excerpts can show them. */
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

/** The complete lines of a result that entered the window. */
function admittedParts({ text, admission }: ToolResult): readonly string[] {
  if (admission.form === 'whole') return [text];
  const { headChars, tailChars } = admission;
  const head = text.slice(0, headChars);
  const tail = tailChars === 0 ? '' : text.slice(-tailChars);
  // The lines at the cut may be incomplete.
  return [head.slice(0, head.lastIndexOf('\n') + 1), tail.slice(tail.indexOf('\n') + 1)];
}

/**
 * Records that lines were shown; `by` says how each was seen. Lines shown with their number are the
 * file as it was then, whatever was known before.
 */
export function afterShown(
  file: KnownFile,
  shown: readonly ShownLines[],
  by: (line: KnownLine) => Sighting,
): KnownFile {
  const runs = shown.reduce((before, lines) => shownIn(before, lines, by), file.runs);
  return runs === file.runs ? file : { ...file, runs };
}

function shownIn(
  before: readonly KnownRun[],
  { first, text }: ShownLines,
  by: (line: KnownLine) => Sighting,
): readonly KnownRun[] {
  const texts = text.split('\n');
  const runs = first === undefined ? before : withLinesAt(before, first, texts);
  for (const [at, run] of runs.entries()) {
    const start = startIn(run, first, texts);
    if (start === undefined) continue;
    const lines = run.lines.map((line, index) =>
      index >= start && index < start + texts.length ? { ...line, seen: by(line) } : line,
    );
    return runs.with(at, { ...run, lines });
  }
  return runs;
}

/** Places lines at their number; if they were known at another one, the rest moves along. */
function withLinesAt(
  before: readonly KnownRun[],
  first: number,
  texts: readonly string[],
): readonly KnownRun[] {
  if (before.some((run) => startIn(run, first, texts) !== undefined)) return before;
  const runs = moved(before, first, texts);
  const last = first + texts.length - 1;
  const lines: KnownLine[] = texts.map((text) => ({ text, seen: UNSEEN, edited: 0 }));
  const keep = (at: number, line: KnownLine): void => {
    if (lines[at]?.text === line.text) lines[at] = line;
  };
  const around = runs.flatMap((run): KnownRun[] => {
    const begin = run.first;
    if (begin === undefined) {
      const start = texts.findIndex((_, at) =>
        run.lines.every(({ text }, index) => texts[at + index] === text),
      );
      if (start === -1) return [...withoutRead(run, texts)];
      for (const [index, line] of run.lines.entries()) keep(start + index, line);
      return [];
    }
    for (const [index, line] of run.lines.entries()) keep(begin + index - first, line);
    return [
      { first: begin, lines: run.lines.slice(0, Math.max(0, first - begin)) },
      { first: Math.max(begin, last + 1), lines: run.lines.slice(Math.max(0, last + 1 - begin)) },
    ].filter(({ lines: of }) => of.length > 0);
  });
  return inOrder([...around, { first, lines }]);
}

/** Returns a test of whether one of these blocks shows a line as sent. */
export function visibleLines(blocks: readonly Block[]): (line: KnownLine) => boolean {
  const calls = new Set<string>();
  const results = new Set<string>();
  const excerpts = new Set<string>();
  for (const block of blocks) {
    if (block.kind === 'excerpts') excerpts.add(block.id);
    if (block.kind !== 'step') continue;
    for (const { use, cleared } of block.pairs) {
      calls.add(use.id);
      if (!cleared) results.add(use.id);
    }
  }
  const showing = { call: calls, result: results, excerpts };
  return ({ seen }) => seen.in !== 'cut' && seen.in !== 'unseen' && showing[seen.in].has(seen.use);
}
