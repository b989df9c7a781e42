import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

/** The names of the icons that the pages draw. */
const LIST = fileURLToPath(new URL('codicons.json', import.meta.url));

/**
 * An esbuild plugin that keeps those of VS Code's icons that the pages draw, in the font and in its
 * styles: 40 of 650. The package is 64 kB smaller for it.
 */
export const usedIcons = {
  name: 'used-icons',
  setup(build) {
    let characters = '';
    build.onLoad({ filter: /codicon\.css$/ }, ({ path }) => {
      const names = new Set(Object.values(JSON.parse(readFileSync(LIST, 'utf8'))));
      const rule = /^\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm;
      characters = '';
      const contents = readFileSync(path, 'utf8').replace(rule, (whole, name, code) => {
        if (!names.has(name)) return '';
        characters += String.fromCodePoint(Number.parseInt(code, 16));
        return whole;
      });
      return { contents, loader: 'css', watchFiles: [LIST] };
    });
    // Loaded after the styles, which name it.
    build.onLoad({ filter: /codicon\.ttf$/ }, async ({ path }) => {
      if (characters === '')
        throw new Error(`The styles of ${path} have another form than expected.`);
      const contents = await subsetFont(readFileSync(path), characters, { targetFormat: 'sfnt' });
      return { contents, loader: 'file', watchFiles: [LIST] };
    });
  },
};
