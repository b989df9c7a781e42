/** What a webview page is made of; addresses are as the webview sees them. */
export interface PageParts {
  readonly title: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Where VS Code serves the webview's files from. */
  readonly cspSource: string;
  /** Unguessable; a new one for every page. */
  readonly nonce: string;
}

/**
 * Writes the page of a webview. Its policy lets it load one script, the extension's styles and
 * nothing else: no network, no images, no frames, whatever a reply of the model contains.
 */
export function webviewHtml(page: PageParts): string {
  const { title, scriptUri, styleUri, cspSource, nonce } = page;
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    // The component toolkit tests its focus style in an inline sheet with the nonce.
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta property="csp-nonce" content="${nonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <link rel="stylesheet" href="${attribute(styleUri)}" />
    <title>${attribute(title)}</title>
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" src="${attribute(scriptUri)}"></script>
  </body>
</html>`;
}

function attribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
