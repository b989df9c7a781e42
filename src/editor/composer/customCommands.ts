import type { AttachedText } from '../../contextWindow/attached';
import type { Result } from '../../contextWindow/result';
import type { Platform } from '../platform';
import { EditorWorkspace } from '../tools/editorWorkspace';
import { SLASH_COMMANDS } from './slashCommands';
import type { CommandChoice } from './state';

const OWN_WORDS: ReadonlySet<string> = new Set(
  Object.values(SLASH_COMMANDS).map(({ word }) => word),
);

/** A prompt that may call a command; its first word has no second slash, so it is no path. */
const CALL = /^\s*\/[^\s/]+(\s|$)/;

/** The workspace's own commands and prompts, which / offers after Plimsoll's. */
export class CustomCommands {
  /** `tellOnce` shows what of a command is not supported. */
  constructor(
    private readonly services: Pick<Platform, 'root' | 'loadTools'>,
    private readonly tellOnce: (message: string) => void,
  ) {}

  async choices(): Promise<readonly CommandChoice[]> {
    const { root, loadTools } = this.services;
    if (root === undefined) return [];
    const { disk, commands } = await loadTools(root);
    const found = await commands.customCommandsIn(new EditorWorkspace(disk), OWN_WORDS);
    return found.map(({ name, hint, description, path }) => ({
      name,
      hint,
      detail: description === '' ? path : description,
    }));
  }

  mayCall(typed: string): boolean {
    return CALL.test(typed);
  }

  /** The text of the command that a prompt calls, and the files it names; [] if it calls none. */
  async called(typed: string): Promise<Result<{ readonly attached: readonly AttachedText[] }>> {
    const { root, loadTools } = this.services;
    if (root === undefined) return { ok: true, attached: [] };
    const { disk, commands } = await loadTools(root);
    const called = await commands.calledCommand(new EditorWorkspace(disk), OWN_WORDS, typed);
    if (!called.ok) return called;
    const { attached = [], unsupported = [] } = called;
    if (unsupported.length > 0) this.tellOnce(unsupported.join(' '));
    return { ok: true, attached };
  }
}
