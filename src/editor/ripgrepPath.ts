import { join } from 'node:path';

/** The facts that the search for VS Code's ripgrep needs. */
interface EditorInstallation {
  /** The root of VS Code's files, `vscode.env.appRoot`. */
  readonly appRoot: string;
  readonly platform: string;
  readonly arch: string;
  exists(path: string): boolean;
}

/** Finds the ripgrep that this VS Code ships; undefined if it is in none of the known places. */
export function ripgrepPath(editor: EditorInstallation): string | undefined {
  const { appRoot, platform, arch, exists } = editor;
  const binary = platform === 'win32' ? 'rg.exe' : 'rg';
  const roots = ['node_modules', 'node_modules.asar.unpacked'];
  return roots
    .flatMap((root) => [
      join(appRoot, root, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, binary),
      join(appRoot, root, '@vscode', 'ripgrep', 'bin', binary),
    ])
    .find(exists);
}
