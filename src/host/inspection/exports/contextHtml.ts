import type { ContextView } from '../../../protocol/contextPanel';
import {
  accountRows,
  fillWords,
  momentWords,
  number,
  passWords,
  tokens,
  weightWords,
} from './viewRows';

const COLOURS = {
  Tools: '#6d7a8a',
  'System prompt': '#8c7bbd',
  Scratchpad: '#c77dbb',
  'Task anchor': '#d9b46a',
  Summary: '#b58a5b',
  Archive: '#3f6b8f',
  Working: '#4fa3d4',
} as const;

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
.bar { display: flex; height: 2rem; border: 1px solid #8888; border-radius: 3px; overflow: hidden; }
.bar span { display: block; }
.rest { background: repeating-linear-gradient(135deg, #8883 0 4px, transparent 4px 8px); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.out td { opacity: .65; } tr.out .label { text-decoration: line-through; }
.reason, .quiet { opacity: .75; }
`;

/**
 * Writes what the Context panel shows as one HTML page that loads nothing: no script, no picture, no
 * address. Whatever a session contains is text in it.
 */
export function contextHtml(view: ContextView): string {
  const { title, model, windowSource, policy, balance, blocks, passes } = view;
  const rows = accountRows(balance);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Context window: ${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Context window: ${text(title)}</h1>
<p class="quiet">${text(momentWords(view))} · ${text(model)} · window ${text(windowSource)} · policy ${text(policy)}</p>
<p>${text(fillWords(view))}.</p>
<div class="bar" role="img" aria-label="${text(rows.map((row) => `${row.name} ${number(row.tokens)}`).join(', '))}">
${rows.map((row) => piece(row, balance.contextWindowTokens)).join('\n')}
</div>
<table>
<thead><tr><th>Part</th><th class="n">Tokens</th></tr></thead>
<tbody>
${rows.map((row) => `<tr><td>${text(row.name)}</td><td class="n">${number(row.tokens)}</td></tr>`).join('\n')}
<tr><th>Context window</th><th class="n">${number(balance.contextWindowTokens)}</th></tr>
</tbody>
</table>
<h2>Blocks</h2>
<table>
<thead><tr><th>Turn</th><th>Step</th><th>Block</th><th class="n">Tokens</th><th>State</th></tr></thead>
<tbody>
${blocks.map(blockRow).join('\n')}
</tbody>
</table>
<h2>Passes</h2>
${passes.length === 0 ? '<p>No pass has run.</p>' : passTable(passes)}
<p class="quiet">≈ marks an estimate. Written by Plimsoll; labels and numbers, no text of blocks.</p>
</body>
</html>
`;
}

function piece({ name, tokens: size }: { name: string; tokens: number }, whole: number): string {
  const width = `${(Math.max(0, size) / Math.max(1, whole)) * 100}%`;
  const colour = COLOURS[name as keyof typeof COLOURS] as string | undefined;
  const look = colour === undefined ? 'class="rest" ' : '';
  const fill = colour === undefined ? '' : `;background:${colour}`;
  return `<span ${look}style="width:${width}${fill}" title="${text(`${name} ${number(size)}`)}"></span>`;
}

function blockRow(block: ContextView['blocks'][number]): string {
  const { turn, step, label, reason, state, pinned } = block;
  const isOut = block.category === undefined;
  return `<tr${isOut ? ' class="out"' : ''}><td class="n">${turn}</td><td class="n">${step ?? ''}</td><td><span class="label">${text(label)}</span><br><span class="reason">${text(reason)}</span></td><td class="n">${weightWords(block)}</td><td>${state}${pinned ? ', pinned' : ''}</td></tr>`;
}

function passTable(passes: ContextView['passes']): string {
  return `<table>
<thead><tr><th>Pass</th><th class="n">Before</th><th class="n">After</th><th class="n">Changed</th><th class="n">Prefix written again</th></tr></thead>
<tbody>
${passes
  .map(
    (pass) =>
      `<tr><td>${text(passWords(pass))}</td><td class="n">${tokens(pass.before)}</td><td class="n">${tokens(pass.after)}</td><td class="n">${pass.changed}</td><td class="n">${number(pass.rewrittenTokens)}</td></tr>`,
  )
  .join('\n')}
</tbody>
</table>`;
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
