import { describe, expect, it } from 'vitest';
import { checkDependencies, dependencyProblems } from './package/checkDependencies.mjs';

const NOW = Date.UTC(2026, 10, 1);
const ENTRY = { version: '1.2.3', license: 'MIT', integrity: 'sha512-x' };

function problems({
  version = '1.2.3',
  entry = {},
  installed,
  ships = false,
  pinnedDays = 0,
}: {
  readonly version?: string;
  readonly entry?: object;
  readonly installed?: { readonly version: string; readonly license: string };
  readonly ships?: boolean;
  readonly pinnedDays?: number;
}): readonly string[] {
  const folder = 'node_modules/dep';
  return dependencyProblems({
    manifest: { devDependencies: { dep: version } },
    lock: {
      packages: { '': { devDependencies: { dep: version } }, [folder]: { ...ENTRY, ...entry } },
    },
    bundled: ships ? [folder] : [],
    installed: () => installed,
    pinned: new Map([[folder, NOW - pinnedDays * 86_400_000]]),
    now: NOW,
  });
}

describe('the check of the dependencies', () => {
  it('finds nothing wrong with an exact version, a checksum and an allowed licence', () => {
    expect(problems({ installed: ENTRY, ships: true, pinnedDays: 300 })).toEqual([]);
    expect(problems({ version: 'npm:@x/dep@1.2.3' })).toEqual([]);
    expect(problems({ entry: { license: '(MIT OR GPL-3.0-or-later)' }, ships: true })).toEqual([]);
    expect(problems({ entry: { license: 'MPL-2.0' } })).toEqual([]);
  });

  it.each([
    [{ version: '^1.2.3' }, 'dep has no exact version in package.json: ^1.2.3.'],
    [{ version: 'latest' }, 'dep has no exact version in package.json: latest.'],
    [{ entry: { integrity: undefined } }, 'dep has no checksum.'],
    [
      { entry: { resolved: 'git+ssh://git@example.org/dep.git' } },
      'dep comes from git+ssh://git@example.org/dep.git, not from the registry.',
    ],
    [
      { installed: { version: '1.2.4', license: 'MIT' } },
      'dep is installed as 1.2.4; package-lock.json has 1.2.3.',
    ],
    [
      { installed: { version: '1.2.3', license: 'GPL-3.0' } },
      'dep has the licence GPL-3.0, which is not allowed.',
    ],
    [
      { entry: { license: 'MPL-2.0' }, ships: true },
      'dep has the licence MPL-2.0, which is not allowed in what ships.',
    ],
    [
      { entry: { license: '(MIT AND GPL-3.0)' } },
      'dep has the licence (MIT AND GPL-3.0), which is not allowed.',
    ],
    [{ entry: { license: undefined } }, 'dep has the licence undefined, which is not allowed.'],
    [{ pinnedDays: 400 }, 'dep 1.2.3 was pinned 400 days ago: update it, or look at it again.'],
  ])('reports %j', (facts, problem) => expect(problems(facts)).toEqual([problem]));

  it('reports a version that the lock file does not have', () => {
    const found = dependencyProblems({
      manifest: { devDependencies: { dep: '1.2.4' } },
      lock: { packages: { '': { devDependencies: { dep: '1.2.3' } } } },
      bundled: [],
      installed: () => undefined,
      pinned: undefined,
      now: NOW,
    });
    expect(found).toEqual(['dep has another version in package-lock.json than in package.json.']);
  });

  it('accepts the dependencies of this repository', () => {
    expect(() => checkDependencies([])).not.toThrow();
  });
});
