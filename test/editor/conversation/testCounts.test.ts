import { describe, expect, it } from 'vitest';
import { testCounts } from '../../../src/editor/conversation/testCounts';

describe('the counts of a command that runs tests', () => {
  it.each([
    ['the sample', 'npm test', '10 passed, 9 failed\nexit code 1', '9 failed'],
    [
      'vitest',
      'npx vitest run',
      ' Test Files  1 failed | 2 passed (3)\n      Tests  3 failed | 60 passed (63)\n   Start at  10:00',
      '3 failed',
    ],
    [
      'vitest, all passed',
      'vitest',
      ' Test Files  4 passed (4)\n      Tests  60 passed (60)',
      '60 passed',
    ],
    [
      'Jest',
      'yarn test',
      'Test Suites: 1 failed, 1 total\nTests:       3 failed, 60 passed, 63 total',
      '3 failed',
    ],
    ['Mocha', 'npm run test:unit', '  5 passing (10ms)\n  2 failing\n', '2 failed'],
    ['Node', 'node --test', '# tests 7\n# pass 5\n# fail 2\n# cancelled 0', '2 failed'],
    ['Node, its other form', 'cd a && node --test', 'ℹ tests 5\nℹ pass 5\nℹ fail 0', '5 passed'],
    ['pytest', 'python3 -m pytest -q', '==== 2 failed, 5 passed in 0.12s ====', '2 failed'],
    ['pytest without a failure', 'pytest', '5 passed in 0.12s', '5 passed'],
    [
      'Cargo, of all its parts',
      'cargo test --no-fail-fast',
      'running 3 tests\ntest a ... ok\ntest b ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   Doc-tests app\n\ntest result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s',
      '3 failed',
    ],
    [
      'Cargo without a failure',
      'cd crate && cargo +nightly test',
      'test result: ok. 2 passed; 0 failed; 0 ignored;\n\n\n\n\n\ntest result: ok. 5 passed; 0 failed; 1 ignored;',
      '7 passed',
    ],
    [
      'Go',
      'go test ./...',
      '--- FAIL: TestZone (0.00s)\n    --- FAIL: TestZone/late (0.00s)\n        zone_test.go:9: no\nFAIL\nFAIL\tapp/zone\t0.002s\nok  \tapp/time\t0.001s\nFAIL',
      '1 failed',
    ],
    [
      'Go, all listed',
      'go test -v .',
      '--- PASS: TestA (0.00s)\n--- PASS: TestB (0.00s)\nok',
      '2 passed',
    ],
    [
      'Maven, of all its modules',
      './mvnw -q verify',
      '[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in app.ZoneTest\n[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0',
      '2 failed',
    ],
    [
      'Maven without a failure',
      'mvn test',
      '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.04 s -- in app.ZoneTest\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1',
      '2 passed',
    ],
    [
      '.NET',
      'dotnet test',
      'Failed!  - Failed:     1, Passed:     9, Skipped:     0, Total:    10, Duration: 8 ms - App.Tests.dll (net8.0)\nPassed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 8 ms - Other.Tests.dll (net8.0)',
      '1 failed',
    ],
  ])('are those of its summary: %s', (_runner, command, output, counts) => {
    expect(testCounts(command, output)).toBe(counts);
  });

  it.each([
    ['another command', 'cat test.log', '3 failed'],
    ['a search', 'grep -rn test src', 'src/a.ts: 3 failed'],
    ['a script among the tests', 'node test/run.js', '3 failed'],
    ['an output without a summary', 'npm test', 'npm ERR! missing script: test'],
    ['several summaries', 'npm test --workspaces', `3 passed${'\n'.repeat(9)}60 passed`],
    ['no text', 7, '3 failed'],
    [
      'parts of which some were left out',
      'cargo test',
      'test result: ok. 2 passed; 0 failed;\n[900 characters of output left out here]\ntest result: ok. 1 passed; 0 failed;',
    ],
    ['Go without a list', 'go test ./...', 'ok  \tapp/time\t0.001s'],
    ['another program of Cargo', 'cargo tester', 'test result: ok. 2 passed; 0 failed;'],
  ])('are none for %s', (_why, command, output) => {
    expect(testCounts(command, output)).toBeUndefined();
  });
});
