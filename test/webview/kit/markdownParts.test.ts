// @vitest-environment happy-dom
import '../support/standardDom';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../support/runs';
import { parser, renderList, renderMarkdown } from '../../../webview/kit/markdownHtml';
import { MarkdownParts, WINDOW, type MarkdownPart } from '../../../webview/kit/markdownParts';

afterEach(() => vi.restoreAllMocks());

const TABLE = '| a | b |\n|---|:-:|\n';
const row = (at: number) => `| cell ${at} | \`b\` [x](https://e.com/${at}) |\n`;
const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

/** All units of a part, including those being written. */
const unitsOf = (part: MarkdownPart): readonly string[] =>
  part.kind === 'prose' ? [part.source] : [...part.units, ...(part.unsettled ?? [])];

/** The content of the parts; consecutive prose may be one part or several. */
function flat(parts: readonly MarkdownPart[]) {
  const all: { kind: string; text: string }[] = [];
  for (const part of parts) {
    const text = unitsOf(part).join('');
    const last = all.at(-1);
    if (part.kind === 'prose' && last?.kind === 'prose') last.text += text;
    else all.push({ kind: part.kind, text });
  }
  return all;
}

/** Feeds a text in pieces of that many characters. */
function streamed(text: string, size: number): MarkdownParts {
  const reader = new MarkdownParts();
  for (let end = size; end < text.length; end += size) reader.of(text.slice(0, end));
  return reader;
}

function htmlOf(text: string, size: number): string {
  const reader = streamed(text, size);
  return reader
    .of(text)
    .map((part) => {
      const source = unitsOf(part).join('');
      if (part.kind === 'table') return renderMarkdown(`${part.head}\n${source}`, reader.env);
      if (part.kind === 'list')
        return renderList(source, Number.parseInt(source.trimStart(), 10), reader.env);
      if (part.kind !== 'code') return renderMarkdown(source, reader.env);
      const pre = document.createElement('pre');
      pre.appendChild(document.createElement('code')).textContent = source;
      return pre.outerHTML;
    })
    .join('')
    .replaceAll(/>\s+</g, '><')
    .trim();
}

const wholeHtml = (text: string) => renderMarkdown(text).replaceAll(/>\s+</g, '><').trim();

const block = fc.oneof(
  fc.constantFrom(
    'Text.',
    '**a** `b`',
    'One\ntwo\n  three',
    'Head\n----',
    '# Head',
    '---',
    '> q\n> r',
  ),
  fc.constantFrom(
    '- a\n- b\n  - c\n\n  more',
    '3. a\n4. b',
    '* a\n\n* b',
    '- ```\n  code\n\n  - x\n  ```',
  ),
  fc.constantFrom(
    '```js\na\n\n- b\n```',
    '~~~~\n```\n~~~\n~~~~',
    '  ```\n   in\n  ```',
    '    indented\n\n    code',
  ),
  fc.constantFrom(
    `${TABLE}| 1 | 2 |`,
    `${TABLE}| 1 | 2 |\n3 | 4\nfive`,
    `Text\n${TABLE}`,
    'a | b\n-|-\nc',
  ),
  fc.constantFrom(
    '[r]: https://e.com',
    '[r] and [x](https://e.com)',
    '``` not `code',
    '| a\n| --- | --- |',
  ),
);
const markdown = fc
  .array(fc.tuple(block, fc.constantFrom('\n', '\n\n', '\n\n\n')), { minLength: 1, maxLength: 7 })
  .map((blocks) => blocks.map((one) => one.join('')).join(''));

