import { readFileSync } from 'node:fs';
import { inRepository } from '../paths.mjs';

/** A picture of the same, for a page that contains its pictures. */
const STILLS = { 'media/context-panel-animation.png': 'media/context-panel-answers.png' };

/**
 * Makes the package's front page from the repository's.
 *
 * An editor shows an extension's page without its folder, and loads only https addresses. So the
 * page contains its pictures, stills instead of animations, and links to other pages of the repository become plain text.
 */
export function packagedReadme(page) {
  return page
    .replace(/!\[([^\]]*)\]\((?!https:)([^)\s]+)\)/g, (_, words, path) => {
      const picture = readFileSync(inRepository(STILLS[path] ?? path)).toString('base64');
      return `![${words}](data:image/png;base64,${picture})`;
    })
    .replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#)[^)\s]+\)/g, '$1');
}
