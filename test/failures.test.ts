import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failuresIn, failureText, type ReportedFile } from './harness/failures.mjs';

const passed = { fullName: 'sails', status: 'passed', failureMessages: [] };
const file = (name: string, more: Partial<ReportedFile>): ReportedFile => {
  return {
    name: resolve('test', name),
    status: 'failed',
    message: '',
    assertionResults: [],
    ...more,
  };
};

describe('the failures of a test run', () => {
  it('are each failed test, and each file that could not be loaded', () => {
    const failed = {
      fullName: 'moors',
      status: 'failed',
      failureMessages: ['Error: adrift', 'Error: late'],
    };
    expect(
      failuresIn([
        file('a.test.ts', { status: 'passed', assertionResults: [passed] }),
        file('b.test.ts', { assertionResults: [passed, failed] }),
        file('c.test.ts', { message: 'Cannot find module' }),
      ]),
    ).toEqual([
      { title: 'test/b.test.ts > moors', message: 'Error: adrift\nError: late' },
      { title: 'test/c.test.ts', message: 'Cannot find module' },
    ]);
  });

  it('are reported with the beginning of their message, without colours', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `at line ${index}`);
    const text = failureText({
      title: 'moors',
      message: `\u001b[31mError\u001b[39m: adrift\n\n${lines.join('\n')}`,
    });
    expect(text.split('\n').slice(0, 3)).toEqual(['- moors', '    Error: adrift', '    at line 0']);
    expect(text.split('\n')).toHaveLength(8);
    expect(failureText({ title: 'The build failed.', message: '' })).toBe('- The build failed.');
  });
});
