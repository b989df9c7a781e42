/**
 * Gives the page a language where the browser names one that is none: started with the locale POSIX
 * Chromium says "en-US@posix". The plots ask for number formats in the browser's language as they
 * are loaded, and that throws. So this is a file of its own, imported before them.
 */
export function soundenLanguage(browser: Navigator = navigator): void {
  try {
    new Intl.NumberFormat(browser.language);
  } catch {
    Object.defineProperty(browser, 'language', { configurable: true, value: 'en-US' });
  }
}

soundenLanguage();
