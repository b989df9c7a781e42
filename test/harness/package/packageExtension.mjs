// `npm run package [-- FILE]`: packs the extension as a VSIX for any VS Code, named
// plimsoll-VERSION.vsix.
import '../requireNode.mjs';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { inRepository } from '../paths.mjs';
import { ensureDependencies } from '../prepareClone.mjs';
import { scratchFolder } from '../processes/leavings.mjs';
import { runCommand } from '../processes/runCommand.mjs';
import { checkDependencies } from './checkDependencies.mjs';
import { packagedReadme } from './packagedReadme.mjs';
import { bundledPackages, thirdPartyNotices } from './thirdPartyNotices.mjs';

/** Largest size of a package, in bytes. */
const MOST_BYTES = 2_700_000;

/** Files that ship unchanged. */
const FILES = ['CHANGELOG.md', 'LICENSE', 'media/plimsoll-tab.svg'];

/** The fields of package.json that only builds need. */
const FOR_BUILDERS = ['private', 'scripts', 'devDependencies', 'allowScripts'];

/**
 * Builds for production, checks the dependencies, and packs the result with its licences into `file`.
 * Returns the bundled packages.
 *
 * The build uses a separate folder, so dist/ stays unchanged.
 */
export async function packageExtension(file) {
  const scratch = scratchFolder('package');
  try {
    const metafile = join(scratch.path, 'metafile.json');
    const folder = join(scratch.path, 'extension');
    mkdirSync(folder);
    const { code } = await runCommand(process.execPath, [
      'esbuild.mjs',
      '--production',
      `--out=${join(folder, 'dist')}`,
      `--metafile=${metafile}`,
    ]);
    if (code !== 0) throw new Error('The build failed, see above.');
    const packages = bundledPackages(JSON.parse(readFileSync(metafile, 'utf8')).inputs);
    checkDependencies(packages);
    writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(packages));
    addPages(folder);
    mkdirSync(dirname(file), { recursive: true });
    const { createVSIX } = await import('@vscode/vsce');
    await createVSIX({
      cwd: folder,
      packagePath: file,
      dependencies: false,
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
    });
    const { size } = statSync(file);
    if (size > MOST_BYTES) {
      throw new Error(`The package has ${size} bytes; more than ${MOST_BYTES} is too much.`);
    }
    return packages;
  } finally {
    scratch.remove();
  }
}

function addPages(folder) {
  const manifest = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'));
  for (const name of FOR_BUILDERS) delete manifest[name];
  manifest.files = ['**']; // All files below this folder.
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  const page = readFileSync(inRepository('README.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), packagedReadme(page));
  for (const name of [...FILES, ...picturesOf(manifest)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(inRepository(name), join(folder, name));
  }
}

/** The pictures that the manifest names, such as the icon of a view. */
function picturesOf(manifest) {
  const named = JSON.stringify(manifest).matchAll(/"(?:\.\/)?(media\/[^"]+)"/g);
  return [...new Set([...named].map(([, path]) => path))];
}

if (process.argv[1] === import.meta.filename) {
  try {
    const { version } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'));
    const file = resolve(process.argv[2] ?? inRepository(`plimsoll-${version}.vsix`));
    await ensureDependencies(console.log);
    await packageExtension(file);
    console.log(`Install it with: code --install-extension ${file}`);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
