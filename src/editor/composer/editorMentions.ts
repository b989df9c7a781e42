import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { refused, type Result } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { insideWorkspace } from '../../tools/files/insideWorkspace';
import { isNamedLikeMedia, readMedia } from '../../tools/files/media';
import type { Platform } from '../platform';
import {
  type GitRepository,
  gitRepositories,
  pendingChanges,
  repositoryOver,
} from '../git/gitExtension';
import { type OpenFolders, pathBelow } from '../openFolders';
import { EditorProblems } from '../tools/editorProblems';
import { EditorWorkspace } from '../tools/editorWorkspace';
import type { FoundSymbol, MentionSources, PlacedText } from './mentions';

/** Most symbols offered. */
const MOST_SYMBOLS = 20;

/** Longest wait for language servers and the clipboard, ms. */
const LONGEST_WAIT_MS = 1_500;

/** Lines taken of a declaration whose end is unknown. */
const LINES_WITHOUT_END = 40;

type Folders = Pick<OpenFolders, 'now'>;

/** Reads mentions in VS Code. */
export function editorMentions(
  parts: Pick<Platform, 'folders' | 'loadTools' | 'now'>,
  files: { readonly recent: readonly string[] },
): MentionSources {
  const { folders, loadTools, now } = parts;
  return {
    workspace: async () => folders.now && new EditorWorkspace((await loadTools(folders.now)).disk),
    media: async (path) => folders.now && mediaBelow(folders.now, path),
    selection: () => selectionIn(folders),
    recent: () => files.recent,
    problems: () => (folders.now === undefined ? [] : new EditorProblems(folders.now).in('.')),
    symbols: async (query) => (folders.now === undefined ? [] : symbolsIn(folders, query)),
    symbolText: async (symbol) => folders.now && declarationIn(folders.now, symbol),
    changes: async () => folders.now && gitChanges(folders.now),
    terminal: terminalText,
    hasTerminal: () => vscode.window.activeTerminal !== undefined,
    fetchPage: async (url) => {
      if (folders.now === undefined) return refused('No folder is open.');
      const { fetchPage } = await loadTools(folders.now);
      return fetchPage(url, new AbortController().signal);
    },
    now,
  };
}

/** An image or PDF of the workspace; undefined if the file is neither. */
async function mediaBelow(
  folders: WorkspaceFolders,
  path: string,
): ReturnType<MentionSources['media']> {
  if (!isNamedLikeMedia(path)) return undefined;
  const inside = await insideWorkspace(folders, path);
  if (!inside.ok || inside.kind !== 'file') return undefined;
  return readMedia(inside.realPath, path).catch(() => undefined);
}

/**
 * The selection in the active editor. A selection that ends at the start of a line does not include
 * that line.
 */
function selectionIn(folders: Folders): PlacedText | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  const { start, end } = selection;
  const isAtBeginning = end.character === 0 && end.line > start.line;
  return {
    path: pathBelow(folders, document.uri) ?? basename(document.uri.path),
    first: start.line + 1,
    last: end.line + (isAtBeginning ? 0 : 1),
    text: document.getText(selection),
  };
}

/** Symbols of the shown files, also in languages without a search of the workspace, and all others. */
async function symbolsIn(folders: Folders, query: string): Promise<readonly FoundSymbol[]> {
  const [shown, all] = await Promise.all([
    shownSymbols(folders, query),
    workspaceSymbols(folders, query),
  ]);
  const places = new Map(
    [...shown, ...all].map((symbol) => [`${symbol.path}:${symbol.line} ${symbol.name}`, symbol]),
  );
  return [...places.values()].slice(0, MOST_SYMBOLS);
}

/** The symbols of the files in sight whose names contain the query. */
async function shownSymbols(folders: Folders, query: string): Promise<readonly FoundSymbol[]> {
  const wanted = query.toLowerCase();
  const found = vscode.window.visibleTextEditors.map(async ({ document: { uri } }) => {
    const path = pathBelow(folders, uri);
    if (path === undefined) return [];
    const late = sleep(LONGEST_WAIT_MS, undefined, { ref: false });
    const symbols = vscode.commands.executeCommand<readonly vscode.DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    return flattened((await Promise.race([symbols, late])) ?? []).flatMap(
      ({ name, selectionRange }): readonly FoundSymbol[] =>
        name.toLowerCase().includes(wanted)
          ? [{ name, path, line: selectionRange.start.line + 1 }]
          : [],
    );
  });
  return (await Promise.all(found)).flat();
}

