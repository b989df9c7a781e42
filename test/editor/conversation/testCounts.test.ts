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
  ])('are none for %s', (_why, command, output) => {
    expect(testCounts(command, output)).toBeUndefined();
  });
});
