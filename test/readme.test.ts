import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HELP } from '../src/cli/arguments';

const ROOT = resolve(__dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly category: string; readonly title: string }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default: unknown }>>;
    };
  };
};

describe('the README', () => {
  it('lists every setting with its default', () => {
    for (const [name, { default: value }] of Object.entries(
      PACKAGE.contributes.configuration.properties,
    )) {
      const row = README.split('\n').find((line) => line.startsWith(`| \`${name}\``));
      expect(row, name).toContain(`| \`${JSON.stringify(value)}\``);
    }
  });

  it('shows the help of the command line as it is', () => {
    expect(README).toContain(HELP);
  });

  it('names only commands and scripts that exist', () => {
    const titles = PACKAGE.contributes.commands.map(
      ({ category, title }) => `${category}: ${title}`,
    );
    for (const [, named] of README.matchAll(/\*(Plimsoll: [^*]+)\*/g))
      expect(titles).toContain(named);
    for (const [, script] of README.matchAll(/npm run ([\w:]+)/g)) {
      expect(Object.keys(PACKAGE.scripts)).toContain(script);
    }
  });

  it('shows and links only files that are there', () => {
    for (const [, path = ''] of README.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  it('says why each library is there', () => {
    for (const library of Object.keys(PACKAGE.devDependencies)) {
      if (library.startsWith('@types/')) continue;
      expect(README).toContain(library);
    }
  });
});
