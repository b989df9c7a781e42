import type { PassView } from '../../../src/protocol/contextPanel';
import type { EditView } from '../../../src/protocol/editView';

/** One entry of the ledger; `number` tells an edit from the others, however many come after it. */
export type LedgerRow =
  | { readonly type: 'pass'; readonly pass: PassView }
  | { readonly type: 'edit'; readonly number: number; readonly edit: EditView };

/** Sets what the user changed without a pass between the passes; all newest first. */
export function ledgerRows(
  passes: readonly PassView[],
  edits: readonly EditView[],
): readonly LedgerRow[] {
  const rows: LedgerRow[] = [];
  let taken = 0;
  const takeEditsAfter = (pass: number): void => {
    for (
      let edit = edits[taken];
      edit !== undefined && edit.afterPass >= pass;
      edit = edits[taken]
    ) {
      rows.push({ type: 'edit', number: edits.length - taken, edit });
      taken += 1;
    }
  };
  for (const pass of passes) {
    takeEditsAfter(pass.number);
    rows.push({ type: 'pass', pass });
  }
  takeEditsAfter(0);
  return rows;
}
