import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Set by `npm run test:soak`. */
const isSoak = process.env['PLIMSOLL_SOAK'] !== undefined;

/** Set by `npm run test:agents` once the agents are installed: the folder with them. */
const hasAgents = process.env['PLIMSOLL_AGENTS'] !== undefined;

/** Set by `npm test` once the views are built: these tests load them into a browser. */
const hasBrowser = process.env['PLIMSOLL_BROWSER'] !== undefined;

/**
 * Longest duration of a test, of a hook, and of a wait within a test; ms. With eight times as much
 * work as cores, nearly all tests end within 30 s. The few slower ones name a limit of their own.
 * The soak has far more cases.
 */
const PATIENCE = {
  testTimeout: isSoak ? 3_600_000 : 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
} as const;

/** A browser starts for each file and draws on the same cores, so its tests may take longer. */
const BROWSER_PATIENCE = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

/**
 * Most of what the tests allocate is short-lived: fewer collections take 5 % less time. And most
 * code runs only for a moment: to optimise less of it takes a seventh less. Newer versions of V8 do not
 * know this flag, and compile in a cheaper stage first.
 */
const execArgv = [
  '--max-semi-space-size=64',
  ...(process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : []),
];

/** As esbuild and TypeScript have it. */
const oxc = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

export default defineConfig({
  test: {
    root,
    // Two cores: more workers than that only make timings worse.
    maxWorkers: 2,
    projects: [
      {
        root,
        oxc,
        test: {
          name: 'unit',
          environment: 'node',
          setupFiles: ['test/support/seededProperties.ts'],
          // A worker takes one file after the other: a new worker for each would take as long as
          // the tests themselves.
          isolate: false,
          execArgv,
          unstubEnvs: true,
          include: [
            'test/**/*.test.ts',
            ...(isSoak ? ['test/**/*.soak.ts'] : []),
            ...(hasAgents ? ['test/**/*.agents.ts'] : []),
          ],
          exclude: ['test/vscode/**', 'test/webview/**'],
          ...PATIENCE,
          benchmark: { include: ['test/bench/**/*.bench.ts'] },
        },
      },
      {
        root,
        oxc,
        test: {
          name: 'webview',
          environment: 'happy-dom',
          setupFiles: ['test/support/seededProperties.ts', 'test/webview/support/emptyPage.ts'],
          // As above: a page and modules for each file would take half as long again.
          isolate: false,
          execArgv,
          include: ['test/webview/**/*.test.{ts,tsx}'],
          ...PATIENCE,
        },
      },
      ...(hasBrowser
        ? [
            {
              root,
              oxc,
              test: {
                name: 'browser',
                environment: 'node',
                // As above. Each file still starts a browser of its own.
                isolate: false,
                execArgv,
                include: ['test/**/*.browser.ts'],
                ...BROWSER_PATIENCE,
              },
            },
          ]
        : []),
    ],
  },
});
