/**
 * Gives the page a valid language where the browser names one that is not: Chromium started with
 * the locale POSIX says "en-US@posix". The plots ask for number formats in the browser's language
 * when they are loaded, which then throws. So this is a file of its own, imported before them.
 */
export function soundenLanguage(browser: Navigator = navigator): void {
  try {
    new Intl.NumberFormat(browser.language);
  } catch {
    Object.defineProperty(browser, 'language', { configurable: true, value: 'en-US' });
  }
}

soundenLanguage();
