/** Commands that run tests and print one summary. */
const RUNS_TESTS =
  /(?:^|[;&|(])\s*(?:(?:npx|bunx|pnpm exec|uv run|poetry run|python3? -m)\s+)?(?:(?:npm|pnpm|yarn|bun)(?: run)? (?:t|test[\w:-]*)|vitest|jest|mocha|ava|pytest|node --test)(?![\w./-])/;

/** "9 failed", "2 failing"; "# fail 2". */
const FAILED = /(?<!\d)(\d+)\s+(?:failed|failing|failures?)\b|^\W*fail(?:ed)?:?\s+(\d+)\s*$/i;
const PASSED = /(?<!\d)(\d+)\s+(?:passed|passing)\b|^\W*pass(?:ed)?:?\s+(\d+)\s*$/i;

/**
 * Programs that print a summary for each part of the project, and its form. A line of Maven about a
 * single class also has a time at its end.
 */
const IN_PARTS: readonly (readonly [command: RegExp, line: RegExp])[] = [
  [
    startingWith(String.raw`cargo(?: \+\S+)? (?:t|test)`),
    /^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed;/gm,
  ],
  [
    startingWith(String.raw`(?:mvn|\./mvnw)(?: -\S+)*(?: clean)? (?:test|verify|package|install)`),
    /^(?:\[\w+\] )?Tests run: (?<run>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+), Skipped: (?<skipped>\d+)$/gm,
  ],
  [
    startingWith('dotnet test'),
    /^(?:Passed|Failed)!\s+- Failed:\s*(?<failed>\d+), Passed:\s*(?<passed>\d+),/gm,
  ],
];

/** Go prints no summary but a line for each test that failed, and with `-v` for each that passed. */
const GO_TEST = startingWith('go test');
const GO_LINE = /^--- (PASS|FAIL): /gm;

/** In the middle of a long output, as `startedProcess.ts` writes it. */
const LEFT_OUT = /^\[\d+ characters of output left out here\]$/m;

function startingWith(program: string): RegExp {
  return new RegExp(String.raw`(?:^|[;&|(])\s*${program}(?![\w./-])`);
}

/** The end of an output in which the summary is looked for, in characters. */
const END = 20_000;

/** Lines of one summary are no further apart. */
const CLOSE = 3;

/**
 * What a command that runs tests said about them: "9 failed", or "60 passed" if none failed.
 * Undefined for other commands, if the output has no summary, and if a program whose summary covers
 * all tests printed several.
 */
export function testCounts(command: unknown, output: string): string | undefined {
  if (typeof command !== 'string') return undefined;
  const parts = IN_PARTS.find(([program]) => program.test(command));
  if (parts !== undefined || GO_TEST.test(command)) {
    // A sum over what is left of the output would be too small.
    if (LEFT_OUT.test(output)) return undefined;
    return parts === undefined ? ofGo(output) : ofParts(output, parts[1]);
  }
  if (!RUNS_TESTS.test(command)) return undefined;
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
  return countsText(passed, failed);
}

function ofParts(output: string, line: RegExp): string | undefined {
  const total = { passed: 0, failed: 0 };
  for (const { groups = {} } of output.matchAll(line)) {
    const of = (name: string): number => Number(groups[name] ?? 0);
    const failed = of('failed') + of('errors');
    total.failed += failed;
    total.passed += groups['run'] === undefined ? of('passed') : of('run') - failed - of('skipped');
  }
  return countsText(total.passed, total.failed);
}

function ofGo(output: string): string | undefined {
  const results = [...output.matchAll(GO_LINE)].map(([, result]) => result);
  const failed = results.filter((result) => result === 'FAIL').length;
  return countsText(results.length - failed, failed);
}

function countsText(passed: number, failed: number): string | undefined {
  if (failed > 0) return `${failed} failed`;
  return passed > 0 ? `${passed} passed` : undefined;
}

function numberIn(form: RegExp, line: string): number | undefined {
  const [, before, after] = form.exec(line) ?? [];
  const digits = before ?? after;
  return digits === undefined ? undefined : Number(digits);
}
