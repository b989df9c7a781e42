/** Writes US dollars: "$1.84"; below a dollar to a tenth of a cent, "$0.159". */
export function formatDollars(dollars: number): string {
  if (dollars > 0 && dollars < 0.001) return 'under $0.001';
  return `$${dollars.toFixed(dollars < 1 ? 3 : 2)}`;
}
