import fc from 'fast-check';
import type { ToolUse } from '../../src/contextWindow/block';
import { asOnDisk } from '../../src/contextWindow/files/asOnDisk';
import type { KnownFile, KnownRun, FileModel } from '../../src/contextWindow/files/knownFile';

/** What a call does to a file; `line` and `count` are taken modulo the available lines. */
export interface FileCall {
  readonly how: 'read' | 'readPart' | 'edit' | 'editAll' | 'write' | 'delete';
  readonly file: number;
  readonly line: number;
  readonly count: number;
}

/** What something else does to a file without the agent's knowledge. */
export interface OutsideChange {
  readonly how: 'change' | 'insert' | 'cut' | 'delete' | 'putBack';
  readonly file: number;
  readonly line: number;
}

/** The files at a moment: their lines by path, and the files changed from outside so far. */
export interface Disk {
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly changedOutside: ReadonlySet<string>;
  /** The files with edits of unread lines: their line numbers are uncertain. */
  readonly editedUnread: ReadonlySet<string>;
}

const SIZES = [12, 40, 70, 100, 140, 200, 260];

const file = fc.nat(SIZES.length - 1);
const line = fc.nat(259);

export const fileCall: fc.Arbitrary<FileCall> = fc.record({
  how: fc.oneof(
    { weight: 6, arbitrary: fc.constant('readPart' as const) },
    { weight: 4, arbitrary: fc.constant('read' as const) },
    { weight: 8, arbitrary: fc.constant('edit' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('editAll' as const, 'write' as const, 'delete' as const),
    },
  ),
  file,
  line,
  count: fc.nat(90),
});

export const outsideChange: fc.Arbitrary<OutsideChange> = fc.record({
  how: fc.constantFrom('change', 'change', 'insert', 'cut', 'delete', 'putBack'),
  file,
  line,
});

export const choosing = fc.record(
  {
    file,
    lines: fc.tuple(line, fc.nat(40)).map(([at, more]) => ({ first: at + 1, last: at + 1 + more })),
    choice: fc.constantFrom('always' as const, 'never' as const, 'auto' as const),
  },
  { requiredKeys: ['file', 'choice'] },
);

/**
 * Mostly distinct lines; some are frequent in a file, and some look like the tags around a text.
 */
function lineOf(at: number, number: number): string {
  if (number % 13 === 0) return '';
  if (number % 10 === 7) return '}';
  if (number === 31) return '</file>';
  return `${' '.repeat(number % 3)}const line${number}of${at} = '${'x'.repeat(number % 29)}';`;
}

/** The files of a random session, which its calls read and write and something else changes. */
export class RandomFiles {
  readonly #files = new Map<string, readonly string[]>();
  readonly #outside = new Set<string>();
  readonly #unread = new Set<string>();
  #changes = 0;

  constructor() {
    for (const at of SIZES.keys()) this.#files.set(RandomFiles.pathOf(at), RandomFiles.#fresh(at));
  }

  static pathOf(at: number): string {
    return `src/file${at}.ts`;
  }

  static #fresh(at: number): readonly string[] {
    return Array.from({ length: SIZES[at] ?? 1 }, (_, index) => lineOf(at, index + 1));
  }

  /** The current files. */
  get disk(): Disk {
    return {
      files: new Map(this.#files),
      changedOutside: new Set(this.#outside),
      editedUnread: new Set(this.#unread),
    };
  }

  /** The known lines of a file, matched to its current text; unchanged for other files. */
  asItIs(known: KnownFile): KnownFile {
    if (!known.path.startsWith('src/')) return known;
    const lines = this.#files.get(known.path);
    return asOnDisk(known, lines?.map((each) => `${each}\n`).join(''));
  }

  /** The known files, each matched to its current text. */
  now(files: FileModel): FileModel {
    return files.with([...files.values()].map((each) => [each.path, this.asItIs(each)]));
  }

  /** A call as a model with knowledge of the current files would make it. */
  asks({ how, file: at, line: place, count }: FileCall): Pick<ToolUse, 'name' | 'input'> {
    const path = RandomFiles.pathOf(at);
    const lines = this.#files.get(path) ?? [];
    const from = place % Math.max(1, lines.length);
    switch (how) {
      case 'read':
        return { name: 'read_file', input: { path } };
      case 'readPart': {
        const input = { path, start_line: from + 1, end_line: from + 1 + count };
        return { name: 'read_file', input };
      }
      case 'edit': {
        const before = lines
          .slice(from, from + 1 + (count % 3))
          .join('\n')
          .trimEnd();
        return { name: 'edit_file', input: { path, ...this.#replacing(before, count) } };
      }
      case 'editAll': {
        const input = { path, old_text: 'const', new_text: 'let', replace_all: true };
        return { name: 'edit_file', input };
      }
      case 'write': {
        const text = Array.from(
          { length: 1 + count },
          (_, index) => `// ${++this.#changes} ${index}`,
        );
        return { name: 'create_file', input: { path, text: `${text.join('\n')}\n` } };
      }
      case 'delete':
        return { name: 'delete_file', input: { path } };
    }
  }

  /** Some edits add lines, some change lines, some delete lines. */
  #replacing(before: string, count: number) {
    const added = Array.from({ length: count % 5 }, (_, more) => `// ${++this.#changes} ${more}`);
    const after = count % 11 === 0 ? '' : [`${before} // ${++this.#changes}`, ...added].join('\n');
    return { old_text: before === '' ? '\n' : before, new_text: after };
  }

  /** Executes a call as the tools do; `known` has the known lines of the files before it. */
  answers(
    { name, input }: Pick<ToolUse, 'name' | 'input'>,
    known: FileModel,
  ): { text: string; isError: boolean } {
    const path = String(input['path']);
    const lines = this.#files.get(path);
    const failed = (text: string) => ({ text, isError: true });
    if (name === 'create_file') {
      this.#files.set(path, linesIn(String(input['text'])));
      return { text: `Wrote ${path}.`, isError: false };
    }
    if (lines === undefined) return failed(`${path} does not exist.`);
    if (name === 'delete_file') {
      this.#files.delete(path);
      return { text: `Deleted ${path}.`, isError: false };
    }
    if (name === 'read_file') {
      if (lines.length === 0) return { text: `${path} is empty (0 lines).`, isError: false };
      const first = Number(input['start_line'] ?? 1);
      if (first > lines.length) return failed(`start_line ${first} is past its end.`);
      const last = Math.min(lines.length, Number(input['end_line'] ?? Infinity));
      const read = lines.slice(first - 1, last).map((each, at) => `${first + at}\t${each}`);
      const head = `${path}, lines ${first}-${last} of ${lines.length}`;
      return { text: `${head}\n${read.join('\n')}`, isError: false };
    }
    const [before, after] = [String(input['old_text']), String(input['new_text'])];
    const text = lines.map((each) => `${each}\n`).join('');
    const places = text.split(before);
    if (places.length === 1) return failed('old_text is not in the file.');
    if (places.length > 2 && input['replace_all'] !== true)
      return failed('old_text is not unique.');
    this.#files.set(path, linesIn(places.join(after)));
    const runs = known.get(path)?.runs ?? [];
    const isRead = (run: KnownRun) =>
      run.first !== undefined &&
      run.lines
        .map((each) => each.text)
        .join('\n')
        .includes(before);
    if (input['replace_all'] === true || !runs.some(isRead)) this.#unread.add(path);
    return { text: `Changed ${path}.`, isError: false };
  }

  /** Changes a file from outside. */
  change({ how, file: at, line: place }: OutsideChange): void {
    const path = RandomFiles.pathOf(at);
    const lines = this.#files.get(path);
    if (lines === undefined && how !== 'putBack') return;
    const now = lines ?? [];
    const from = place % Math.max(1, now.length);
    this.#outside.add(path);
    const other = `// by somebody else ${++this.#changes}`;
    switch (how) {
      case 'change':
        this.#files.set(path, [...now.slice(0, from), other, ...now.slice(from + 1)]);
        return;
      case 'insert':
        this.#files.set(path, [...now.slice(0, from), other, other, ...now.slice(from)]);
        return;
      case 'cut':
        this.#files.set(path, [...now.slice(0, from), ...now.slice(from + 9)]);
        return;
      case 'delete':
        this.#files.delete(path);
        return;
      case 'putBack':
        this.#files.set(path, RandomFiles.#fresh(at));
    }
  }
}

/** A final line break ends the last line. */
function linesIn(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
