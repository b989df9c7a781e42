/**
 * Makes Markdown of a session safe to open: links that run something, such as `command:` in VS
 * Code, and HTML become plain text. Links to the web, to mail and to files without a scheme stay.
 * Code between fences stays as it is.
 */
export function inertMarkdown(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  const shown: string[] = [];
  let prose: string[] = [];
  let fence: string | undefined;
  const endProse = (): void => {
    if (prose.length > 0) shown.push(withoutActive(prose.join('\n')));
    prose = [];
  };
  for (const line of lines) {
    if (fence !== undefined) {
      shown.push(line);
      const [end] = /^ {0,3}(?:`{3,}|~{3,})(?=[ \t]*$)/.exec(line) ?? [];
      if (end?.trimStart().startsWith(fence) === true) fence = undefined;
      continue;
    }
    // Only fences at the start of a line: inside a list or quote, renderers may see none.
    fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0];
    if (fence === undefined) prose.push(line);
    else {
      endProse();
      shown.push(line);
    }
  }
  endProse();
  // The rest of the document must not become code.
  return [...shown, ...(fence === undefined ? [] : [fence])].join('\n');
}

/** A target that runs nothing. A colon, an entity or a backslash elsewhere could hide a scheme. */
const HARMLESS = /^(?:https?:\/\/|mailto:|#|[^:&\\]*$)/i;

/** A tag with attributes or of its own effect, or an address of another scheme, in `<>`. */
const ACTIVE_TAG =
  /<(?=[a-z][a-z0-9-]*[\s/]|\/?(?:script|style|iframe|object|embed|svg|math|link|base|form|meta)\b|(?!https?:|mailto:)[a-z][a-z0-9+.-]*:|[!?])/gi;

function withoutActive(text: string): string {
  return text
    .replace(/\](\(|:)(?=\s*(<[^>\n]*|[^\s)]*))/g, (whole, mark: string, target: string) =>
      HARMLESS.test(target.replace(/^</, '')) ? whole : `]\\${mark}`,
    )
    .replace(ACTIVE_TAG, '\\<');
}
