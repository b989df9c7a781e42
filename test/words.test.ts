import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(__dirname, '..');
const SAMPLE = join('src', 'offline', 'sample');

/** The retired names of the glossary: a name in code; `*` stands for any letters. */
function retiredNames(): readonly string[] {
  const page = readFileSync(join(ROOT, 'src', 'README.md'), 'utf8');
  const table = page.split('### Retired')[1]?.split('\n#')[0] ?? '';
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!));
}

/** The identifiers of a file: its names without what stands in strings and comments. */
function identifiersOf(text: string): ReadonlySet<string> {
  const code = text.replace(
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    ' ',
  );
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}

const FILES = ['src', 'webview']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith(SAMPLE));

describe('the words of the glossary', () => {
  const retired = retiredNames();

  it('lists retired names', () => {
    expect(retired.length).toBeGreaterThan(15);
    expect(identifiersOf("const a = 'b'; // c\ncall(d)")).toEqual(
      new Set(['const', 'a', 'call', 'd']),
    );
  });

  it('are the only ones: no identifier has a retired name', () => {
    const patterns = retired.map((name) => new RegExp(`^${name.replaceAll('*', '[A-Za-z]*')}$`));
    const found = FILES.flatMap((file) =>
      [...identifiersOf(readFileSync(join(ROOT, file), 'utf8'))]
        .filter((identifier) => patterns.some((pattern) => pattern.test(identifier)))
        .map((identifier) => `${file}: ${identifier}`),
    );
    expect(found).toEqual([]);
  });
});
