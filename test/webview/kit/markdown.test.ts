// @vitest-environment happy-dom
import '../support/standardDom';
import { describe, expect, it } from 'vitest';
import {
  type FilePlace,
  placeOf,
  renderMarkdown,
  sanitise,
} from '../../../webview/kit/markdownHtml';

function render(markdown: string): HTMLElement {
  const element = document.createElement('div');
  element.innerHTML = renderMarkdown(markdown);
  return element;
}

/** Every attribute in the tree, as "tag.name=value". */
function attributes(element: HTMLElement): string[] {
  return [...element.querySelectorAll('*')].flatMap((child) =>
    [...child.attributes].map(
      ({ name, value }) => `${child.tagName.toLowerCase()}.${name}=${value}`,
    ),
  );
}

const tags = (element: HTMLElement): string[] =>
  [...element.querySelectorAll('*')].map((child) => child.tagName.toLowerCase());

describe('markdown', () => {
  it('becomes paragraphs, lists, tables and code', () => {
    const element = render(
      'Fix **two** bugs:\n\n1. `a`\n2. b\n\n| x | y |\n|---|--:|\n| 1 | 2 |\n',
    );
    expect(tags(element)).toEqual(
      expect.arrayContaining(['p', 'strong', 'ol', 'li', 'code', 'table', 'th', 'td']),
    );
    expect(attributes(element)).toEqual([]);
  });

  it('shows code blocks verbatim', () => {
    const element = render('```html\n<img src=x onerror=alert(1)>\n```');
    expect(element.querySelector('pre code')?.textContent).toBe('<img src=x onerror=alert(1)>\n');
    expect(element.querySelector('img')).toBeNull();
  });

  it('keeps the number a list starts at', () => {
    expect(render('3. x').querySelector('ol')?.getAttribute('start')).toBe('3');
  });

  it('links to the web, and shows the target of the link', () => {
    const link = render('[docs](https://example.com/a)').querySelector('a');
    expect(link?.getAttribute('href')).toBe('https://example.com/a');
    expect(link?.title).toBe('https://example.com/a');
  });

  it('recognises a spelled-out address, and leaves file names alone', () => {
    expect(render('see https://example.com/x').querySelector('a')?.href).toBe(
      'https://example.com/x',
    );
    expect(render('see README.md, a@b.com and example.com').querySelector('a')).toBeNull();
  });
});

describe('file names', () => {
  const links = (markdown: string) =>
    [...render(markdown).querySelectorAll('a')].map((link) => [
      link.textContent,
      link.title,
      placeOf(link.getAttribute('href') ?? ''),
    ]);

  it.each([
    ['`src/math.js:3`', 'src/math.js:3', { path: 'src/math.js', line: 3 }],
    ['`package.json`', 'package.json', { path: 'package.json' }],
    ['`src/a.ts:10-20`', 'src/a.ts:10', { path: 'src/a.ts', line: 10 }],
    ['`/work/src/a.ts`', '/work/src/a.ts', { path: '/work/src/a.ts' }],
    ['`src/[id]/a.ts`', undefined],
    ['`Math.max`', undefined],
    ['`a.js b.js`', undefined],
  ])('%s as code', (markdown, title, place?: FilePlace) => {
    const shown = markdown.slice(1, -1);
    expect(links(markdown)).toEqual(place ? [[shown, title, place]] : []);
  });

  it.each([
    ['See src/math.js:3, then lib/load.py.', ['src/math.js:3', 'lib/load.py']],
    ['In math.js:12:5 and (./x/y.ts)', ['math.js:12:5', './x/y.ts']],
    ['README.md, e.g. and 1.5/2.x or v1.2.3/notes', []],
    ['src\\win.js and/or', []],
  ])('%s in prose', (markdown, shown) => {
    expect(links(markdown).map(([text]) => text)).toEqual(shown);
  });

  it('stay part of a link to the web', () => {
    const all = render('[`src/a.js:3`](https://example.com/a) https://example.com/src/a.js');
    expect([...all.querySelectorAll('a')].map(({ href }) => href)).toEqual([
      'https://example.com/a',
      'https://example.com/src/a.js',
    ]);
  });

  it.each(['[x](#file=src%2Fa.js)', '<#file=src%2Fa.js>'])('%s is not a file name', (markdown) => {
    expect(links(markdown)).toEqual([]);
  });
});

