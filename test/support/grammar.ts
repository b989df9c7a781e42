import { join } from 'node:path';

/** The folder with the grammar of bash, as `loadShellGrammar` takes it; a build has it in dist. */
export const GRAMMAR = join(__dirname, '../../node_modules/@vscode/tree-sitter-wasm/wasm');
