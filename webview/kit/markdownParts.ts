import { parser, type MarkdownEnv } from './markdownHtml';

/**
 * A part of a Markdown text that is drawn independently. Parts other than prose can have any size
 * and consist of units: rows of a table, items of a list, lines of code, or pieces of a text too
 * long to parse.
 */
export type MarkdownPart =
  | { readonly kind: 'prose'; readonly source: string }
  | {
      readonly kind: 'table' | 'list' | 'code' | 'plain';
      /** The two header lines of a table; the text after the fence of a code block. */
      readonly head?: string;
      /** Only ever appended to. */
      readonly units: readonly string[];
      /** Units after these that are still being written. */
      readonly unsettled?: readonly string[];
    };

type Units = Exclude<MarkdownPart, { readonly kind: 'prose' }> & { readonly units: string[] };

/** Characters parsed together, and most characters of one unit. */
export const WINDOW = 16_000;

/**
 * Splits a growing Markdown text into parts. Finished parts are not parsed again: each addition
 * only parses the end, at most one window.
 */
export class MarkdownParts {
  env: MarkdownEnv = {};
  #text = '';
  /** Everything before this index is finished. */
  #at = 0;
  #settled: MarkdownPart[] = [];
  /** The part that the next text may belong to. */
  #open: Units | undefined;
  /** The fence of the open code block: what closes it, and the indent to remove from its lines. */
  #fence = { end: /^/, indent: /^/ };

