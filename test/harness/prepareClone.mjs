import { existsSync, readFileSync } from 'node:fs';
import { inRepository } from './paths.mjs';
import { runCommand, runNpm } from './processes/runCommand.mjs';

/** Installs the clone's packages if node_modules is missing or does not match the lockfile. */
export async function ensureDependencies(say) {
  if (matchesLockfile()) return;
  say('Installing packages (npm ci)...');
  const { code } = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund']);
  if (code !== 0) {
    throw new Error(
      'npm ci failed, see above. If the registry could not be reached, check the network and run again.',
    );
  }
}

/** Compares content, not times: a checkout touches the lockfile without changing it. */
function matchesLockfile() {
  const installedFile = inRepository('node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(inRepository('package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && !installed[path]),
  );
}

/** Builds dist/, with the editor suite if `tests` is set. */
export async function build(say, { tests = false } = {}) {
  say('Building...');
  const { code } = await runCommand(process.execPath, [
    'esbuild.mjs',
    ...(tests ? ['--tests'] : []),
  ]);
  if (code !== 0) throw new Error('The build failed, see above.');
}
