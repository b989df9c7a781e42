import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import codicons from '../../../webview/kit/codicons.json';
import { browserOfTests } from './support/browser';

const context = browserOfTests();

const root = join(import.meta.dirname, '../../..');

function base64(...path: string[]): string {
  return readFileSync(join(root, ...path)).toString('base64');
}

it('has every icon that the pages draw in its font and in its styles, and no other', async () => {
  const icons = [...new Set<string>(Object.values(codicons))].sort();
  const rules = ['agent.css', 'context.css'].map((name) => {
    const styles = readFileSync(join(root, 'dist/webview', name), 'utf8');
    const found = styles.matchAll(/\.codicon-([\w-]+):before\s*\{\s*content:\s*"\\([0-9a-f]+)/gi);
    return [...found].map(([, icon = '', code = '']) => ({ icon, code }));
  });
  for (const found of rules) expect(found.map(({ icon }) => icon).sort()).toEqual(icons);

  const page = await context().newPage();
  const drawn = await page.evaluate(
    async ({ fonts, codes }) => {
      const pictures = new Map<string, string[]>();
      for (const [name, data] of Object.entries(fonts)) {
        const face = new FontFace(name, `url(data:font/ttf;base64,${data})`);
        document.fonts.add(await face.load());
        const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
        const pen = canvas.getContext('2d', { willReadFrequently: true })!;
        pen.font = `48px ${name}`;
        const pictureOf = (code: string): string => {
          pen.clearRect(0, 0, 64, 64);
          pen.fillText(String.fromCodePoint(Number.parseInt(code, 16)), 8, 56);
          return pen.getImageData(0, 0, 64, 64).data.join();
        };
        pictures.set(name, codes.map(pictureOf));
      }
      const [whole = [], built = []] = pictures.values();
      return codes.map((_, at) => ({
        same: built[at] === whole[at],
        empty: /^[0,]*$/.test(built[at]!),
      }));
    },
    {
      fonts: {
        whole: base64('node_modules/@vscode/codicons/dist/codicon.ttf'),
        built: base64('dist/webview/codicon.ttf'),
      },
      // The last one is a gear, which no page draws.
      codes: [...rules[0]!.map(({ code }) => code), 'eaf8'],
    },
  );
  await page.close();
  const used = icons.map(() => ({ same: true, empty: false }));
  expect(drawn).toEqual([...used, { same: false, empty: true }]);
});
