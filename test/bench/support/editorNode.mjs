import { execFileSync } from 'node:child_process';
import { installEditorHost } from '../../harness/editorHost/installEditorHost.mjs';

/**
 * The Node that costs are measured with, and says which it is: that of the editor, whose engine may be years
 * ahead of the one that runs this script. The packages that the editor is made of are for Linux on x64;
 * elsewhere it is the Node at hand.
 */
export async function editorNode() {
  const isEditors = process.platform === 'linux' && process.arch === 'x64';
  const node = isEditors ? (await installEditorHost(console.error)).node : process.execPath;
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  console.log(
    `Node ${version}, ${isEditors ? 'the one of the editor' : 'not that of the editor'}\n`,
  );
  return node;
}
