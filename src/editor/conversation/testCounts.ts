/**
 * Commands that run tests and print one summary; those of Cargo, Go and Maven print one for each of
 * their parts.
 */
const RUNS_TESTS =
  /(?:^|[;&|(])\s*(?:(?:npx|bunx|pnpm exec|uv run|poetry run|python3? -m)\s+)?(?:(?:npm|pnpm|yarn|bun)(?: run)? (?:t|test[\w:-]*)|vitest|jest|mocha|ava|pytest|node --test)(?![\w./-])/;

/** "9 failed", "2 failing"; "# fail 2". */
const FAILED = /(?<!\d)(\d+)\s+(?:failed|failing|failures?)\b|^\W*fail(?:ed)?:?\s+(\d+)\s*$/i;
const PASSED = /(?<!\d)(\d+)\s+(?:passed|passing)\b|^\W*pass(?:ed)?:?\s+(\d+)\s*$/i;

/** The end of an output in which the summary is looked for, in characters. */
const END = 20_000;

/** Lines of one summary are no further apart. */
const CLOSE = 3;

/**
 * What a command that runs tests said about them: "9 failed", or "60 passed" if none failed.
 * Undefined for other commands, and if the output has no summary or several.
 */
export function testCounts(command: unknown, output: string): string | undefined {
  if (typeof command !== 'string' || !RUNS_TESTS.test(command)) return undefined;
  const found = output
    .slice(-END)
    .split('\n')
    .flatMap((line, at) => {
      const [failed, passed] = [numberIn(FAILED, line), numberIn(PASSED, line)];
      return failed === undefined && passed === undefined ? [] : [{ at, failed, passed }];
    });
  const isOne = found.every(({ at }, index) => at - (found[index - 1]?.at ?? at) <= CLOSE);
  if (!isOne) return undefined;
  // Where a summary counts files and tests, the tests come last.
  const failed = found.findLast((line) => line.failed !== undefined)?.failed ?? 0;
  const passed = found.findLast((line) => line.passed !== undefined)?.passed ?? 0;
  if (failed > 0) return `${failed} failed`;
  return passed > 0 ? `${passed} passed` : undefined;
}

function numberIn(form: RegExp, line: string): number | undefined {
  const [, before, after] = form.exec(line) ?? [];
  const digits = before ?? after;
  return digits === undefined ? undefined : Number(digits);
}
