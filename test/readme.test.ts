import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HELP } from '../src/cli/commandLine';
import { settingsReadme } from './harness/writeSettingsReadme.mjs';
import { SETTINGS_SECTIONS } from './support/packageSettings';

const ROOT = resolve(__dirname, '..');
const PACKAGE = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly category: string; readonly title: string }[];
  };
};

const FRONT = 'README.md';
const SETTINGS = join('src', 'settings', 'README.md');
const SAMPLE = join('src', 'offline', 'sample');

/** Every page of the documentation, as paths below the root. */
const PAGES = [
  FRONT,
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['src', 'webview', 'test'].flatMap(pagesBelow),
];

/** The length limits of a front page, in lines, and of a table's line, in characters. */
const MOST_LINES = 220;
const WIDEST_TABLE = 120;

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function pagesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith('README.md') && !name.startsWith(SAMPLE));
}

/** The text of a page without its code blocks. */
function proseOf(page: string): string {
  return read(page).replace(/^ *```[^]*?^ *```$/gm, '');
}

interface Link {
  readonly page: string;
  /** The target page or file, from the root. */
  readonly to: string;
  /** The target heading; '' for the whole page. */
  readonly anchor: string;
}

/** The links of a page to others and to itself, without those to the web. */
function linksOf(page: string): readonly Link[] {
  const found = proseOf(page).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm);
  return [...found]
    .map(([, inline, defined]) => inline ?? defined ?? '')
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      const to = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
      return { page, to, anchor };
    });
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

const LINKS = PAGES.flatMap(linksOf);

/** The page about the tests belongs to them. */
const isWritten = ({ to }: Link) => to !== join('test', 'README.md') || existsSync(join(ROOT, to));

describe('the pages of the documentation', () => {
  it('link and show only existing files', () => {
    const dead = LINKS.filter((link) => isWritten(link) && !existsSync(join(ROOT, link.to)));
    expect(dead).toEqual([]);
  });

  it('link only to existing headings', () => {
    const dead = LINKS.filter(isWritten).filter(
      ({ to, anchor }) => anchor !== '' && !anchorsOf(to).includes(anchor),
    );
    expect(dead).toEqual([]);
    expect(LINKS.filter(({ anchor }) => anchor !== '').length).toBeGreaterThan(30);
  });

  it('show only pictures that are named in place, or at the end of the page', () => {
    for (const page of PAGES) {
      const prose = proseOf(page);
      for (const [, name = ''] of prose.matchAll(/\]\[(\w+)\]/g))
        expect(prose, page).toContain(`\n[${name}]: `);
    }
  });

  it('can all be reached from the front page', () => {
    const reached = new Set([FRONT]);
    for (const page of reached)
      for (const { to } of LINKS.filter((link) => link.page === page)) reached.add(to);
    expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
  });

  it('name only commands and scripts that exist', () => {
    const titles = titlesOfCommands();
    for (const page of PAGES) {
      const text = read(page).replace(/\s+/g, ' ');
      for (const [, named] of text.matchAll(/_(Plimsoll: [^_]+)_/g))
        expect(titles, page).toContain(named);
      for (const [, script] of text.matchAll(/npm run ([\w:]+)/g))
        expect(Object.keys(PACKAGE.scripts), page).toContain(script);
    }
  });
});

describe('the front page', () => {
  it('is short, and its tables are narrow', () => {
    const lines = read(FRONT).split('\n');
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
    expect(lines.filter((line) => line.startsWith('|') && line.length > WIDEST_TABLE)).toEqual([]);
  });

  it('shows a picture within the first ten lines', () => {
    expect(read(FRONT).split('\n').slice(0, 10).join('\n')).toContain('![');
  });
});

describe('the manual of the panel', () => {
  it('lists every command', () => {
    const manual = read(join('webview', 'contextPanel', 'README.md'));
    expect(titlesOfCommands().filter((title) => !manual.includes(`| _${title}_ `))).toEqual([]);
  });
});

describe('the page of the command line', () => {
  it('shows the current help text', () => {
    expect(read(join('src', 'cli', 'README.md'))).toContain(`\`\`\`\n${HELP}\n\`\`\`\n`);
  });
});

describe('the page of the source', () => {
  it('explains each library, and no others', () => {
    const page = read(join('src', 'README.md'));
    const [, section = ''] = page.split('\n## Libraries\n');
    const [, list = ''] = /\n((?:- |  )[^]*?)\n\n/.exec(section) ?? [];
    const named = [...list.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
    const libraries = Object.keys(PACKAGE.devDependencies);
    expect(named.toSorted()).toEqual(
      libraries.filter((name) => !name.startsWith('@types/')).toSorted(),
    );
  });
});

describe('the reference of the settings', () => {
  it('is up to date with npm run docs', async () => {
    const page = read(SETTINGS);
    expect(page, 'Run npm run docs.').toBe(await settingsReadme(page, SETTINGS_SECTIONS));
  });

  it('describes nested values and deprecated settings', async () => {
    const properties = {
      'plimsoll.edits': {
        type: 'object',
        default: { keep: 3 },
        properties: {
          keep: { type: ['integer', 'null'], minimum: 1, default: 3, description: 'What stays.' },
        },
        markdownDescription: 'Not `#plimsoll.old#`.',
      },
      'plimsoll.old': {
        type: 'boolean',
        default: false,
        description: 'What it was.',
        deprecationMessage: 'Use plimsoll.edits.keep.',
      },
    };
    const page = await settingsReadme(read(SETTINGS), [{ title: 'Edits', properties }]);
    const reference = page.slice(page.indexOf('| setting'));
    expect(reference.replace(/<!--[^]*/, ''))
      .toBe(`| setting                            | default      |
| ---------------------------------- | ------------ |
| [\`plimsoll.edits\`](#plimsolledits) | \`{"keep":3}\` |
| [\`plimsoll.old\`](#plimsollold)     | deprecated   |

### Edits

#### \`plimsoll.edits\`

Not [\`plimsoll.old\`](#plimsollold).

Takes an object with any of these keys:

- \`keep\`: What stays. Default: \`3\`. Takes a whole number of at least 1, or \`null\`.

#### \`plimsoll.old\`

**Deprecated.** Use \`plimsoll.edits.keep\`.

What it was.

Default: \`false\`. Takes \`true\` or \`false\`.

`);
  });
});

function titlesOfCommands(): readonly string[] {
  return PACKAGE.contributes.commands.map(({ category, title }) => `${category}: ${title}`);
}
