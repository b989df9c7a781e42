import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { FileProblem, FoundProblems, Problems } from '../../agent/fileProblems';
import { contains, type WorkspaceFolders } from '../../agent/workspaceFolders';
import { hasTab, typeScriptProblems } from './typeScriptProblems';

/** Longest wait for language servers around a change: what they say before it and after it; ms. */
const LONGEST_WAIT_MS = 2_000;

/** The share of it for what they have to say about a file before it is changed, ms. */
const FIRST_WAIT_MS = 1_000;

/**
 * The same for a language that reported nothing last time: its server has nothing to report, or is
 * missing.
 */
const SHORT_WAIT_MS = 500;

/**
 * Servers report syntax and semantics one after the other; reports within this time belong
 * together, ms.
 */
const SETTLED_MS = 300;

/**
 * The problems that language servers report for the files of the workspace. A file without a tab is
 * opened without being shown, because servers check only files that are open.
 */
export class EditorProblems implements Problems {
  /** The servers that reported nothing after the last edit. */
  readonly #silent = new Set<string>();
  /** Until when servers may still report on the last edit, ms since the epoch. */
  #dueUntil = 0;

  constructor(private readonly folders: WorkspaceFolders) {}

  in(path: string): readonly FileProblem[] {
    // A folder may contain files that have the name of another.
    const place = path === '.' ? undefined : this.folders.absolute(path);
    return vscode.languages
      .getDiagnostics()
      .filter(([{ fsPath }]) => place === undefined || contains(place, fsPath))
      .flatMap(([uri, found]) => this.#problemsOf(uri, found));
  }

  async settled(signal: AbortSignal): Promise<void> {
    const longestMs = this.#dueUntil - Date.now();
    if (longestMs <= 0) return;
    const reports = new Reports();
    await reports.settled(longestMs, signal);
    reports.dispose();
  }

  async watch(path: string): Promise<(signal: AbortSignal) => Promise<FoundProblems>> {
    const began = Date.now();
    const reports = new Reports([this.#uri(path)]);
    const wasOpen = this.#openDocument(path) !== undefined;
    const document = await this.#document(path);
    // A server that sees the file for the first time needs a moment.
    const [isHeard, asked] = await Promise.all([
      wasOpen || this.#waitMs(document) === 0 || reports.settled(FIRST_WAIT_MS),
      document && typeScriptProblems(document, FIRST_WAIT_MS),
    ]);
    const before = this.#known(path, asked);
    const areNew = document === undefined || isHeard || asked !== undefined;
    reports.forget();
    const leftMs = LONGEST_WAIT_MS - (Date.now() - began);
    return async (signal) => {
      const now = await this.#after([path], reports, signal, leftMs);
      return { problems: newOnes(before, now), areNew };
    };
  }

  watchAll(): ReturnType<Problems['watchAll']> {
    const before = this.in('.');
    return async (paths, signal) => {
      const reports = new Reports(paths.map((path) => this.#uri(path)));
      return newOnes(before, await this.#after(paths, reports, signal, LONGEST_WAIT_MS));
    };
  }

  /** The problems of changed files, after servers had time to report. */
  async #after(
    paths: readonly string[],
    reports: Reports,
    signal: AbortSignal,
    withinMs: number,
  ): Promise<readonly FileProblem[]> {
    try {
      const until = Date.now() + withinMs;
      const documents = await Promise.all(paths.map((path) => this.#document(path)));
      await Promise.all(documents.map((one) => one && hasReadDisk(one, until, signal)));
      const leftMs = Math.max(0, until - Date.now());
      const longestMs = Math.min(leftMs, Math.max(0, ...documents.map((one) => this.#waitMs(one))));
      const [isHeard, asked] = await Promise.all([
        longestMs > 0 && reports.settled(longestMs, signal),
        Promise.all(documents.map((one) => one && typeScriptProblems(one, leftMs))),
      ]);
      for (const document of documents) {
        if (document === undefined || this.#waitMs(document) === 0) continue;
        if (isHeard) this.#silent.delete(serverOf(document));
        else this.#silent.add(serverOf(document));
      }
      // If only syntax was reported so far, semantics may take longer.
      if (longestMs > 0) this.#dueUntil = Date.now() + LONGEST_WAIT_MS;
      return paths.flatMap((path, index) => this.#known(path, asked[index]));
    } finally {
      reports.dispose();
    }
  }

  /** The problems of a file, and those that TypeScript finds in it. */
  #known(path: string, asked: readonly FileProblem[] = []): readonly FileProblem[] {
    const reported = this.in(path);
    return [
      ...reported,
      ...newOnes(
        reported,
        asked.map((one) => ({ ...one, path })),
      ),
    ];
  }

  /** How long to wait for reports on a document; 0 if no extension supports its language. */
  #waitMs(document: vscode.TextDocument | undefined): number {
    if (document === undefined || !isSupported(document.languageId)) return 0;
    return this.#silent.has(serverOf(document)) ? SHORT_WAIT_MS : LONGEST_WAIT_MS;
  }

  #uri(path: string): vscode.Uri {
    return vscode.Uri.file(this.folders.absolute(path));
  }

  #openDocument(path: string): vscode.TextDocument | undefined {
    const wanted = this.#uri(path).toString();
    return vscode.workspace.textDocuments.find((one) => one.uri.toString() === wanted);
  }

  /** Opens a file without showing it; undefined if it is missing or not text. */
  async #document(path: string): Promise<vscode.TextDocument | undefined> {
    const open = this.#openDocument(path);
    if (open !== undefined) return open;
    return vscode.workspace.openTextDocument(this.#uri(path)).then(undefined, () => undefined);
  }

  #problemsOf(uri: vscode.Uri, found: readonly vscode.Diagnostic[]): readonly FileProblem[] {
    const path = uri.scheme === 'file' ? this.folders.pathOf(uri.fsPath) : undefined;
    if (path === undefined) return [];
    return found.flatMap(({ severity, message, range, source, code }): readonly FileProblem[] => {
      if (severity > vscode.DiagnosticSeverity.Warning) return [];
      const isError = severity === vscode.DiagnosticSeverity.Error;
      const value = typeof code === 'object' ? code.value : code;
      const who = [source, value].filter((part) => part !== undefined).join(' ');
      return [
        {
          path,
          line: range.start.line + 1,
          severity: isError ? 'error' : 'warning',
          message,
          ...(who === '' ? {} : { source: who }),
        },
      ];
    });
  }
}

/** How often a document is compared with the disk, ms. */
const POLL_MS = 50;

/** Waits until the editor has read a file again that a command wrote. */
async function hasReadDisk(
  document: vscode.TextDocument,
  until: number,
  signal: AbortSignal,
): Promise<void> {
  const { uri } = document;
  const lines = (text: string) => text.replace(/\r\n?/g, '\n');
  while (!document.isDirty && Date.now() < until && !signal.aborted) {
    const bytes = await vscode.workspace.fs.readFile(uri).then(undefined, () => undefined);
    if (bytes === undefined) return;
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    if (lines(document.getText()) === lines(text)) return;
    await sleep(POLL_MS, undefined, { ref: false });
  }
}

/** Names what checks a document: some servers report only on documents in tabs. */
function serverOf({ languageId, uri }: vscode.TextDocument): string {
  return hasTab(uri) ? languageId : `${languageId}, without a tab`;
}

/** Whether an extension supports a language; the open document starts its server. */
function isSupported(languageId: string): boolean {
  const event = `onLanguage:${languageId}`;
  return vscode.extensions.all.some(({ packageJSON }) => {
    const events: unknown = (packageJSON as { activationEvents?: unknown }).activationEvents;
    return Array.isArray(events) && events.includes(event);
  });
}

/** Hears the reports of language servers for some files, or for all. */
class Reports {
  #heardAt: number | undefined;
  #heard = (): void => undefined;
  readonly #listening: vscode.Disposable;

  constructor(uris?: readonly vscode.Uri[]) {
    const wanted = uris && new Set(uris.map((uri) => uri.toString()));
    this.#listening = vscode.languages.onDidChangeDiagnostics((changed) => {
      if (wanted && !changed.uris.some((uri) => wanted.has(uri.toString()))) return;
      this.#heardAt = Date.now();
      this.#heard();
    });
  }

  /** From now on only later reports count. */
  forget(): void {
    this.#heardAt = undefined;
  }

  /** Waits until no report arrives for a moment, with a limit; returns whether one arrived. */
  settled(longestMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      let quiet: ReturnType<typeof setTimeout> | undefined;
      const end = (): void => {
        clearTimeout(quiet);
        clearTimeout(longest);
        signal?.removeEventListener('abort', end);
        resolve(this.#heardAt !== undefined);
      };
      const longest = setTimeout(end, longestMs);
      signal?.addEventListener('abort', end, { once: true });
      this.#heard = () => {
        clearTimeout(quiet);
        quiet = setTimeout(end, SETTLED_MS);
      };
      if (this.#heardAt !== undefined) this.#heard();
      if (signal?.aborted === true) end();
    });
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/**
 * The problems that the change made: one that only moved, or is still on its line, is not new.
 */
function newOnes(
  before: readonly FileProblem[],
  now: readonly FileProblem[],
): readonly FileProblem[] {
  return without(without(now, before, lineKeyOf), without(before, now, lineKeyOf), keyOf);
}

/** The problems that remain after each of the others removed one with its key. */
function without(
  problems: readonly FileProblem[],
  others: readonly FileProblem[],
  key: (problem: FileProblem) => string,
): readonly FileProblem[] {
  const known = new Map<string, number>();
  for (const one of others) known.set(key(one), (known.get(key(one)) ?? 0) + 1);
  return problems.filter((one) => {
    const left = known.get(key(one)) ?? 0;
    if (left > 0) known.set(key(one), left - 1);
    return left === 0;
  });
}

function keyOf({ path, severity, message, source = '' }: FileProblem): string {
  return JSON.stringify([path, severity, message, source]);
}

function lineKeyOf(problem: FileProblem): string {
  return `${problem.line} ${keyOf(problem)}`;
}
