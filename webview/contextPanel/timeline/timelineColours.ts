/** The colours and patterns of the timeline in the current theme. */
export interface TimelineColours {
  readonly system: AreaFill;
  readonly archive: AreaFill;
  readonly working: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly fresh: string;
  readonly low: string;
  readonly high: string;
  readonly budget: string;
  readonly text: string;
  readonly mark: string;
  readonly canvas: string;
  readonly font: string;
}

/** Reads the colours at `element`, since a canvas knows no CSS variables. */
export function timelineColours(element: HTMLElement): TimelineColours {
  const probe = document.createElement('span');
  element.append(probe);
  const style = getComputedStyle(probe);
  const colour = (variable: string): string => {
    probe.style.color = `var(${variable})`;
    return style.color;
  };
  // High contrast themes distinguish areas by pattern, as in the bar.
  const isPlain = document.body.closest('[class*="vscode-high-contrast"]') === null;
  const canvas = colour('--canvas');
  const colours = {
    system: isPlain ? colour('--system') : dotted(colour('--system'), canvas),
    archive: isPlain ? colour('--archive') : striped(colour('--archive'), canvas),
    working: colour('--working'),
    cacheRead: colour('--cache-read'),
    cacheWrite: colour('--cache-write'),
    fresh: colour('--fresh'),
    low: colour('--low'),
    high: colour('--high'),
    budget: colour('--limit'),
    text: colour('--quiet'),
    mark: colour('--vscode-foreground'),
    canvas,
    font: style.fontFamily,
  };
  probe.remove();
  return colours;
}

/** What an area of the plot is filled with. */
type AreaFill = string | CanvasPattern;

/** Side of the tile a pattern repeats; CSS pixels. */
const TILE = 7;

/** Fills with diagonal lines, as high contrast themes mark the archive in the bar. */
function striped(colour: string, behind: string): AreaFill {
  return tiled(colour, behind, (ctx) => {
    ctx.lineWidth = 3;
    for (const shift of [-TILE, 0, TILE]) {
      ctx.moveTo(shift - 1, TILE + 1);
      ctx.lineTo(shift + TILE + 1, -1);
    }
    ctx.stroke();
  });
}

/** Fills with dots, as high contrast themes mark the system prompt in the bar. */
function dotted(colour: string, behind: string): AreaFill {
  return tiled(colour, behind, (ctx) => {
    ctx.arc(TILE / 2, TILE / 2, 1.6, 0, 2 * Math.PI);
    ctx.fill();
  });
}

/** Areas are painted over each other, so a tile covers what is behind it. */
function tiled(
  colour: string,
  behind: string,
  draw: (ctx: CanvasRenderingContext2D) => void,
): AreaFill {
  const tile = document.createElement('canvas');
  const ratio = window.devicePixelRatio;
  tile.width = Math.round(TILE * ratio);
  tile.height = tile.width;
  const ctx = tile.getContext('2d');
  if (ctx === null) return colour;
  ctx.scale(tile.width / TILE, tile.width / TILE);
  ctx.fillStyle = behind;
  ctx.fillRect(0, 0, TILE, TILE);
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.beginPath();
  draw(ctx);
  return ctx.createPattern(tile, 'repeat') ?? colour;
}
