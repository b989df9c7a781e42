import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { isObject } from '../contextWindow/json';
import { editorFolders } from '../recordings/lens/editorFolders';
import type { LensPlaces, Machine } from '../recordings/lens/foundSession';
import { SETTINGS } from '../settings/settings';
import type { Say } from './terminal';

const NAME = 'plimsoll.lens.places';

/**
 * The folders in `plimsoll.lens.places` in the user settings of VS Code and its relatives; where
 * several have it, the first counts. Says which settings cannot be used.
 */
export async function lensPlaces(machine: Machine, say: Say): Promise<LensPlaces> {
  for (const folder of editorFolders(machine)) {
    // A server for remote windows has the settings of its machine next to those of the user.
    for (const file of [folder, join(dirname(folder), 'Machine')].map(settingsIn)) {
      const given = await placesIn(file, say);
      if (given !== undefined) return given;
    }
  }
  return {};
}

function settingsIn(folder: string): string {
  return join(folder, 'settings.json');
}

async function placesIn(file: string, say: Say): Promise<LensPlaces | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    // Most editors are not on this machine.
    return undefined;
  }
  const errors: ParseError[] = [];
  const settings: unknown = parse(text, errors, { allowTrailingComma: true });
  const given = isObject(settings) ? settings[NAME] : undefined;
  if (given === undefined) return undefined;
  const read = SETTINGS.shape.lens.shape.places.safeParse(given);
  if (read.success) return read.data;
  say(
    `plimsoll: ${NAME} in ${file} is not used: it ${read.error.issues[0]?.message ?? 'is wrong'}.`,
  );
  return undefined;
}
