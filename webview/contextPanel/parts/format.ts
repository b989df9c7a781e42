import { formatNumber } from '../../kit/tokens';

/** Writes US dollars: "$1.84"; below a dollar to a tenth of a cent, "$0.159". */
export function formatDollars(dollars: number): string {
  if (dollars > 0 && dollars < 0.001) return 'under $0.001';
  return `$${dollars.toFixed(dollars < 1 ? 3 : 2)}`;
}

/** Writes a number of passes: "1 pass", "14 passes". */
export function formatPasses(count: number): string {
  return count === 1 ? '1 pass' : `${formatNumber(count)} passes`;
}

/** A name in the middle of a sentence: "Pass 3" gives "pass 3". */
export function lowered(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** "Pass 4", "Passes 4 and 5". */
export function passesWords(passes: readonly number[]): string {
  const numbers = passes.map(formatNumber).join(' and ');
  return passes.length === 1 ? `Pass ${numbers}` : `Passes ${numbers}`;
}
