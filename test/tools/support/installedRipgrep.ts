import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import { findRipgrep } from '../../../src/tools/search/ripgrep';

/** Finds a ripgrep for tests: PLIMSOLL_RG, the PATH, or the editor in which tests run. */
export function installedRipgrep(): string | undefined {
  return (
    findRipgrep(oneFolder('/none'), process.env['PLIMSOLL_RG']) ??
    findRipgrep(oneFolder('/none'), ofEditor())
  );
}

function ofEditor(): string | undefined {
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const cache = process.env['PLIMSOLL_CACHE'] || join(caches, 'plimsoll');
  if (!existsSync(cache)) return undefined;
  const target = `${process.platform}-${process.arch}`;
  const inEditor = 'node_modules/code-server/lib/vscode/node_modules/@vscode/ripgrep-universal/bin';
  return readdirSync(cache)
    .filter((name) => name.startsWith('editor-host-') && !name.endsWith('.lock'))
    .map((name) => join(cache, name, inEditor, target, 'rg'))
    .find(existsSync);
}
