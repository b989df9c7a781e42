import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from './paths.mjs';
import { scratchFolder } from './processes/leavings.mjs';

/**
 * Copies the built sample into a scratch folder outside any repository, so that the agent may
 * change it freely.
 */
export function sampleWorkspace() {
  const scratch = scratchFolder('workspace');
  const path = join(scratch.path, 'sample');
  cpSync(inRepository('dist', 'sample'), path, { recursive: true });
  return { path, remove: scratch.remove };
}
