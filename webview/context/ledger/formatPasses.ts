import { formatNumber } from '../../ui/tokens';

/** Writes a number of passes: "1 pass", "14 passes". */
export function formatPasses(count: number): string {
  return count === 1 ? '1 pass' : `${formatNumber(count)} passes`;
}
