import { createContext, Script } from 'node:vm';
import { refused, type Result } from '../../contextWindow/result';

/**
 * Time limits of a pattern, ms: for one text, during which nothing else runs, and for all. Time
 * that the machine spent on other work does not count.
 */
const PATIENCE_MS = 400;
const PATIENCE_FOR_ALL_MS = 1_500;

/** A matching line, counted from 1; `at` is the index of the match in it. */
export interface LineMatch {
  readonly line: number;
  readonly text: string;
  readonly at: number;
}

export interface LineSearch {
  matchesIn(lines: readonly string[]): readonly LineMatch[] | 'tooSlow';
}

/**
 * Makes a line search by a JavaScript regular expression, or says what is wrong with it. It has a
 * time limit, because a pattern such as (a+)+$ could block the editor.
 */
export function makeLineSearch(pattern: string): Result<LineSearch> {
  const [prefix = '', flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const compiled = compile(pattern.slice(prefix.length), flags);
  if (!compiled.ok) return compiled;
  const globals: { search: RegExp; lines: readonly string[] } = {
    search: compiled.search,
    lines: [],
  };
  const context = createContext(globals);
  const script = new Script('lines.map((line) => line.search(search))');
  let left = PATIENCE_FOR_ALL_MS;
  return {
    ok: true,
    matchesIn(lines) {
      if (left < 1) return 'tooSlow';
      globals.lines = lines;
      const took = stopwatch();
      try {
        const places = inTime((timeout) => script.runInContext(context, { timeout }), left);
        return lines.flatMap((line, index) => {
          const at = places[index] ?? -1;
          return at === -1 ? [] : [{ line: index + 1, text: line, at }];
        });
      } catch {
        return 'tooSlow';
      } finally {
        left -= took();
      }
    },
  };
}

/** Runs a search within its time limit; again with a longer one if the machine was busy. */
function inTime(run: (timeout: number) => unknown, leftMs: number): readonly number[] {
  const limit = Math.ceil(Math.min(leftMs, PATIENCE_MS));
  const took = stopwatch();
  for (let most = limit; ; most *= 2) {
    try {
      return run(most) as readonly number[];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT' || took() > limit / 2) throw error;
    }
  }
}

/** Measures the time that this process had since now; ms. */
function stopwatch(): () => number {
  const [began, used] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(used);
    // Other threads run meanwhile.
    return Math.min(performance.now() - began, (user + system) / 1_000);
  };
}

export function makeLiteralSearch(wanted: string): LineSearch {
  return {
    matchesIn: (lines) =>
      lines.flatMap((text, index) => {
        const at = text.indexOf(wanted);
        return at === -1 ? [] : [{ line: index + 1, text, at }];
      }),
  };
}

function compile(source: string, flags: string): Result<{ readonly search: RegExp }> {
  // Unicode mode is closest to ripgrep's patterns; the other mode accepts escapes that it refuses.
  for (const mode of ['u', '']) {
    try {
      return { ok: true, search: new RegExp(source, flags + mode) };
    } catch (error) {
      if (mode === '') {
        return refused(`The pattern is not valid: ${(error as Error).message}.`);
      }
    }
  }
  return refused('The pattern is not valid.');
}
