import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from './paths.mjs';
import { scratchFolder } from './processes/leavings.mjs';

/** Copies the built sample into a scratch folder outside any repository, so that the agent may change it freely. */
export function sampleWorkspace({ withoutProvider = false } = {}) {
  const scratch = scratchFolder('workspace');
  const path = join(scratch.path, 'sample');
  cpSync(inRepository('dist', 'sample'), path, { recursive: true });
  if (withoutProvider) dropProvider(join(path, '.vscode', 'settings.json'));
  return { path, remove: scratch.remove };
}

/** Takes `plimsoll.provider` out of workspace settings, where it would outrank the user's. */
function dropProvider(file) {
  if (!existsSync(file)) return;
  const line = /^[ \t]*"plimsoll\.provider"[ \t]*:[ \t]*"[^"]*"[ \t]*,?[ \t]*\r?\n/m;
  writeFileSync(file, readFileSync(file, 'utf8').replace(line, ''));
}
