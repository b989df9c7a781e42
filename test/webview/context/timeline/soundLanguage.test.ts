import { expect, it } from 'vitest';
import { soundenLanguage } from '../../../../webview/context/timeline/soundLanguage';

const languageOf = (language: string) => {
  const browser = { language } as Navigator;
  soundenLanguage(browser);
  return browser.language;
};

it('a language that is none is replaced, every other stays', () => {
  expect(languageOf('en-US@posix')).toBe('en-US');
  expect(languageOf('de-CH')).toBe('de-CH');
});
