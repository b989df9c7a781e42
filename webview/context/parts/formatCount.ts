import { formatNumber } from '../../ui/tokens';

/** Writes a number with its noun: "1 block", "14 blocks". */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
