/** The style of an exported page; it names no address, so that nothing is loaded. */
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
.swatch.low, .swatch.high, .swatch.budget, .swatch.mark, .swatch.shown, .swatch.estimated { width: 1.6em; }
.swatch.low, .swatch.high, .swatch.budget, .swatch.mark, .swatch.shown { height: 0; border-top: 2px solid currentColor; vertical-align: .25em; }
.swatch.low { border-top-style: dashed; } .swatch.budget { border-top: 4px double currentColor; }
.swatch.mark { border-top-style: dotted; } .swatch.shown { border-top-width: 5px; }
svg { display: block; width: 100%; border: 1px solid #8888; box-sizing: border-box; }
svg polyline, svg line { fill: none; stroke: currentColor; stroke-width: 1; vector-effect: non-scaling-stroke; }
svg .low { stroke-dasharray: 6 4; } svg .budget { stroke-width: 2; }
svg .mark { stroke-dasharray: 1 2; stroke-width: 2; } svg .shown { stroke-width: 4; }
svg .estimated { stroke-width: 3; stroke-dasharray: 3 3; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.out .label { text-decoration: line-through; }
.reason, .quiet { opacity: .75; }
.notice { border-left: 4px solid #8888; padding-left: .8rem; }
`;
