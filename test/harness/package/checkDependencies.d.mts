interface PackageJson {
  readonly version?: string;
  readonly license?: string;
}

interface LockEntry extends PackageJson {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What is wrong with the dependencies, in sentences. */
export function dependencyProblems(facts: {
  readonly manifest: { readonly devDependencies: Readonly<Record<string, string>> };
  readonly lock: { readonly packages: Readonly<Record<string, LockEntry>> };
  readonly bundled: readonly string[];
  readonly installed: (folder: string) => PackageJson | undefined;
  readonly pinned: ReadonlyMap<string, number> | undefined;
  readonly now: number;
}): readonly string[];

/** Throws when a dependency of this repository is not as it must be. */
export function checkDependencies(bundled: readonly string[]): void;
