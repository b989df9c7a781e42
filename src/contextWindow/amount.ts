/**
 * Formats a number of tokens as in all of the interface: with thousands separators, and estimates
 * marked.
 */
export function amountText({
  tokens,
  exact,
}: {
  readonly tokens: number;
  readonly exact: boolean;
}): string {
  return exact ? tokenText(tokens) : `≈ ${tokenText(tokens)}`;
}

/** Formats a number with thousands separators: 18711 gives "18,711". */
export function tokenText(tokens: number): string {
  return String(tokens).replace(/\B(?=(\d{3})+$)/g, ',');
}
