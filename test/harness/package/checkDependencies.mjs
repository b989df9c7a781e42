import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRepository, repository } from '../paths.mjs';

/** Licences of what ships: they ask for no more than a notice. */
const SHIPPED =
  'MIT Apache-2.0 BSD-2-Clause BSD-3-Clause ISC 0BSD BlueOak-1.0.0 Unlicense CC-BY-4.0 Zlib';
/** Licences of what only builds and tests. */
const USED = `${SHIPPED} MPL-2.0 Artistic-2.0 PSF-2.0 Python-2.0`;
/** Packages with a licence text of their own, which was read: none of them ships. */
const READ = /^(@modelcontextprotocol\/server-everything|@vscode\/vsce-sign.*)$/;

/** A version that was pinned longer ago has to be looked at again; days. */
const MOST_DAYS = 365;

/**
 * Checks the dependencies without a network: exact versions in package.json, a checksum for each package, allowed
 * licences, installed packages that are those of the lock file, and no version that was pinned long ago.
 *
 * `bundled` are the folders of the packages that ship. `pinned` maps folders to dates in ms; undefined where they are
 * not known. `installed` reads the package.json of a folder, or returns undefined. Returns sentences.
 */
export function dependencyProblems({ manifest, lock, bundled, installed, pinned, now }) {
  const problems = [];
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      if (!/^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        problems.push(`${name} has no exact version in package.json: ${version}.`);
      if (lock.packages['']?.[kind]?.[name] !== version)
        problems.push(`${name} has another version in package-lock.json than in package.json.`);
    }
  }
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (folder === '') continue;
    const name = entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 13);
    const ships = bundled.includes(folder);
    if (entry.integrity?.startsWith('sha512-') !== true) problems.push(`${name} has no checksum.`);
    if (entry.resolved !== undefined && !entry.resolved.startsWith('https://registry.npmjs.org/'))
      problems.push(`${name} comes from ${entry.resolved}, not from the registry.`);
    const own = installed(folder);
    if (own !== undefined && own.version !== entry.version)
      problems.push(
        `${name} is installed as ${own.version}; package-lock.json has ${entry.version}.`,
      );
    for (const licence of new Set([entry.license, own?.license ?? entry.license])) {
      const isRead = !ships && READ.test(name);
      if (!isRead && !allows(licence, (ships ? SHIPPED : USED).split(' ')))
        problems.push(
          `${name} has the licence ${licence}, which is not allowed${ships ? ' in what ships' : ''}.`,
        );
    }
    const days = Math.floor((now - (pinned?.get(folder) ?? now)) / 86_400_000);
    if (days > MOST_DAYS)
      problems.push(
        `${name} ${entry.version} was pinned ${days} days ago: update it, or look at it again.`,
      );
  }
  return problems;
}

/** Whether a licence, or one of those joined by OR, is in a list. */
function allows(licence, allowed) {
  const terms = String(licence).replace(/^\(|\)$/g, '');
  return terms
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)));
}

/** When each version got into package-lock.json, from git's history; undefined without one. */
function pinnedDates() {
  let lines;
  try {
    lines = execFileSync('git', ['blame', '--line-porcelain', 'package-lock.json'], {
      cwd: repository,
      encoding: 'utf8',
      maxBuffer: 100_000_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n');
  } catch {
    return undefined;
  }
  const dates = new Map();
  let [time, folder] = [0, ''];
  for (const line of lines) {
    if (line.startsWith('author-time ')) time = Number(line.slice(12)) * 1_000;
    folder = /^\t {4}"(node_modules\/[^"]+)": \{$/.exec(line)?.[1] ?? folder;
    if (/^\t {6}"version": /.test(line)) dates.set(folder, time);
  }
  return dates;
}

/** Throws when a dependency is not as it must be; `bundled` are the folders of what ships. */
export function checkDependencies(bundled) {
  const json = (...path) => JSON.parse(readFileSync(inRepository(...path), 'utf8'));
  const pinned = pinnedDates();
  if (pinned === undefined)
    console.log('The age of the dependencies was not checked: git has no history of them here.');
  const problems = dependencyProblems({
    manifest: json('package.json'),
    lock: json('package-lock.json'),
    bundled,
    pinned,
    now: Date.now(),
    installed: (folder) => {
      try {
        return json(folder, 'package.json');
      } catch {
        return undefined; // A package of another system.
      }
    },
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
