import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { Worker } from 'node:worker_threads';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandReader } from '../src/agent/approvals/shellCommand';
import { countHere } from '../src/model/rawTokens';
import { packageExtension } from './harness/package/packageExtension.mjs';

const ANIMATION = 'media/context-panel-animation.png';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-package-'));
const file = join(folder, 'plimsoll.vsix');
let bundled: readonly string[] = [];
let files: Readonly<Record<string, Uint8Array>> = {};

beforeAll(async () => {
  // The packer lists the files that it packs.
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  bundled = await packageExtension(file);
  files = unzipSync(readFileSync(file));
}, 120_000);
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function text(name: string): string {
  const content = files[`extension/${name}`];
  if (content === undefined) throw new Error(`The package has no ${name}.`);
  return strFromU8(content);
}

/** The packages whose code a source imports; types are not in the bundles. */
function packagesIn(path: string): readonly string[] {
  const source = readFileSync(path, 'utf8');
  const imports = source.matchAll(
    /^(?:import|export) (?!type )[^;]*?from '([^']+)'|import\('([^']+)'\)/gm,
  );
  return [...imports].flatMap(([, from = '', lazily = '']) => {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(from || lazily)?.[0] ?? '';
    return /^(?:\.|node:|vscode$)/.test(name) ? [] : [name];
  });
}

describe('the animation', () => {
  it('is smaller than 2 MB, and repeats its frames', () => {
    const bytes = readFileSync(join(import.meta.dirname, '..', ANIMATION));
    expect(bytes.length).toBeLessThan(2_000_000);
    const chunks: { readonly type: string; readonly at: number }[] = [];
    for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) {
      chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), at: at + 8 });
    }
    const frames = chunks.filter(({ type }) => type === 'fcTL').length;
    const control = chunks.find(({ type }) => type === 'acTL')!;
    expect(frames).toBeGreaterThan(10);
    expect([bytes.readUInt32BE(control.at), bytes.readUInt32BE(control.at + 4)]).toEqual([
      frames,
      0,
    ]);
  });

  it('opens the README, and is not in the package', () => {
    const page = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    expect(page.match(/!\[[^\]]*\]\(([^)]+)\)/)?.[1]).toBe(ANIMATION);
    expect(Object.keys(files)).not.toContain(`extension/${ANIMATION}`);
  });
});

describe('the package', () => {
  it('is smaller than 2.7 MB, and has no source map', () => {
    expect(statSync(file).size).toBeLessThan(2_700_000);
    expect(Object.keys(files).filter((name) => name.endsWith('.map'))).toEqual([]);
    const scripts = Object.keys(files).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(10);
    for (const name of scripts) {
      expect(strFromU8(files[name]!), name).not.toMatch(/^\/\/# sourceMappingURL=/m);
    }
  });

  it('has every file that its manifest and the extension name', () => {
    const manifest = text('package.json');
    for (const [, path] of manifest.matchAll(/"(?:\.\/)?((?:media|dist)\/[^"]+)"/g)) {
      expect(files, path).toHaveProperty([`extension/${path}`]);
    }
    for (const name of [
      'dist/cli.js',
      'dist/countWorker.js',
      'dist/schemaWorker.js',
      'media/plimsoll-tab.svg',
    ]) {
      expect(files).toHaveProperty([`extension/${name}`]);
    }
  });

  it('has a tokenizer whose table is complete', async () => {
    for (const name of ['countWorker.js', 'tokens.br']) {
      writeFileSync(join(folder, name), files[`extension/dist/${name}`]!);
    }
    const texts = [
      'const harbour = ships.map((ship) => ship.draught);',
      'Über die Wellen, 波を越えて 🌊',
    ];
    const worker = new Worker(join(folder, 'countWorker.js'));
    const answer = new Promise((resolve) => worker.once('message', resolve));
    worker.postMessage({ id: 1, texts });
    expect(await answer).toEqual({ id: 1, counts: await countHere(texts) });
    await worker.terminate();
  });

  it('has the grammar of bash, which reads commands', async () => {
    for (const name of ['tree-sitter.js', 'tree-sitter.wasm.br', 'tree-sitter-bash.wasm.br']) {
      writeFileSync(join(folder, name), files[`extension/dist/${name}`]!);
    }
    expect(await commandReader(folder, true)('npm test && git push')).toMatchObject({
      ok: true,
      parts: [{ words: ['npm', 'test'] }, { words: ['git', 'push'] }],
    });
  });

  it('has every chunk that another one loads', () => {
    const loads = Object.keys(files)
      .filter((name) => /^extension\/dist\/(extension\/)?[^/]+\.js$/.test(name))
      .flatMap((name) =>
        [...strFromU8(files[name]!).matchAll(/\b(?:require|import)\("(\.[^"]+)"\)/g)].map(
          ([, target = '']) => posix.join(posix.dirname(name), target),
        ),
      );
    expect(loads.length).toBeGreaterThan(100);
    expect(loads.filter((target) => files[target] === undefined)).toEqual([]);
  });

  it('names no repository, home page or issue tracker that does not exist', () => {
    const manifest = JSON.parse(text('package.json')) as object;
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(repository|bugs|homepage)$/)]),
    );
  });

  it('has the licences of everything in the bundles', () => {
    const notices = text('THIRD-PARTY-NOTICES.txt');
    const names = bundled.map((path) => path.slice(path.lastIndexOf('node_modules/') + 13));
    expect(names).toEqual(expect.arrayContaining(['preact', 'zod', '@anthropic-ai/sdk']));
    for (const name of names) expect(notices, name).toContain(`\n${name} `);
    expect(text('LICENSE.txt')).toContain('MIT');
  });

  it('names the authors of the grammars that it copies', () => {
    const notices = text('THIRD-PARTY-NOTICES.txt');
    const grammars = Object.keys(files).filter((name) => name.endsWith('.wasm.br'));
    expect(grammars).toHaveLength(2);
    for (const path of grammars) {
      const name = /([^/]+)\.wasm\.br$/.exec(path)?.[1] ?? '';
      const [, notice = ''] = notices.split(`\n${name}, in @vscode/tree-sitter-wasm `);
      expect(notice.split('-'.repeat(78))[1], name).toMatch(/Copyright \(c\) [\d-]+ Max Brunsfeld/);
    }
  });

  it('has a notice for every package that its sources import', () => {
    const notices = text('THIRD-PARTY-NOTICES.txt');
    const imported = new Set(
      ['src', 'webview'].flatMap((folder) =>
        readdirSync(join(import.meta.dirname, '..', folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('offline/sample'))
          .flatMap((name) => packagesIn(join(import.meta.dirname, '..', folder, name))),
      ),
    );
    expect([...imported]).toEqual(expect.arrayContaining(['preact', 'zod', 'jsonc-parser']));
    const missing = [...imported].filter((name) => !notices.includes(`\n${name} `));
    expect(missing).toEqual([]);
  });

  it('has a front page whose pictures are in it and whose links work', () => {
    const page = text('readme.md');
    const targets = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const pictures = targets.filter((target) => target.startsWith('data:image/png;base64,'));
    expect(pictures).toHaveLength(4);
    for (const picture of pictures) {
      const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
      expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    }
    const others = targets.filter((target) => !pictures.includes(target));
    expect(others.filter((target) => !/^(https?:|#)/.test(target))).toEqual([]);
  });
});