describe('tasks', () => {
  it('have a box at the start of an item, done or not', () => {
    const items = [...render('- [ ] a\n- [x] b\n- [y] c\n- d [x]\n').querySelectorAll('li')];
    expect(items.map(({ textContent }) => textContent)).toEqual(['☐ a', '☑ b', '[y] c', 'd [x]']);
  });

  it('are plain text outside lists', () => {
    expect(render('[x] a').textContent?.trim()).toBe('[x] a');
  });
});

describe('hostile markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<iframe src="//example.com"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<style>*{display:none}</style>',
    '<form action="//example.com"><input></form>',
    '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<!--><img src=x onerror=alert(1)>-->',
  ])('%s is shown as the text it is', (markdown) => {
    const element = render(markdown);
    expect(tags(element).filter((tag) => tag !== 'p')).toEqual([]);
    expect(attributes(element)).toEqual([]);
    expect(element.textContent).toContain('<');
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](java&#10;script:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:msgbox(1))',
    '[x](file:///etc/passwd)',
    '[x](command:workbench.action.quit)',
    '[x](vscode://x/y)',
    '[x](//example.com)',
    '[x](/etc/passwd)',
    '[x](#top)',
    '[x](mailto:a@b.com)',
    '<javascript:alert(1)>',
    '[x]\n\n[x]: javascript:alert(1)',
  ])('%s is not a link', (markdown) => {
    expect(render(markdown).querySelector('a')).toBeNull();
  });

  it('an address that imitates another does not become a link', () => {
    const hrefs = [...render('[x](https://paypal.com@evil.example/)').querySelectorAll('a')];
    expect(hrefs.map((link) => link.hostname)).not.toContain('evil.example');
  });

  it.each(['![x](https://example.com/leak?secret)', '![x](data:image/png;base64,AAAA)'])(
    '%s loads no picture',
    (markdown) => {
      expect(render(markdown).querySelector('img')).toBeNull();
    },
  );

  it('keeps no attribute but those of a web link', () => {
    const element = render('[x](https://example.com "a\\" onclick=alert(1) style=x")\n\n- [ ] y');
    expect(attributes(element)).toEqual([
      'a.href=https://example.com',
      'a.title=https://example.com',
    ]);
  });
});

describe('sanitised HTML', () => {
  it.each([
    ['<p>a</p><script>alert(1)</script><p>b</p>', '<p>a</p><p>b</p>'],
    ['<p onclick="alert(1)" style="color:red" class="x" id="root" data-x="1">a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="https://example.com" target="_top">x</a>', '<a href="https://example.com">x</a>'],
    ['<p>a<img src=x onerror=alert(1)></p>', '<p>a</p>'],
    ['<svg onload=alert(1)><style><img src=x onerror=alert(1)></style></svg>', ''],
    ['<vscode-button>Allow</vscode-button>', 'Allow'],
    ['<iframe srcdoc="x"></iframe><input autofocus onfocus=alert(1)>', ''],
  ])('of %s is %s', (dirty, clean) => {
    expect(sanitise(dirty)).toBe(clean);
  });
});

describe('a link to a file of the workspace', () => {
  it.each([
    ['[strings](src/strings.js#L3)', '#file=src%2Fstrings.js&amp;line=3', 'src/strings.js:3'],
    ['[strings](./src/strings.js#L3-L9)', '#file=src%2Fstrings.js&amp;line=3', 'src/strings.js:3'],
    ['[the readme](README.md)', '#file=README.md', 'README.md'],
    ['[a b](docs/a%20b.md:12)', '#file=docs%2Fa%20b.md&amp;line=12', 'docs/a b.md:12'],
  ])('%s opens the file', (markdown, href, title) => {
    const html = renderMarkdown(markdown);
    expect(html).toContain(`href="${href}"`);
    expect(html).toContain(`title="${title}"`);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](file:///etc/passwd)',
    '[x](/etc/passwd)',
    '[x](//host/share)',
    '[x](data:text/html,y)',
    '[x](#file=a.js)',
    '[x](vscode:extension/a)',
  ])('%s does not', (markdown) => {
    expect(renderMarkdown(markdown)).not.toContain('href');
  });
});
