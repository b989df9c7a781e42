import { calledIn } from '../../agent/memory/customCommand';
import type { AttachedText } from '../../contextWindow/attached';
import type { Result } from '../../contextWindow/result';
import type { Platform } from '../platform';
import { EditorWorkspace } from '../tools/editorWorkspace';
import { SLASH_COMMANDS } from './slashCommands';
import type { CommandChoice } from './state';

const OWN_WORDS: ReadonlySet<string> = new Set(
  Object.values(SLASH_COMMANDS).map(({ word }) => word),
);

/** The workspace's own commands and prompts, which / offers after Plimsoll's. */
export class CustomCommands {
  /** `tellOnce` shows what of a command is not supported. */
  constructor(
    private readonly services: Pick<Platform, 'folders' | 'loadTools'>,
    private readonly tellOnce: (message: string) => void,
  ) {}

  async choices(): Promise<readonly CommandChoice[]> {
    const { folders, loadTools } = this.services;
    if (folders.now === undefined) return [];
    const { disk, commands } = await loadTools(folders.now);
    const found = await commands.customCommandsIn(new EditorWorkspace(disk), OWN_WORDS);
    return found.map(({ name, hint, description, path }) => ({
      name,
      hint,
      detail: description === '' ? path : description,
    }));
  }

  /** Whether a prompt may call a command; a path is none. */
  mayCall(typed: string): boolean {
    return calledIn(typed) !== undefined;
  }

  /** The text of the command that a prompt calls, and the files it names; [] if it calls none. */
  async called(typed: string): Promise<Result<{ readonly attached: readonly AttachedText[] }>> {
    const { folders, loadTools } = this.services;
    if (folders.now === undefined) return { ok: true, attached: [] };
    const { disk, commands } = await loadTools(folders.now);
    const called = await commands.calledCommand(new EditorWorkspace(disk), OWN_WORDS, typed);
    if (!called.ok) return called;
    const { attached = [], unsupported = [] } = called;
    if (unsupported.length > 0) this.tellOnce(unsupported.join(' '));
    return { ok: true, attached };
  }
}
