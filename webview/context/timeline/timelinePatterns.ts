/** What an area of the plot is filled with. */
export type AreaFill = string | CanvasPattern;

/** Side of the tile a pattern repeats; CSS pixels. */
const TILE = 7;

/** Fills with diagonal lines, as high contrast themes tell the archive apart in the bar. */
export function striped(colour: string, behind: string): AreaFill {
  return tiled(colour, behind, (ctx) => {
    ctx.lineWidth = 3;
    for (const shift of [-TILE, 0, TILE]) {
      ctx.moveTo(shift - 1, TILE + 1);
      ctx.lineTo(shift + TILE + 1, -1);
    }
    ctx.stroke();
  });
}

/** Fills with dots, as high contrast themes tell the system prompt apart in the bar. */
export function dotted(colour: string, behind: string): AreaFill {
  return tiled(colour, behind, (ctx) => {
    ctx.arc(TILE / 2, TILE / 2, 1.6, 0, 2 * Math.PI);
    ctx.fill();
  });
}

/** Areas are painted over each other: a tile covers what is behind it. */
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
