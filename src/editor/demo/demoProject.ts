import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ExtensionContext } from 'vscode';

/** VS Code's context, as far as it says where Plimsoll and its storage are. */
type Places = Pick<ExtensionContext, 'extensionPath' | 'globalStorageUri'>;

/** The name of the project, which VS Code shows in the title of its window. */
const NAME = 'plimsoll-demo';

/** Next to the project until its window has begun the task. */
const WAITING = 'task-waits';

/** Copies that were not used for so long are deleted; ms. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** The demo: a fresh copy of the sample project, in a window of its own. */
export class DemoProject {
  readonly commands = { tryDemo: () => this.open() };

  constructor(
    private readonly places: Places,
    private readonly makeId: () => string,
    private readonly openWindow: (folder: string) => PromiseLike<unknown>,
  ) {}

  /** Copies the sample project and opens it; its window performs the task. */
  async open(): Promise<void> {
    const folder = demosFolder(this.places);
    await deleteOld(folder);
    const own = join(folder, this.makeId());
    const project = join(own, NAME);
    await mkdir(own, { recursive: true });
    await cp(join(this.places.extensionPath, 'dist', 'sample'), project, { recursive: true });
    await writeFile(join(own, WAITING), '');
    await this.openWindow(project);
  }
}

/** Whether a folder is a copy of the sample project that Plimsoll made. */
export function isDemo(root: string | undefined, places: Places): boolean {
  if (root === undefined) return false;
  const [id = '', name, ...below] = relative(demosFolder(places), root).split(sep);
  return id !== '' && id !== '..' && name === NAME && below.length === 0;
}

/** Whether this window was opened for the demo and has not begun its task. */
export function doesDemoWait(root: string | undefined, places: Places): boolean {
  return root !== undefined && isDemo(root, places) && existsSync(waitingFile(root));
}

/** Notes that the window has begun the task, so that a reload does not begin it again. */
export async function demoBegan(root: string): Promise<void> {
  await rm(waitingFile(root), { force: true });
}

function waitingFile(root: string): string {
  return join(root, '..', WAITING);
}

function demosFolder({ globalStorageUri }: Places): string {
  return join(globalStorageUri.fsPath, 'demos');
}

async function deleteOld(folder: string): Promise<void> {
  const before = Date.now() - KEPT_MS;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < before) await rm(path, { recursive: true, force: true });
  }
}
