import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../paths.mjs';

const RULE = '-'.repeat(78);

/** The MIT licence without its copyright line. */
const MIT_TERMS = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * Works inside a package whose own licence names only the people who packed them, with the line of
 * their authors. All are under the MIT licence.
 */
const CONTAINED = {
  '@vscode/tree-sitter-wasm': {
    'tree-sitter': 'Copyright (c) 2018-2023 Max Brunsfeld',
    'tree-sitter-bash': 'Copyright (c) 2017 Max Brunsfeld',
  },
};

/**
 * Lists the packages in the bundles, as folders below node_modules, sorted.
 *
 * `inputs` comes from esbuild's metafile: every file in a bundle.
 */
export function bundledPackages(inputs) {
  const folders = Object.keys(inputs).flatMap((path) => {
    const found = /^(?:[a-z-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
    return found ? [found[1]] : [];
  });
  return [...new Set(folders)].sort();
}

/**
 * Writes the notices of the bundled packages: name, version and full licence of each.
 *
 * A package that names the MIT licence but has no text of it gets that licence's own. Throws if
 * another licence text is missing: Plimsoll ships nothing without its terms.
 */
export function thirdPartyNotices(folders) {
  const notices = folders.map((folder) => {
    const path = join(repository, folder);
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const texts = licenceFiles(path).map((file) => readFileSync(join(path, file), 'utf8').trim());
    if (texts.length === 0) texts.push(termsOf(name, license));
    const own = noticeOf(`${nameOf(folder, name)} ${version} (${license})`, texts.join('\n\n'));
    const contained = Object.entries(CONTAINED[name] ?? {}).map(([work, copyright]) =>
      noticeOf(`${work}, in ${name} ${version} (MIT)`, `${copyright}\n\n${MIT_TERMS}`),
    );
    return [own, ...contained].join('\n');
  });
  return [
    'Plimsoll includes third-party packages under the licences below.\n',
    ...notices.map((notice) => notice.replaceAll('\r\n', '\n')),
  ].join('\n');
}

function noticeOf(heading, text) {
  return `${RULE}\n${heading}\n${RULE}\n\n${text}\n`;
}

/** A package that is installed under another name has both. */
function nameOf(folder, name) {
  const alias = folder.slice(folder.lastIndexOf('node_modules/') + 13);
  return alias === name ? name : `${alias} (${name})`;
}

function licenceFiles(folder) {
  return readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
}

/** The licence that a package names without including its text. */
function termsOf(name, license) {
  if (license !== 'MIT') throw new Error(`${name} has no text of its licence (${license}).`);
  return `Copyright (c) the authors of ${name}

${MIT_TERMS}`;
}
