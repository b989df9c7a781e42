import { readFileSync } from 'node:fs';
import { inRepository } from '../paths.mjs';

/**
 * Makes the front page of the package from that of the repository.
 *
 * An editor shows an extension's page without its folder, and from the web only what is on https. So the
 * pictures are in the page, and a link to another page of the repository is left as its words.
 */
export function packagedReadme(page) {
  return page
    .replace(/!\[([^\]]*)\]\((?!https:)([^)\s]+)\)/g, (_, words, path) => {
      const picture = readFileSync(inRepository(path)).toString('base64');
      return `![${words}](data:image/png;base64,${picture})`;
    })
    .replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#)[^)\s]+\)/g, '$1');
}
