/**
 * Splits a whole number in proportion to the weights so that the shares add up to it exactly
 * (largest remainders get what rounding leaves). All weights 0: the first share gets everything.
 */
export function apportion(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0) return weights.map((_, index) => (index === 0 ? total : 0));
  const ideal = weights.map((weight) => (total * weight) / sum);
  const shares = ideal.map(Math.floor);
  let left = total - shares.reduce((a, b) => a + b, 0);
  const byRemainder = ideal
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder) {
    if (left <= 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}
