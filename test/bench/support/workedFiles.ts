import type { ToolUse } from '../../../src/contextWindow/block';

/** A call with its answer. */
export interface Answered {
  readonly use: Omit<ToolUse, 'id'>;
  readonly answer: string;
}

/** Lines of a file. */
const FILE_LINES = 240;

/** A file that is read section by section, each as long as an excerpt. */
interface WorkedFile {
  readonly lines: string[];
  /** Index of the first line of the last read. */
  read: number;
}

/** The current files of a session, which reads show and edits replace. */
export class WorkedFiles {
  readonly #files = new Map<string, WorkedFile>();

  constructor(private readonly readLines: number) {}

  /** Reads the section after the last one read, with line numbers like the agent's own tool. */
  read(path: string): Answered {
    const file = this.#file(path);
    const next = file.read + this.readLines;
    const from = next + this.readLines > FILE_LINES ? 0 : next;
    const lines = file.lines.slice(from, from + this.readLines);
    file.read = from;
    const [first, last] = [from + 1, from + lines.length];
    const numbered = lines.map((line, index) => `${first + index}\t${line}`);
    return {
      use: { name: 'read_file', input: { path, start_line: first, end_line: last } },
      answer: [`${path}, lines ${first}-${last} of ${FILE_LINES}`, ...numbered].join('\n'),
    };
  }

  /** Changes a line of the section that was read last; `number` makes each change different. */
  edit(path: string, number: number): Answered {
    const { lines, read } = this.#file(path);
    const at = Math.max(0, read) + (number % this.readLines);
    const before = lines[at] ?? '';
    const after = `${before.replace(/ \/\/.*/, '')} // by step ${number}`;
    lines[at] = after;
    return {
      use: { name: 'edit_file', input: { path, old_text: before, new_text: after } },
      answer: `Replaced 1 line of ${path}.`,
    };
  }

  #file(path: string): WorkedFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const name = path.replace(/\W/g, '');
    const lines = Array.from(
      { length: FILE_LINES },
      (_, at) => `export const ${name}${at} = (a, b) => a + b;`,
    );
    const file = { lines, read: -this.readLines };
    this.#files.set(path, file);
    return file;
  }
}
