/** Writes a number of tokens as every surface does: thousands apart, an estimate marked. */
export function amountText({
  tokens,
  exact,
}: {
  readonly tokens: number;
  readonly exact: boolean;
}): string {
  return exact ? tokenText(tokens) : `≈ ${tokenText(tokens)}`;
}

/** Writes a number with its thousands apart: 18711 gives "18,711". */
export function tokenText(tokens: number): string {
  return String(tokens).replace(/\B(?=(\d{3})+$)/g, ',');
}
