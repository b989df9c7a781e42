import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(__dirname, '..');
const SAMPLE = join('src', 'offline', 'sample');

/** The folders (or top files) of src that each one may import, apart from itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  contextWindow: [],
  settings: ['contextWindow'],
  agent: ['contextWindow'],
  model: ['contextWindow', 'agent'],
  tools: ['contextWindow', 'agent'],
  sessions: ['contextWindow', 'agent'],
  recordings: ['contextWindow', 'agent', 'sessions'],
  replay: ['contextWindow', 'model', 'sessions', 'recordings'],
  telemetry: ['contextWindow', 'sessions'],
  offline: [],
  editor: [
    'agent',
    'contextWindow',
    'model',
    'recordings',
    'replay',
    'sessions',
    'settings',
    'telemetry',
    'tools',
  ],
  cli: [
    'agent',
    'contextWindow',
    'editor',
    'model',
    'offline',
    'recordings',
    'replay',
    'sessions',
    'settings',
    'telemetry',
    'tools',
  ],
  'extension.ts': [
    'agent',
    'contextWindow',
    'editor',
    'model',
    'offline',
    'recordings',
    'replay',
    'sessions',
    'settings',
    'telemetry',
    'tools',
  ],
  'cli.ts': ['cli'],
  webview: ['editor'],
};

interface Import {
  readonly file: string;
  readonly from: string;
  /** A path from the root for our own files, else the package's name. */
  readonly target: string;
  readonly own: boolean;
  readonly typesOnly: boolean;
}

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith(SAMPLE));
}

/** Reads every import of a file, type imports included. */
function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g,
  );
  return [...found].map((match) => {
    const target = match[1] ?? match[2]!;
    const own = target.startsWith('.');
    return {
      file,
      from: roomOf(file),
      target: own ? relative(ROOT, resolve(ROOT, dirname(file), target)) : target,
      own,
      typesOnly: /^\s*(?:import|export) type\b/.test(match[0]),
    };
  });
}

/** The folder below src, the top file of src, or webview. */
function roomOf(path: string): string {
  const [top, second] = path.split(sep);
  if (top !== 'src') return top!;
  const name = second ?? '';
  return ['extension', 'cli'].includes(name) &&
    path.split(sep).length === 2 &&
    !path.endsWith('.ts')
    ? topFileOrFolder(path, name)
    : name;
}

/** An import of `./cli` names the file, one of `./cli/run` the folder. */
function topFileOrFolder(path: string, name: string): string {
  return path.endsWith(name) ? `${name}.ts` : name;
}

/** The pages of the editor: they may import the features that they show. */
const PAGES = new Set(['chat', 'contextPanel', 'conversation']);

const IMPORTS = [...sources('src'), ...sources('webview')].flatMap(importsOf);

/** The imports within the editor. */
const EDITOR = IMPORTS.filter(({ from }) => from === 'editor');

/** The imports between features of the editor; all may import `session`. */
const BETWEEN_FEATURES = EDITOR.flatMap(({ file, target, own }) => {
  const [from, to] = [featureOf(file), featureOf(target)];
  return own && from !== undefined && to !== undefined && from !== to ? [[from, to] as const] : [];
});

/** The folder below src/editor; undefined for its root and for other folders. */
function featureOf(path: string): string | undefined {
  const [top, room, feature, file] = path.split(sep);
  return top === 'src' && room === 'editor' && file !== undefined ? feature : undefined;
}

