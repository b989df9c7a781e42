/** Formats the measurements as lines of text, with a column for each length of session. */
export function tableOf(title, columns) {
  const [least, most] = [columns[0], columns.at(-1)];
  const rows = least.costs.map(({ what }) => {
    const at = ({ costs }) => costs.find((cost) => cost.what === what) ?? {};
    return [
      what,
      ...columns
        .map(at)
        .flatMap(({ ms, cpuMs, bytes }) => [
          numberText(ms),
          numberText(cpuMs),
          bytes === undefined ? '' : numberText(bytes / 1_000),
        ]),
      ratioText(at(least).cpuMs, at(most).cpuMs),
      ratioText(at(least).bytes, at(most).bytes),
    ];
  });
  const heads = columns.flatMap(({ steps }) => [
    `${steps.toLocaleString('en')}: ms`,
    'CPU ms',
    'kB',
  ]);
  const table = [[title, ...heads, 'CPU', 'kB'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map(([first, ...cells]) =>
      [first.padEnd(widths[0]), ...cells.map((cell, column) => cell.padStart(widths[column + 1]))]
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function numberText(number) {
  if (number === undefined) return '';
  if (number >= 100) return number.toFixed(0);
  return number.toFixed(number >= 1 ? 1 : 3);
}

function ratioText(least, most) {
  return least === undefined || most === undefined ? '' : `x ${(most / least).toFixed(1)}`;
}
