/** The fields before the text of a Markdown file. */
interface FrontMatter {
  /** The values of each key: one for a plain value, several for a list. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The text after the fields. */
  readonly body: string;
}

/** Longest front matter that is read; characters. */
const LONGEST = 10_000;

/**
 * Reads the front matter of instruction files, commands and skills. No YAML library: `globs: *.ts` of Cursor and an
 * unquoted glob in `applyTo` are not YAML, and only texts and lists of texts occur.
 */
export function frontMatterOf(text: string): FrontMatter {
  const none = { fields: new Map<string, readonly string[]>(), body: text };
  const lines = text.slice(0, LONGEST).split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return none;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) return none;
  const fields = new Map<string, readonly string[]>();
  let key: string | undefined;
  for (const line of lines.slice(1, end)) {
    const begins = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(line);
    if (begins !== null) {
      key = begins[1] ?? '';
      const value = (begins[2] ?? '').trim();
      fields.set(key, /^[>|][+-]?$/.test(value) ? [] : valuesOf(value));
    } else if (key !== undefined && line.trim() !== '' && !line.trimStart().startsWith('#')) {
      fields.set(key, continued(fields.get(key) ?? [], line.trim()));
    }
  }
  const body = text
    .split(/\r?\n/)
    .slice(end + 1)
    .join('\n');
  return { fields, body: body.replace(/^\n+/, '') };
}

/** The item of a list, or the next line of a text. */
function continued(before: readonly string[], line: string): readonly string[] {
  const item = /^-\s+(.*)$/.exec(line);
  if (item !== null) return [...before, unquoted(item[1] ?? '')];
  const last = before.at(-1);
  return last === undefined ? [line] : [...before.slice(0, -1), `${last} ${line}`];
}

function valuesOf(value: string): readonly string[] {
  if (value === '') return [];
  const list = /^\[(.*)\]$/.exec(value);
  return list === null ? [unquoted(value)] : splitOutside(list[1] ?? '').map(unquoted);
}

/** The globs of a value: a list, or one text with commas. */
export function globsIn(values: readonly string[]): readonly string[] {
  return values.flatMap(splitOutside).filter((glob) => glob !== '');
}

/** Splits at the commas outside of braces and quotes. */
function splitOutside(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const char of text) {
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '{') depth++;
    else if (char === '}') depth--;
    if (char === ',' && depth <= 0 && quote === '') {
      parts.push(part.trim());
      part = '';
    } else part += char;
  }
  return [...parts, part.trim()].filter((one) => one !== '');
}

function unquoted(value: string): string {
  const found = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value.trim());
  return found?.[2] ?? value.replace(/\s+#.*$/, '').trim();
}
