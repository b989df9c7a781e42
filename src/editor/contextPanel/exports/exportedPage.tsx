import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Category } from '../../../contextWindow/account/balance';

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

/** The style of exported pages. It has no address, so the page loads nothing. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
.bar { position: relative; height: 2rem; border: 1px solid #8888; border-radius: 3px; overflow: hidden; }
.piece, .line, .foot { position: absolute; top: 0; bottom: 0; display: block; }
.rest { background: repeating-linear-gradient(135deg, #8883 0 4px, transparent 4px 8px); }
.over { background: repeating-linear-gradient(135deg, #c33 0 4px, #c333 4px 8px); }
.foot { top: auto; left: 0; height: 5px; }
.foot, .swatch.estimated { background: repeating-linear-gradient(90deg, #fff 0 3px, #000 3px 6px); }
.line { width: 0; margin-left: -1px; border-left: 2px solid currentColor; }
.line.low { border-left-style: dashed; } .line.budget { border-left: 4px double currentColor; }
.key { margin: .4rem 0; font-size: .9em; display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; }
.swatch { display: inline-block; width: .8em; height: .8em; margin-right: .45em; vertical-align: -.05em; }
.swatch.low, .swatch.high, .swatch.budget, .swatch.mark, .swatch.shown, .swatch.recorded, .swatch.estimated { width: 1.6em; }
.swatch.low, .swatch.high, .swatch.budget, .swatch.mark, .swatch.shown, .swatch.recorded { height: 0; border-top: 2px solid currentColor; vertical-align: .25em; }
.swatch.low { border-top-style: dashed; } .swatch.budget { border-top: 4px double currentColor; }
.swatch.mark { border-top-style: dotted; } .swatch.shown { border-top-width: 5px; } .swatch.recorded { border-top-width: 3px; }
svg { display: block; width: 100%; border: 1px solid #8888; box-sizing: border-box; }
svg polyline, svg line { fill: none; stroke: currentColor; stroke-width: 1; vector-effect: non-scaling-stroke; }
svg .low { stroke-dasharray: 6 4; } svg .budget { stroke-width: 2; } svg .recorded { stroke-width: 3; }
svg .mark { stroke-dasharray: 1 2; stroke-width: 2; } svg .shown { stroke-width: 4; }
svg .estimated { stroke-width: 3; stroke-dasharray: 3 3; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.out .label { text-decoration: line-through; }
.reason, .quiet { opacity: .75; }
.notice { border-left: 4px solid #8888; padding-left: .8rem; }
`;

/** Colours of the used parts; free, reserved and overdrawn parts have a pattern. */
export const CATEGORY_COLOURS: Readonly<Record<Category, string>> = {
  tools: '#6d7a8a',
  system: '#8c7bbd',
  unrecorded: '#8a8f6a',
  scratchpad: '#c77dbb',
  anchor: '#d9b46a',
  rules: '#c98d4e',
  summary: '#b58a5b',
  gapLines: '#6a7f8c',
  excerpts: '#7aa35c',
  archive: '#3f6b8f',
  working: '#4fa3d4',
};
