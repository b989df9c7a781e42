// @vitest-environment happy-dom
import '../support/standardDom';
import hljs from 'highlight.js/lib/core';
import javascript from 'highlight.js/lib/languages/javascript';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { describedBy, MarkdownText, ReplyActionsContext } from '../../../webview/kit/markdown';
import { highlighter } from '../../../webview/kit/highlight';

hljs.registerLanguage('javascript', javascript);

/** The highlighter of the bundle that is loaded on first use. */
const load = (): void => {
  highlighter.value = (code, language) =>
    hljs.getLanguage(language) && hljs.highlight(code, { language }).value;
};

let root: HTMLElement;

afterEach(() => {
  render(null, root);
  root.remove();
  highlighter.value = undefined;
});

function drawn(text: string, done?: string[]): HTMLElement {
  root = document.body.appendChild(document.createElement('div'));
  const act_ =
    (name: string) =>
    (...args: readonly unknown[]) =>
      void done?.push([name, ...args].join(' '));
  const actions = done && {
    copy: act_('copy'),
    insert: act_('insert'),
    apply: act_('apply'),
    openFile: act_('open'),
  };
  act(() =>
    render(
      <ReplyActionsContext.Provider value={actions}>
        <MarkdownText text={text} />
      </ReplyActionsContext.Provider>,
      root,
    ),
  );
  return root;
}

describe('code of a reply', () => {
  it('is plain until colours are loaded, and has the same text in colours', () => {
    const code = 'const a = "<b>&amp;";\n// moor\n';
    const element = drawn(`\`\`\`js\n${code}\`\`\`\n`);
    expect(element.querySelector('code')?.textContent).toBe(code);
    expect(element.querySelector('.hljs-keyword')).toBeNull();
    act(load);
    expect(element.querySelector('code')?.textContent).toBe(code);
    expect(element.querySelector('.hljs-keyword')?.textContent).toBe('const');
    expect(element.querySelector('b')).toBeNull();
  });

  it.each(['```\nconst a = 1;\n```\n', '```unheard-of\nconst a = 1;\n```\n'])(
    'stays plain without a known language: %j',
    (text) => {
      load();
      expect(drawn(text).querySelector('.hljs-keyword')).toBeNull();
      expect(root.querySelector('code')?.textContent).toBe('const a = 1;\n');
    },
  );

  it('is copied, inserted and applied in full, even if only its beginning is drawn', () => {
    const done: string[] = [];
    const code = Array.from({ length: 400 }, (_, at) => `line(${at});\n`).join('');
    const element = drawn(`\`\`\`js src/a.js\n${code}\`\`\`\nBehind`, done);
    expect(element.querySelector('code')?.textContent?.length).toBeLessThan(code.length);
    const buttons = [...element.querySelectorAll<HTMLElement>('.code-action')];
    expect(buttons.map((one) => one.getAttribute('aria-label'))).toEqual([
      'Copy this code',
      'Insert at the cursor',
      'Apply to src/a.js',
    ]);
    for (const button of buttons) button.click();
    expect(done).toEqual([`copy ${code}`, `insert ${code}`, `apply ${code} src/a.js`]);
  });

  it('has no buttons where a text is only shown', () => {
    expect(drawn('```js\na();\n```\n').querySelector('button')).toBeNull();
  });
});

describe('a file name in a reply', () => {
  it('opens the file at the named line', () => {
    const done: string[] = [];
    drawn('See `src/math.js:3` and [docs](https://example.com).', done);
    const [file, web] = [...root.querySelectorAll('a')];
    const click = (link: Element | undefined): boolean =>
      link!.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    // The page must not follow the link, which would lead to itself.
    expect(click(file?.querySelector('code') ?? file)).toBe(false);
    expect(done).toEqual(['open src/math.js 3']);
    expect(click(web)).toBe(true);
    expect(done.length).toBe(1);
  });
});

describe('the text after a fence', () => {
  it.each([
    ['js', { language: 'js' }],
    ['JavaScript src/a.js', { language: 'javascript', path: 'src/a.js' }],
    ['js:src/a.js', { language: 'js', path: 'src/a.js' }],
    ['ts title="src/a.ts"', { language: 'ts', path: 'src/a.ts' }],
    ['src/deep/a.py', { language: 'py', path: 'src/deep/a.py' }],
    ['c++', { language: 'c++' }],
    ['', {}],
  ])('%j', (info, described) => {
    expect(describedBy(info)).toEqual(described);
  });
});
