import { findBrowser } from './findBrowser.mjs';

/** Lets Chromium run headless as root and keeps it off the network. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Longest time for a page to get ready, in ms: a busy machine is not a failure. */
const patience = 60_000;

/** The size of the page in every screenshot, in CSS pixels. */
const windowSize = { width: 1600, height: 1000 };

/**
 * Launches headless Chromium and returns its context, its one page, and `close`.
 *
 * `debuggingPort` also opens the DevTools protocol on 127.0.0.1, for a suite that drives the page
 * from another process; the context is the browser's default one because such a client sees only
 * that.
 *
 * `isOneProcess` draws all pages in one process: the usual process for each page costs a fifth of a
 * short test.
 *
 * `isCalm` stops the spinning icons of the workbench, which no setting of VS Code does.
 */
export async function launchBrowser({
  host,
  debuggingPort,
  size = windowSize,
  isOneProcess = false,
  isCalm = false,
}) {
  const { chromium } = await import('playwright-core');
  const { executable, env } = findBrowser(host);
  const context = await chromium.launchPersistentContext('', {
    executablePath: executable,
    headless: true,
    viewport: size,
    args: [
      ...flags,
      `--window-size=${size.width},${size.height}`,
      ...(isOneProcess ? ['--renderer-process-limit=1'] : []),
      ...(debuggingPort
        ? [`--remote-debugging-port=${debuggingPort}`, '--remote-debugging-address=127.0.0.1']
        : []),
    ],
    env: { ...process.env, ...env },
    // This process handles signals itself; Playwright cleans up in its exit event.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  context.setDefaultTimeout(patience);
  if (isCalm) await context.addInitScript(holdIconsStill);
  const page = context.pages()[0] ?? (await context.newPage());
  return { context, page, close: () => context.close() };
}

/** Runs in every frame; webviews have their own policy and their own icons. */
function holdIconsStill() {
  if (globalThis !== globalThis.top) return;
  addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent = '.codicon-modifier-spin, .codicon-loading { animation: none !important; }';
    document.head.append(style);
  });
}