describe('the parts of a markdown text', () => {
  it('are drawn like the whole text, if it arrives in one piece', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(htmlOf(text, Infinity)).toBe(wholeHtml(text));
      }),
      { numRuns: runs(200, 3_000) },
    );
  });

  it('keep two blocks of indented code apart that only a definition separates', () => {
    const code = '    indented\n\n    code\n\n';
    const text = `${code}[r]: https://e.com\n\n${code}a | b\n-|-\nc\n\n`;
    expect(wholeHtml(text).split('<pre>')).toHaveLength(3);
    expect(htmlOf(text, Infinity)).toBe(wholeHtml(text));
  });

  it.each(['```js\na();\n```', '~~~\na();\n~~~  '])(
    'are one code block without an empty one after it, if %j ends the reply',
    (text) => {
      const parts = new MarkdownParts().of(text);
      expect(parts.map(({ kind }) => kind)).toEqual(['code']);
    },
  );

  it('are the same however the text arrives', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 30 }), (text, size) => {
        expect(flat(streamed(text, size).of(text))).toEqual(flat(new MarkdownParts().of(text)));
      }),
      { numRuns: runs(200, 3_000) },
    );
  });

  it.each([
    ['table', TABLE + many(9_000, row)],
    ['list', many(20_000, (at) => `- item ${at} with \`code\`\n`)],
    ['list', many(9_000, (at) => `${at + 1}. item\n\n      more of it\n\n`)],
    ['code', `\`\`\`ts\n${many(20_000, (at) => `const a${at} = 1;\n\n`)}\`\`\`\n`],
  ])('contain a whole %s of 320 kB', (kind, text) => {
    const parts = new MarkdownParts().of(`Before\n\n${text}\nAfter\n`);
    expect(parts.map((part) => part.kind)).toEqual(['prose', kind, 'prose']);
    const source = unitsOf(parts[1]!).join('');
    expect(source.trim()).toBe(
      text
        .replace(TABLE, '')
        .replaceAll(/^```.*\n/gm, '')
        .trim(),
    );
  });

  it.each([
    ['one line', 'word '.repeat(64_000)],
    ['a quotation', many(20_000, (at) => `> quoted ${at} [\n`)],
    ['one item', `- ${many(20_000, (at) => `  more of ${at}\n`)}`],
    ['definitions', many(9_000, (at) => `[r${at}]: https://e.com/${at}\n`)],
  ])('contain %s of 320 kB as pieces of plain text, without loss', (name, text) => {
    const parts = new MarkdownParts().of(`Before\n\n${text}\nAfter`);
    expect(parts[0]).toEqual({ kind: 'prose', source: 'Before\n\n' });
    if (name === 'definitions') return expect(parts).toHaveLength(2);
    expect(parts[1]!.kind).toBe('plain');
    const all = parts.flatMap(unitsOf).join('');
    return expect(all.replaceAll(/\s/g, '')).toBe(`Before${text}After`.replaceAll(/\s/g, ''));
  });

  it('are never longer than the text that is parsed together', () => {
    const text = `${'x'.repeat(50_000)}\n\n- ${'y '.repeat(40_000)}\n\n${TABLE}| ${'z'.repeat(40_000)} |\n`;
    for (const part of new MarkdownParts().of(text)) {
      for (const unit of unitsOf(part)) expect(unit.length).toBeLessThanOrEqual(WINDOW);
    }
  });

  it('follow a text that starts again', () => {
    const reader = new MarkdownParts();
    reader.of('# Old\n\n- a\n\nb\n\n');
    expect(flat(reader.of('New'))).toEqual([{ kind: 'prose', text: 'New' }]);
  });

  it('keep finished parts the same objects while more text arrives', () => {
    const reader = new MarkdownParts();
    const text = many(100, (at) => `Paragraph ${at}.\n\n`);
    const before = reader.of(text);
    const after = reader.of(`${text}More.\n\nAnd more.`);
    expect(before.length).toBeGreaterThan(1);
    expect(before.slice(0, -1).every((part, at) => part === after[at])).toBe(true);
  });
});

describe('the work for a text that arrives piece by piece', () => {
  /** Characters parsed as Markdown. */
  function charsRead(act: () => void): number {
    const parse = vi.spyOn(parser.block, 'parse');
    act();
    const read = parse.mock.calls.reduce((sum, [source]) => sum + source.length, 0);
    parse.mockRestore();
    return read;
  }

  it.each([
    ['a table', (count: number) => TABLE + many(count, row)],
    ['code', (count: number) => `\`\`\`\n${many(count, row)}`],
    ['a list', (count: number) => many(count, (at) => `- item ${at} with some more words\n`)],
    ['paragraphs', (count: number) => many(count, (at) => `Paragraph ${at} of it.\n\n`)],
    ['one line', (count: number) => 'some words and more of them '.repeat(count)],
  ])('grows no faster than %s', (_name, textOf) => {
    const [small, large] = [textOf(500), textOf(2_000)].map((text) =>
      charsRead(() => streamed(text, 200).of(text)),
    );
    expect(large).toBeLessThan(small! * 5 + 1_000);
  });

  it('is minimal for rows and lines', () => {
    for (const head of [TABLE, '```\n']) {
      const text = head + many(4_000, row);
      expect(charsRead(() => streamed(text, 200).of(text))).toBeLessThan(text.length / 50);
    }
  });
});
