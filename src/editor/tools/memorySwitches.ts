import type { ExtensionContext } from 'vscode';
import { errorText, type Refusal } from '../../contextWindow/result';

const KEY = 'plimsoll.memoryOff';

type Kept = ExtensionContext['workspaceState'];

/**
 * The paths of the instruction files and skills that the user switched off in this workspace. They
 * are not a setting: a setting of the workspace is a file that the agent's commands could write.
 */
export function memoryOff(kept: Pick<Kept, 'get'>): readonly string[] {
  return kept.get<readonly string[]>(KEY, []);
}

/** Switches a file on or off, from the next prompt on; says why it failed. */
export async function switchMemory(kept: Kept, path: string, isOn: boolean): Promise<Refusal> {
  const others = memoryOff(kept).filter((one) => one !== path);
  try {
    await kept.update(KEY, isOn ? others : [...others, path]);
    return undefined;
  } catch (error) {
    return `${path} was not switched, since that could not be stored: ${errorText(error)}`;
  }
}
