import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { inertMarkdown } from '../../src/sessions/inertMarkdown';

/** Renders everything that a text asks for, dangerous links and HTML included. */
const renderer = new MarkdownIt({ html: true, linkify: false });
renderer.validateLink = () => true;

/** The targets of links and images, and the HTML, that run something in a rendered text. */
function activeIn(text: string): readonly string[] {
  const walk = (tokens: ReturnType<typeof renderer.parse>): readonly string[] =>
    tokens.flatMap((token) => [
      ...[token.attrGet('href'), token.attrGet('src')].filter(
        (target) => target !== null && !/^(https?:\/\/|mailto:|#|[^:]*$)/i.test(String(target)),
      ),
      ...(token.type.startsWith('html_') && !/^<\/?(?!script|svg)[a-z0-9-]+>$/i.test(token.content)
        ? [token.content]
        : []),
      ...walk(token.children ?? []),
    ]) as readonly string[];
  return walk(renderer.parse(text, {}));
}

describe('Markdown of a session', () => {
  it.each([
    '[Open](command:workbench.action.quit)',
    '[Open](<command:x y>)',
    '[Open](\ncommand:x)',
    '[Open](COMMAND:x "title")',
    '[Open](comm&#97;nd:x)',
    '[Open](command&colon;x)',
    '[Open](command\\:x)',
    '![Picture](javascript:alert(1))',
    '[a][b]\n\n[b]: command:x',
    '[a][b]\n\n[b]:\n  <vscode:x>',
    '> [b]: vbscript:x\n\n[b]',
    '<command:x>',
    '<a href="command:x">Open</a>',
    '<a\nhref="command:x">Open</a>',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<!-- a --><svg onload=alert(1)>',
    '- ```\n[Open](command:x)\n  ```',
    '`` ` ``\n[Open](command:x) `',
    '```js\ncode\n```\n[Open](command:x)\n```',
    '~~~\n```\n~~~\n[Open](command:x)',
  ])('runs nothing: %j', (text) => {
    expect(activeIn(text)).not.toEqual([]);
    expect(activeIn(inertMarkdown(text))).toEqual([]);
  });

  it('runs nothing, whatever it is pieced together from', () => {
    const piece = fc.constantFrom(
      ...'[a]( [a]: ]( < > ) command:x data:x href="command:x" <a ``` ~~~ ```` ` - \\ &colon;'.split(
        ' ',
      ),
      ' ',
      '    ',
      '\n',
      '\n\n',
      '> ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        expect(activeIn(inertMarkdown(pieces.join('')))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('ends a fence that the text left open, so that what follows is no code', () => {
    expect(renderer.render(`${inertMarkdown('```js\ncode')}\n\n## Next`)).toContain(
      '<h2>Next</h2>',
    );
  });

  it('keeps harmless links, and code between fences', () => {
    const text =
      '[a](https://example.org/x?a=1&b=2) [b](src/a.ts#L1) <https://example.org> Array<string>\n' +
      '```tsx\nconst a = <A href="command:x" />; // [x](command:y)\n```\n[c](mailto:a@b.c)';
    expect(inertMarkdown(text)).toBe(text);
  });
});
