import { readFileSync } from 'node:fs';
import { inRepository } from '../paths.mjs';

/**
 * Makes the package's front page from the repository's.
 *
 * An editor shows an extension's page without its folder, and loads only https addresses. So the
 * page contains its pictures, and links to other pages of the repository become plain text.
 */
export function packagedReadme(page) {
  return page
    .replace(/!\[([^\]]*)\]\((?!https:)([^)\s]+)\)/g, (_, words, path) => {
      const picture = readFileSync(inRepository(path)).toString('base64');
      return `![${words}](data:image/png;base64,${picture})`;
    })
    .replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#)[^)\s]+\)/g, '$1');
}
