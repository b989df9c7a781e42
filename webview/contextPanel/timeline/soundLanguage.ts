/**
 * Gives the page a valid language if the browser names an invalid one: Chromium started with the
 * locale POSIX says "en-US@posix". uPlot reads number formats in the browser's language when it
 * loads, and then throws. So this is a separate file, imported before it.
 */
export function soundenLanguage(browser: Navigator = navigator): void {
  try {
    new Intl.NumberFormat(browser.language);
  } catch {
    Object.defineProperty(browser, 'language', { configurable: true, value: 'en-US' });
  }
}

soundenLanguage();
