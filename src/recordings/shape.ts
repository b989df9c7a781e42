import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { TranscriptFormat } from '../sessions/transcript';
import type { JsonPath, JsonValue } from './readJson';
import type { LeftOut } from './leftOut';
import type { Read } from './recordedItem';
import { refused } from '../contextWindow/result';

// zod says what is wrong, in these words.
z.config(en());

/** Checks a value against a schema; `where` begins the sentence that says what is wrong. */
export function shaped<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  where: string | ((path: JsonPath) => string),
): Read<z.output<S>> {
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  const { path, problem } = problemOf(checked.error);
  return refused(`${typeof where === 'string' ? where : where(path)}: ${problem}`);
}

/**
 * Checks one line or message of a recording against a schema; one that does not fit is left out and
 * reported. `place` names it, for example `line 12`; `within` the part of it that is checked.
 */
export function shapedPart<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  { leftOut, place, within }: { leftOut: LeftOut; place: string; within?: string },
): z.output<S> | undefined {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const { problem } = problemOf(checked.error);
  leftOut.addUnreadable(place, within === undefined ? problem : `${within}: ${problem}`);
  return undefined;
}

/** A line as `shapedPart` names it. */
export function placeOf(line: number, { leftOut }: { readonly leftOut: LeftOut }) {
  return { leftOut, place: `line ${line}` };
}

/** What is wrong, and under which path. */
function problemOf({ issues: [issue] }: z.core.$ZodError): {
  readonly path: JsonPath;
  readonly problem: string;
} {
  const { path, message } =
    issue === undefined ? { path: [], message: 'not what was expected' } : mostExact(issue);
  const field = path.length === 0 ? '' : `${path.join('.')}: `;
  return { path, problem: `${field}${message}. Repair it there.` };
}

/** Checks the one value of a file; a list stands for an object with the list as its messages. */
export function shapedFile<S extends z.ZodMiniType>(
  schema: S,
  { value, lineOf }: JsonValue,
  format: TranscriptFormat,
): Read<z.output<S>> {
  const isList = Array.isArray(value);
  return shaped(schema, isList ? { messages: value } : value, (path) => {
    const line = lineOf(isList ? path.slice(1) : path);
    return `line ${line}, as ${recordingOf(format)}`;
  });
}

/**
 * For a value that is none of several kinds: what is wrong with it as the kind it is closest to.
 */
function mostExact(issue: z.core.$ZodIssue): { readonly path: JsonPath; readonly message: string } {
  if (issue.code !== 'invalid_union') return issue;
  const [nearest] = issue.errors
    .flatMap(([first]) => (first === undefined ? [] : [mostExact(first)]))
    .toSorted((a, b) => b.path.length - a.path.length);
  if (nearest === undefined || nearest.path.length === 0) return issue;
  return { path: [...issue.path, ...nearest.path], message: nearest.message };
}

/** Names a recording of a format in a sentence, for example `a pi recording`. */
export function recordingOf(format: TranscriptFormat): string {
  return `${/^[aeiou]/.test(format) ? 'an' : 'a'} ${format} recording`;
}
