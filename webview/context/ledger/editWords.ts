import type { EditView } from '../../../src/protocol/editView';
import { formatNumber } from '../../ui/tokens';

/** Says what the user changed without a pass: "You pinned read_file a.ts, before step 8". */
export function editWords({ kind, label = 'a block', beforeStep }: EditView): string {
  return `${deedWords(kind, label)}, before step ${formatNumber(beforeStep)}`;
}

function deedWords(kind: EditView['kind'], label: string): string {
  switch (kind) {
    case 'pinned':
      return `You pinned ${label}`;
    case 'unpinned':
      return `You unpinned ${label}`;
    case 'anchor':
      return `You made another prompt the task (${label})`;
    case 'recall':
      return `You brought ${label} back as a note at the end`;
    case 'notes':
      return 'You changed the notes';
    case 'notesBack':
      return 'You put the notes back as they were';
  }
}

/** Says what an undo would do. */
export function undoHint(undo: NonNullable<EditView['undo']>): string {
  switch (undo.type) {
    case 'pinBlock':
      return 'Pin it again';
    case 'unpinBlock':
      return 'Unpin it again';
    case 'moveAnchor':
      return 'Make the prompt before it the task again';
    case 'undoNotes':
      return 'Put the notes back as they were before; the agent is told';
  }
}
