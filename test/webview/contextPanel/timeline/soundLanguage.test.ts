import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { soundenLanguage } from '../../../../webview/contextPanel/timeline/soundLanguage';

const languageOf = (language: string) => {
  const browser = { language } as Navigator;
  soundenLanguage(browser);
  return browser.language;
};

it('an invalid language is replaced, any other stays', () => {
  expect(languageOf('en-US@posix')).toBe('en-US');
  expect(languageOf('de-CH')).toBe('de-CH');
});

it('the language is fixed before the plot library loads, which reads it on import', () => {
  const file = join('webview', 'contextPanel', 'timeline', 'timelinePlot.ts');
  const imports = [...readFileSync(file, 'utf8').matchAll(/^import [^;]*'(.*)';$/gm)];
  expect(imports.slice(0, 2).map(([, from]) => from)).toEqual(['./soundLanguage', 'uplot']);
});
