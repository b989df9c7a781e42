import { execFileSync } from 'node:child_process';
import { installEditorHost } from '../../harness/editorHost/installEditorHost.mjs';

/**
 * Finds the Node for measurements and prints its version. It is the editor's, whose engine may be
 * years newer than that of this script. The editor's packages are for Linux on x64; elsewhere it is
 * the Node that runs this script.
 */
export async function editorNode() {
  const isEditors = process.platform === 'linux' && process.arch === 'x64';
  const node = isEditors ? (await installEditorHost(console.error)).node : process.execPath;
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  // Numbers alone go to standard output.
  console.error(
    `Node ${version}, ${isEditors ? 'the one of the editor' : 'not that of the editor'}\n`,
  );
  return node;
}
