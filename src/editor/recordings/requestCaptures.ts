import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { recordedFolder } from '../../recordings/captures/claudeCodeSwitch';
import { CaptureStore } from '../../recordings/captures/captureStore';
import type { CaptureFolders } from '../../recordings/captures/joinCaptures';
import { AGENTS } from '../../recordings/lens/findSessions';
import type { Services } from '../services';

/** The services that the recording of requests uses. */
interface CaptureServices extends Pick<Services, 'environment' | 'home' | 'now'> {
  readonly context: { readonly globalStorageUri: { readonly fsPath: string } };
  readonly access: {
    readonly settings: {
      readonly valid: {
        readonly settings: Pick<Services['access']['settings']['valid']['settings'], 'lens'>;
      };
    };
  };
}

/** The requests that other agents are made to record, in Plimsoll's storage. */
export class RequestCaptures {
  readonly store: CaptureStore;

  constructor(private readonly services: CaptureServices) {
    this.store = new CaptureStore(join(services.context.globalStorageUri.fsPath, 'requests'));
  }

  /** Where requests may have been recorded: by Plimsoll, or by the user's own settings. */
  async folders(): Promise<CaptureFolders> {
    const text = await readFile(this.settingsFile, 'utf8').catch(() => '');
    const { CODEX_ROLLOUT_TRACE_ROOT: traces } = this.services.environment;
    return {
      'claude-code': once(this.store.folderOf('claude-code'), recordedFolder(text)),
      codex: once(this.store.folderOf('codex'), traces),
    };
  }

  /** Claude Code's settings of the user. */
  get settingsFile(): string {
    const { home, environment, now, access } = this.services;
    const given = access.settings.valid.settings.lens.places['claude-code'];
    const machine = { home, environment, now };
    const [place = ''] =
      given === undefined ? AGENTS['claude-code'].places(machine) : [given].flat();
    const folder = place.startsWith('~') ? join(home, place.slice(1)) : resolve(place);
    return join(folder, 'settings.json');
  }
}

/** Absolute folders, each once. */
function once(...folders: readonly (string | undefined)[]): readonly string[] {
  const absolute = folders.filter((folder) => folder !== undefined && isAbsolute(folder));
  return [...new Set(absolute)].flatMap((folder) => folder ?? []);
}
