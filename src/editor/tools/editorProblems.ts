import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { FileProblem, Problems } from '../../agent/workspace';

/** Longest wait for language servers after an edit, ms. */
const LONGEST_WAIT_MS = 2_000;

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

/** The problems that language servers report for the files of a folder. */
export class EditorProblems implements Problems {
  /** The languages that reported nothing after the last edit. */
  readonly #silent = new Set<string>();
  /** Until when servers may still report on the last edit, ms since the epoch. */
  #dueUntil = 0;

  constructor(private readonly root: string) {}

  in(path: string): readonly FileProblem[] {
    return vscode.languages
      .getDiagnostics()
      .flatMap(([uri, found]) => this.#problemsOf(uri, found))
      .filter((one) => path === '.' || one.path === path || one.path.startsWith(`${path}/`));
  }

  async settled(signal: AbortSignal): Promise<void> {
    const longestMs = this.#dueUntil - Date.now();
    if (longestMs <= 0) return;
    let heardAt: number | undefined;
    let heard = (): void => undefined;
    const listening = vscode.languages.onDidChangeDiagnostics(() => {
      heardAt = Date.now();
      heard();
    });
    try {
      const onHeard = (tell: () => void) => (heard = tell);
      await settled(signal, { longestMs, heardAt: () => heardAt, onHeard });
    } finally {
      listening.dispose();
    }
  }

  watch(path: string): (signal: AbortSignal) => Promise<readonly FileProblem[]> {
    const before = this.in(path);
    const wanted = vscode.Uri.joinPath(vscode.Uri.file(this.root), path).toString();
    let heardAt: number | undefined;
    let heard = (): void => undefined;
    const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((uri) => uri.toString() === wanted)) return;
      heardAt = Date.now();
      heard();
    });
    return async (signal) => {
      try {
        const language = checkedLanguage(wanted);
        if (language !== undefined) {
          const longestMs = this.#silent.has(language) ? SHORT_WAIT_MS : LONGEST_WAIT_MS;
          const onHeard = (tell: () => void) => (heard = tell);
          await settled(signal, { longestMs, heardAt: () => heardAt, onHeard });
          // If only syntax was reported so far, semantics may take longer.
          this.#dueUntil = Date.now() + LONGEST_WAIT_MS;
          if (heardAt === undefined) this.#silent.add(language);
          else this.#silent.delete(language);
        }
        return newOnes(before, this.in(path));
      } finally {
        listening.dispose();
      }
    };
  }

  #problemsOf(uri: vscode.Uri, found: readonly vscode.Diagnostic[]): readonly FileProblem[] {
    const path = relative(this.root, uri.fsPath).split(sep).join('/');
    if (uri.scheme !== 'file' || path.startsWith('../')) return [];
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

/**
 * The language of a file if an extension supports it; others are not waited for. The file itself
 * starts a server that does not run yet.
 */
function checkedLanguage(uri: string): string | undefined {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
  if (document === undefined) return undefined;
  const event = `onLanguage:${document.languageId}`;
  const isChecked = vscode.extensions.all.some(({ packageJSON }) => {
    const events: unknown = (packageJSON as { activationEvents?: unknown }).activationEvents;
    return Array.isArray(events) && events.includes(event);
  });
  return isChecked ? document.languageId : undefined;
}

interface Heard {
  readonly longestMs: number;
  /** The time of the last report for the file, ms since the epoch. */
  heardAt(): number | undefined;
  onHeard(tell: () => void): void;
}

/** Waits until no report arrives for a moment, with a limit. */
function settled(signal: AbortSignal, { longestMs, heardAt, onHeard }: Heard): Promise<void> {
  return new Promise((resolve) => {
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      clearTimeout(quiet);
      clearTimeout(longest);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const tell = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(end, SETTLED_MS);
    };
    const longest = setTimeout(end, longestMs);
    signal.addEventListener('abort', end, { once: true });
    onHeard(tell);
    if (heardAt() !== undefined) tell();
    if (signal.aborted) end();
  });
}

/** The problems that are new since before the edit, wherever they have moved. */
function newOnes(
  before: readonly FileProblem[],
  now: readonly FileProblem[],
): readonly FileProblem[] {
  const known = new Map<string, number>();
  for (const one of before) known.set(keyOf(one), (known.get(keyOf(one)) ?? 0) + 1);
  return now.filter((one) => {
    const left = known.get(keyOf(one)) ?? 0;
    if (left > 0) known.set(keyOf(one), left - 1);
    return left === 0;
  });
}

function keyOf({ severity, message, source = '' }: FileProblem): string {
  return JSON.stringify([severity, message, source]);
}
