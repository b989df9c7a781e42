import type { ReplyPart } from './block';
import type { AppliedServerEdit, ServerEdit } from './serverEdits';

/** What is known of the API's own editing of a request: what was asked for, and what came back. */
export interface EditingTold {
  readonly parts: readonly ReplyPart[];
  readonly serverEdits?: readonly ServerEdit[];
  readonly appliedEdits?: readonly AppliedServerEdit[];
}

/** Says whether the model may have read less than was sent; no word on edits asked for is no "none". */
export function mayBeEdited({ parts, serverEdits = [], appliedEdits }: EditingTold): boolean {
  if (parts.some(({ type }) => type === 'compaction')) return true;
  return appliedEdits === undefined ? serverEdits.length > 0 : appliedEdits.length > 0;
}