describe('dependency rule', () => {
  it('reads the imports it checks', () => {
    expect(IMPORTS.length).toBeGreaterThan(200);
    expect(importsOf('src/agent/runTurn.ts').map(({ target }) => target)).toContain(
      join('src', 'contextWindow', 'block'),
    );
  });

  it('lets every folder import only what the tree allows', () => {
    const wrong = IMPORTS.filter(({ from, target, own }) => {
      if (!own) return false;
      const to = roomOf(target);
      return to !== from && !(ALLOWED[from] ?? []).includes(to);
    });
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('keeps the core free of Node, the editor and every package', () => {
    const wrong = IMPORTS.filter(({ from, own }) => from === 'contextWindow' && !own);
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('keeps the schemas of wishes out of the webviews, which import only their types', () => {
    const seen = new Set<string>();
    const waiting = sources('webview').map(stem);
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      const values = IMPORTS.filter((one) => stem(one.file) === file && !one.typesOnly);
      expect(values.filter(({ target }) => target.startsWith('zod'))).toEqual([]);
      waiting.push(...values.filter(({ own }) => own).map(({ target }) => target));
    }
    expect(seen).toContain(join('src', 'editor', 'contextPanel', 'state'));
  });

  it('lets only editor and extension.ts import vscode, and only model the SDK', () => {
    const of = (name: string) =>
      new Set(
        IMPORTS.filter(({ target }) => target === name || target.startsWith(`${name}/`)).map(
          ({ from }) => from,
        ),
      );
    expect(
      [...of('vscode')].filter((room) => room !== 'editor' && room !== 'extension.ts'),
    ).toEqual([]);
    expect([...of('@anthropic-ai/sdk')]).toEqual(['model']);
    expect([...of('js-tiktoken')]).toEqual(['model']);
  });

  it('keeps the state of pages and its derivation free of vscode', () => {
    const wrong = EDITOR.filter(
      ({ file, target }) => /\/(?:state|derive)\.ts$/.test(file) && target === 'vscode',
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  it('lets features of the editor import no page', () => {
    const wrong = BETWEEN_FEATURES.filter(([from, to]) => PAGES.has(to) && !PAGES.has(from));
    expect(wrong.map(([from, to]) => `${from} imports ${to}`)).toEqual([]);
  });

  it('lets no helper at the root of the editor that a feature imports import a page', () => {
    const isRoot = (path: string) => featureOf(path) === undefined;
    const helpers = new Set(
      EDITOR.filter(({ file, target, own }) => own && !isRoot(file) && isRoot(target)).map(
        ({ target }) => target,
      ),
    );
    const wrong = EDITOR.filter(
      ({ file, target }) => helpers.has(stem(file)) && PAGES.has(featureOf(target) ?? ''),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('lets no two features of the editor import each other', () => {
    const imports = new Set(BETWEEN_FEATURES.map(([from, to]) => `${from} ${to}`));
    const mutual = BETWEEN_FEATURES.filter(
      ([from, to]) => from < to && imports.has(`${to} ${from}`),
    );
    expect(mutual.map(([from, to]) => `${from} and ${to}`)).toEqual([]);
  });

  it("lets the command line import only the panel's exports from the editor", () => {
    const wrong = IMPORTS.filter(
      ({ from, target }) =>
        from === 'cli' &&
        target.startsWith(join('src', 'editor')) &&
        !target.startsWith(join('src', 'editor', 'contextPanel', 'exports')),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('lets pages import only state, types of wishes and pure helpers of the editor', () => {
    const wrong = IMPORTS.filter(
      ({ from, target, typesOnly }) =>
        from === 'webview' && basename(target) === 'wishes' && !typesOnly,
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('gives every file a name of its own, apart from the names that every feature has', () => {
    const shared = new Set(['state', 'derive', 'wishes', 'panel', 'words', 'main']);
    const names = [...sources('src'), ...sources('webview')]
      .map((file) => basename(file).replace(/\.tsx?$/, ''))
      .filter((name) => !shared.has(name));
    const twice = names.filter((name, at) => names.indexOf(name) < at);
    expect(twice).toEqual([]);
  });

  it('imports the component toolkit in one file', () => {
    const files = IMPORTS.filter(({ target }) => target === '@vscode/webview-ui-toolkit').map(
      ({ file }) => file,
    );
    expect(new Set(files)).toEqual(new Set([join('webview', 'kit', 'toolkit.ts')]));
  });

  it('has no cycle of imports', () => {
    const graph = new Map<string, string[]>();
    for (const { file, target, own, typesOnly } of IMPORTS) {
      if (own && !typesOnly)
        graph.set(stem(file), [...(graph.get(stem(file)) ?? []), stem(target)]);
    }
    expect(cycleIn(graph)).toEqual([]);
  });

  it('has no two top folders that import each other', () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, target, own } of IMPORTS) {
      if (own && roomOf(target) !== from)
        graph.set(from, (graph.get(from) ?? new Set()).add(roomOf(target)));
    }
    const mutual = [...graph].flatMap(([from, targets]) =>
      [...targets].filter((to) => from < to && graph.get(to)?.has(from)).map((to) => [from, to]),
    );
    expect(mutual).toEqual([]);
  });
});

function stem(path: string): string {
  return path.replace(/\.tsx?$/, '');
}

/** Finds one cycle, depth first; an empty list means there is none. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle.length > 0) return cycle;
    }
    done.add(node);
    return [];
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
