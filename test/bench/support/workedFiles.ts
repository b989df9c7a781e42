import type { ToolUse } from '../../../src/contextWindow/block';

/** A call with its answer. */
export interface Answered {
  readonly use: Omit<ToolUse, 'id'>;
  readonly answer: string;
}

/** How long a file is; lines. */
const FILE_LINES = 240;

/** Files are read part by part, each as long as an excerpt. */
interface WorkedFile {
  readonly lines: string[];
  /** Place of the first line that was read last. */
  read: number;
}

/** The current files of a session, which reads show and edits replace. */
export class WorkedFiles {
  readonly #files = new Map<string, WorkedFile>();

  /** `readLines` is how many lines a read shows. */
  constructor(private readonly readLines: number) {}

  /** Reads the part behind the one that was read last, with numbers as the agent's own tool gives them. */
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

  /** Replaces a line of the part that was read last; `number` makes it another each time. */
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