  of(text: string): readonly MarkdownPart[] {
    if (!text.startsWith(this.#text)) this.#startOver();
    this.#text = text;
    while (this.#settle());
    const open = this.#open;
    const tail = text.slice(this.#at);
    if (open === undefined) return [...this.#settled, ...partsOf(this.#read(tail))];
    // The end of a reply closes its last code block without a line end.
    if (open.kind === 'code' && this.#fence.end.test(tail)) return [...this.#settled, { ...open }];
    if (tail !== '' && hasLines(open) && this.#isUnit(open, tail)) {
      return [...this.#settled, { ...open, unsettled: [tail] }];
    }
    const parts = partsOf(this.#read(tail));
    const [first] = parts;
    if (open.kind !== 'list' || first?.kind !== 'list') {
      return [...this.#settled, { ...open }, ...parts];
    }
    return [...this.#settled, { ...open, unsettled: first.units }, ...parts.slice(1)];
  }

  #startOver(): void {
    this.env = {};
    this.#at = 0;
    this.#settled = [];
    this.#open = undefined;
  }

  /** Finishes some more of the text; false when the rest has to wait for more. */
  #settle(): boolean {
    if (this.#open !== undefined && hasLines(this.#open)) return this.#addLine(this.#open);
    const source = this.#window();
    const isCut = this.#at + source.length < this.#text.length;
    const blocks = this.#read(source);
    const [first] = blocks;
    if (first === undefined) {
      if (isCut) this.#at += source.length;
      return isCut;
    }
    if (first.kind !== 'list' && this.#open?.kind === 'list') this.#close();
    if (this.#begin(first)) return true;
    // The last block may continue; an incomplete line may still become part of another block.
    const whole = isCut ? source.length : source.lastIndexOf('\n') + 1;
    const last = blocks.findLast((block) => knownFrom(block) < whole) ?? first;
    const next = blocks.find(
      (block, at) => at > 0 && (block === last || block.kind === 'table' || block.kind === 'code'),
    );
    if (next !== undefined && next.start <= last.start) {
      this.#add(joined(blocks.slice(0, blocks.indexOf(next))));
      this.#at += next.start;
      return true;
    }
    if (isCut) this.#force(source, first);
    return isCut;
  }

  /** Finishes a piece of a block that is longer than a window. */
  #force(source: string, { start, source: block, items }: SourceBlock): void {
    const item = items.at(-1) ?? 0;
    if (item > 0) {
      this.#addUnits('list', pieces(block, items).slice(0, -1));
      this.#at += start + item;
    } else {
      this.#addUnits('plain', [source]);
      this.#at += source.length;
    }
  }

  /** The beginning of the unfinished text, cut at a line end if one is near. */
  #window(): string {
    const rest = this.#text.slice(this.#at, this.#at + WINDOW + 1);
    if (rest.length <= WINDOW) return rest;
    const lines = rest.lastIndexOf('\n', WINDOW - 1) + 1;
    if (lines > WINDOW / 2) return rest.slice(0, lines);
    // Never cut a surrogate pair.
    return rest.slice(0, /[\uD800-\uDBFF]/.test(rest[WINDOW - 1] ?? '') ? WINDOW - 1 : WINDOW);
  }

  /** Opens a table or code block at the start of the window, once its first lines are complete. */
  #begin({ kind, start, source }: SourceBlock): boolean {
    if (kind !== 'table' && kind !== 'code') return false;
    const lines = source.split('\n');
    const headLines = kind === 'table' ? 2 : 1;
    if (lines.length <= headLines) return false;
    this.#close();
    const head = lines.slice(0, headLines).join('\n');
    if (kind === 'code') this.#fence = fenceOf(head);
    this.#open = { kind, units: [], head: kind === 'code' ? head.replace(FENCE, '').trim() : head };
    this.#at += start + head.length + 1;
    return true;
  }

  /**
   * Adds the next line to a table or code block, or closes it; false when no complete line is left.
   */
  #addLine(open: Units): boolean {
    const end = this.#text.indexOf('\n', this.#at);
    const length = end < 0 ? this.#text.length - this.#at : end - this.#at;
    if (open.kind === 'code' && length > WINDOW) {
      const piece = this.#window();
      open.units.push(piece);
      this.#at += piece.length;
      return true;
    }
    if (end < 0) return false;
    const line = this.#text.slice(this.#at, end);
    if (open.kind === 'code' && this.#fence.end.test(line)) {
      this.#at = end + 1;
      this.#close();
    } else if (this.#isUnit(open, line)) {
      const text = open.kind === 'code' ? line.replace(this.#fence.indent, '') : line;
      open.units.push(`${text}\n`);
      this.#at = end + 1;
    } else {
      this.#close();
    }
    return true;
  }

  /** Whether a line belongs to the open part. */
  #isUnit(open: Units, line: string): boolean {
    if (open.kind === 'code') return !this.#fence.end.test(line);
    if (line.length > WINDOW) return false;
    if (/^ {0,3}\|/.test(line)) return true;
    const blocks = this.#read(`${open.head}\n${line}`);
    return line.trim() !== '' && blocks.length === 1 && blocks[0]?.kind === 'table';
  }

  #close(): void {
    if (this.#open !== undefined) this.#settled.push(this.#open);
    this.#open = undefined;
  }

  #add(parts: readonly MarkdownPart[]): void {
    for (const part of parts) {
      // A list longer than a window continues with the first of them.
      if (part.kind === 'list' && this.#open?.kind === 'list') this.#open.units.push(...part.units);
      else this.#push(part);
      this.#close();
    }
  }

  #push(part: MarkdownPart): void {
    this.#close();
    this.#settled.push(part);
  }

  #addUnits(kind: 'list' | 'plain', units: readonly string[]): void {
    if (this.#open?.kind !== kind) {
      this.#close();
      this.#open = { kind, units: [] };
    }
    this.#open.units.push(...units);
  }

  #read(source: string): readonly SourceBlock[] {
    return source.trim() === '' ? [] : blocksOf(source, this.env);
  }
}

/** Whether the part grows line by line, without parsing. */
function hasLines({ kind }: Units): boolean {
  return kind === 'table' || kind === 'code';
}

/** Start of the line that decides the kind of a block: for a table, its second line. */
function knownFrom({ kind, start, source }: SourceBlock): number {
  return kind === 'table' ? start + source.indexOf('\n') + 1 : start;
}

function partsOf(blocks: readonly SourceBlock[]): readonly MarkdownPart[] {
  return blocks.flatMap(({ kind, source, items }): readonly MarkdownPart[] => {
    if (kind === 'definition') return [];
    return [kind === 'list' ? { kind, units: pieces(source, items) } : { kind: 'prose', source }];
  });
}

/**
 * Joins consecutive prose, since each part has a cost. A definition between two blocks keeps them
 * apart: without it, two blocks of indented code would become one.
 */
function joined(blocks: readonly SourceBlock[]): readonly MarkdownPart[] {
  const all: MarkdownPart[] = [];
  let before: SourceBlock['kind'] | undefined;
  for (const block of blocks) {
    const last = all.at(-1);
    for (const part of partsOf([block])) {
      if (part.kind !== 'prose' || last?.kind !== 'prose' || before === 'definition')
        all.push(part);
      else all[all.length - 1] = { kind: 'prose', source: last.source + part.source };
    }
    before = block.kind;
  }
  return all;
}

const FENCE = /^( {0,3})(`{3,}|~{3,})/;

function fenceOf(line: string): { readonly end: RegExp; readonly indent: RegExp } {
  const [, indent = '', fence = ''] = FENCE.exec(line) ?? [];
  return {
    end: new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`),
    indent: new RegExp(`^ {0,${indent.length}}`),
  };
}

/** A top-level block: its source, up to the next block. */
interface SourceBlock {
  /** A link definition is not drawn. */
  readonly kind: 'table' | 'list' | 'code' | 'definition' | 'other';
  /** Start in the parsed text; characters. */
  readonly start: number;
  readonly source: string;
  /** Starts of list items in its source. */
  readonly items: readonly number[];
}

const KINDS: ReadonlyMap<string, SourceBlock['kind']> = new Map([
  ['table_open', 'table'],
  ['bullet_list_open', 'list'],
  ['ordered_list_open', 'list'],
  ['fence', 'code'],
  ['reference_definition', 'definition'],
]);

/** Finds the top-level blocks without parsing inline text. */
function blocksOf(source: string, env: MarkdownEnv): readonly SourceBlock[] {
  const tokens: ReturnType<typeof parser.parse> = [];
  parser.block.parse(source, parser, env, tokens);
  const starts = lineStarts(source);
  const found = tokens.flatMap(({ level, map, nesting, type }) =>
    level === 0 && map !== null && nesting >= 0
      ? [{ kind: KINDS.get(type) ?? ('other' as const), start: starts[map[0]] ?? 0 }]
      : [],
  );
  const items = tokens.flatMap(({ level, map, type }) =>
    level === 1 && map !== null && type === 'list_item_open' ? [starts[map[0]] ?? 0] : [],
  );
  return found.map(({ kind, start }, at) => {
    const end = found[at + 1]?.start ?? source.length;
    const own = items.filter((item) => item >= start && item < end).map((item) => item - start);
    return { kind, start, source: source.slice(start, end), items: own };
  });
}

function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

/** Cuts a text at ascending positions. */
function pieces(text: string, starts: readonly number[]): string[] {
  return starts.map((start, at) => text.slice(start, starts[at + 1] ?? text.length));
}
