import { applyEdits, modify, parseTree, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { isObject } from '../../contextWindow/json';
import { refused, type Result } from '../../contextWindow/result';
import { parse } from 'jsonc-parser';

/** Makes Claude Code write the bodies of its requests; it is read when Claude Code starts. */
const VARIABLE = 'OTEL_LOG_RAW_API_BODIES';

/** A file is named by this in front of the folder. */
const TO_FOLDER = 'file:';

/** The settings file with a change, or why it cannot be changed. */
type Changed = Result<{ readonly text: string }>;

/**
 * Makes Claude Code record its requests in a folder: changes one variable of its settings file, and
 * nothing else in it. `text` is undefined if there is no such file.
 */
export function withRecording(text: string | undefined, folder: string): Changed {
  const settings = settingsIn(text);
  if (!settings.ok) return settings;
  const present = settings.env?.[VARIABLE];
  const wanted = `${TO_FOLDER}${folder}`;
  if (present !== undefined && present !== wanted) {
    return refused(
      `it already sets ${VARIABLE} to ${JSON.stringify(present)}. Remove that line first, or keep it: Plimsoll reads recorded requests from that folder as well.`,
    );
  }
  return { ok: true, text: changed(text ?? '{}\n', ['env', VARIABLE], wanted) };
}

/** Undoes it. A variable with another value is not Plimsoll's, and stays. */
export function withoutRecording(text: string, folder: string): Changed {
  const settings = settingsIn(text);
  if (!settings.ok) return settings;
  const { env } = settings;
  if (env?.[VARIABLE] !== `${TO_FOLDER}${folder}`) return { ok: true, text };
  const isAlone = Object.keys(env).length === 1;
  return { ok: true, text: changed(text, isAlone ? ['env'] : ['env', VARIABLE], undefined) };
}

/** The folder that a settings file makes Claude Code record to; undefined if it does not record. */
export function recordedFolder(text: string): string | undefined {
  const settings = settingsIn(text);
  const value = settings.ok ? settings.env?.[VARIABLE] : undefined;
  return typeof value === 'string' && value.startsWith(TO_FOLDER)
    ? value.slice(TO_FOLDER.length)
    : undefined;
}

function settingsIn(
  text = '',
): Result<{ readonly env: Readonly<Record<string, unknown>> | undefined }> {
  if (text.trim() === '') return { ok: true, env: undefined };
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true };
  const root = parseTree(text, errors, options);
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    return refused(
      `line ${line} is not JSON (${printParseErrorCode(error.error)}). Repair it and try again.`,
    );
  }
  const value: unknown = parse(text, [], options);
  if (root?.type !== 'object' || !isObject(value)) {
    return refused('it is not a JSON object. Repair it and try again.');
  }
  const { env } = value;
  if (env !== undefined && !isObject(env)) {
    return refused('its "env" is not an object. Repair it and try again.');
  }
  return { ok: true, env };
}

function changed(text: string, path: string[], value: string | undefined): string {
  const tabSize = /^( +)"/m.exec(text)?.[1]?.length ?? 2;
  const insertSpaces = !/^\t+"/m.test(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const begun = text.trim() === '' ? `{}${eol}` : text;
  return applyEdits(
    begun,
    modify(begun, path, value, { formattingOptions: { tabSize, insertSpaces, eol } }),
  );
}
