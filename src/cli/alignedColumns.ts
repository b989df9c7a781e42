/** Sets rows of cells in columns: the first `left` flush left, the others flush right. */
export function alignedColumns(rows: readonly (readonly string[])[], left: number): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const set = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return column < left ? cell.padEnd(width) : cell.padStart(width);
  };
  return rows.map((row) => row.map(set).join('  ').trimEnd()).join('\n');
}
