/**
 * Writes a number of tokens as every surface does: with thousands separated, and an estimate
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

/** Writes a number with thousands separated: 18711 gives "18,711". */
export function tokenText(tokens: number): string {
  return String(tokens).replace(/\B(?=(\d{3})+$)/g, ',');
}
