import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

interface ExportedPageProps {
  readonly title: string;
  /** A style sheet without an address. */
  readonly style: string;
  readonly children: ComponentChildren;
}

/**
 * Writes an HTML page that loads nothing: no script, image or address. The renderer escapes texts and
 * attributes, so content of a session stays text.
 */
export function exportedPage(page: ExportedPageProps): string {
  return `<!DOCTYPE html>\n${renderToString(<ExportedPage {...page} />)}\n`;
}

function ExportedPage({ title, style, children }: ExportedPageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style>{style}</style>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}