/** Symbols with those inside them; older providers name a place in another shape and are left out. */
function flattened(symbols: readonly vscode.DocumentSymbol[]): readonly vscode.DocumentSymbol[] {
  return symbols.flatMap((symbol) =>
    (symbol.selectionRange as vscode.Range | undefined) === undefined || symbol.name === ''
      ? []
      : [symbol, ...flattened(symbol.children ?? [])],
  );
}

async function workspaceSymbols(folders: Folders, query: string): Promise<readonly FoundSymbol[]> {
  const found = vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  const late = sleep(LONGEST_WAIT_MS, undefined, { ref: false });
  const symbols = (await Promise.race([found, late])) ?? [];
  return symbols.flatMap(({ name, location }): readonly FoundSymbol[] => {
    const path = pathBelow(folders, location.uri);
    // A server may omit the range until it is asked to resolve it.
    const range = location.range as vscode.Range | undefined;
    if (path === undefined || range === undefined || name === '') return [];
    return [{ name, path, line: range.start.line + 1 }];
  });
}

async function declarationIn(
  folders: WorkspaceFolders,
  { path, line }: FoundSymbol,
): Promise<PlacedText | undefined> {
  const uri = vscode.Uri.file(folders.absolute(path));
  const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
  if (document === undefined || line > document.lineCount) return undefined;
  const declared = await vscode.commands.executeCommand<readonly vscode.DocumentSymbol[]>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  const ending = endOf(declared ?? [], line - 1) ?? line - 1 + LINES_WITHOUT_END - 1;
  const end = Math.min(ending, document.lineCount - 1);
  const range = new vscode.Range(line - 1, 0, end, document.lineAt(end).text.length);
  return { path, first: line, last: end + 1, text: document.getText(range) };
}

/** The last line of the smallest declaration whose head includes a line; counted from 0. */
function endOf(symbols: readonly vscode.DocumentSymbol[], line: number): number | undefined {
  for (const { range, selectionRange, children = [] } of symbols) {
    if (line < range.start.line || line > range.end.line) continue;
    const isHead = line === range.start.line || line === selectionRange?.start.line;
    return endOf(children, line) ?? (isHead ? range.end.line : undefined);
  }
  return undefined;
}

/** The selection in the active terminal, or all its text, or why it cannot be read. */
async function terminalText(): Promise<Result<{ readonly text: string }>> {
  if (vscode.window.activeTerminal === undefined) return refused('There is no terminal.');
  const late = sleep(LONGEST_WAIT_MS, undefined, { ref: false });
  const text = await Promise.race([copiedFromTerminal(), late]);
  if (text === undefined) {
    return refused('The terminal could not be read: the clipboard did not answer.');
  }
  return text.trim() === '' ? refused('The terminal shows nothing.') : { ok: true, text };
}

/** VS Code gives a terminal's text only through the clipboard, which is restored. */
async function copiedFromTerminal(): Promise<string> {
  const { clipboard } = vscode.env;
  const run = (name: string) => vscode.commands.executeCommand(`workbench.action.terminal.${name}`);
  const before = await clipboard.readText();
  try {
    await clipboard.writeText('');
    await run('copySelection');
    const selected = await clipboard.readText();
    if (selected.trim() !== '') return selected;
    await run('selectAll');
    await run('copySelection');
    await run('clearSelection');
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}

/** The uncommitted changes of the folders' repositories; undefined without git or a repository. */
async function gitChanges(folders: WorkspaceFolders): Promise<string | undefined> {
  const known = (await gitRepositories()) ?? [];
  const namesIn = new Map<GitRepository, readonly string[]>();
  for (const { root, name } of folders.all) {
    const repository = repositoryOver(root, known);
    if (repository === undefined) continue;
    namesIn.set(repository, [...(namesIn.get(repository) ?? []), name]);
  }
  const changes = [...namesIn].map(async ([repository, names]) => {
    const text = await pendingChanges(repository);
    const isNamed = namesIn.size > 1 && text !== '';
    // A repository around several folders has the names of all of them.
    const name = folders.pathOf(repository.rootUri.fsPath) ?? names.join(', ');
    return isNamed ? `Repository ${visibleLine(name)}:\n${text}` : text;
  });
  if (namesIn.size === 0) return undefined;
  return (await Promise.all(changes)).filter((text) => text !== '').join('\n');
}
