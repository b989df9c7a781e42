import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { CLAUDE_CODE } from '../lens/claudeCodeSessions';
import { extensionFolders } from '../lens/editorFolders';
import type { LensPlaces, Machine } from '../lens/foundSession';
import { type CapturedAgent, CaptureStore, STORE_NAME } from './captureStore';
import { recordedFolder } from './claudeCodeSwitch';
import type { CaptureFolders } from './joinCaptures';

/** Makes Codex record its requests; it is read when Codex starts. */
export const CODEX_VARIABLE = 'CODEX_ROLLOUT_TRACE_ROOT';

/** Where agents record their requests by the user's own settings, Plimsoll's change included. */
export async function captureFolders(
  machine: Machine,
  places: LensPlaces,
): Promise<Required<CaptureFolders>> {
  const text = await claudeCodeSettings(machine, places).catch(() => undefined);
  return {
    'claude-code': absolute(recordedFolder(text ?? '')),
    codex: absolute(machine.environment[CODEX_VARIABLE]),
  };
}

/** Those folders, and where Plimsoll in any editor keeps the requests that it made agents record. */
export async function allCaptureFolders(
  machine: Machine,
  places: LensPlaces,
): Promise<Required<CaptureFolders>> {
  const named = await captureFolders(machine, places);
  const stores = extensionFolders('plimsoll.plimsoll', machine).map(
    (folder) => new CaptureStore(join(folder, STORE_NAME)),
  );
  const withStores = (agent: CapturedAgent) => [
    ...new Set([...named[agent], ...stores.map((store) => store.folderOf(agent))]),
  ];
  return { 'claude-code': withStores('claude-code'), codex: withStores('codex') };
}

/** Claude Code's settings of the user; undefined if there is no such file. */
export async function claudeCodeSettings(
  machine: Machine,
  places: LensPlaces,
): Promise<string | undefined> {
  try {
    return await readFile(claudeCodeSettingsFile(machine, places), 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing) return undefined;
    throw error;
  }
}

/** The file with Claude Code's settings of the user; where the lens is switched off, its usual one. */
export function claudeCodeSettingsFile(machine: Machine, places: LensPlaces): string {
  const given = [places['claude-code'] ?? []].flat().filter((one) => one !== '');
  const [place = ''] = given.length === 0 ? CLAUDE_CODE.places(machine) : given;
  const folder = place.startsWith('~') ? join(machine.home, place.slice(1)) : resolve(place);
  return join(folder, 'settings.json');
}

function absolute(folder: string | undefined): readonly string[] {
  return folder !== undefined && isAbsolute(folder) ? [folder] : [];
}
