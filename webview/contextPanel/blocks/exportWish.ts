import type { BlockView } from '../../../src/editor/contextPanel/state';
import type { ExportForm, ShownBlocks } from '../../../src/editor/contextPanel/exports/wishes';
import type { ContextWish } from '../../../src/editor/contextPanel/wishes';
import { DEFAULT_LOOK, type Look } from '../store/look';
import { listRows, SORT_LABELS, STATE_FILTERS, stateFilterOf } from './listRows';

/** The wish for an export of what is shown: the chosen blocks, in the chosen order. */
export function exportWish(
  form: ExportForm,
  blocks: readonly BlockView[],
  look: Look,
): Extract<ContextWish, { readonly type: 'exportView' }> {
  const words = choiceWords(look);
  // A log is always of the whole session.
  if (form === 'jsonl' || words === '') return { type: 'exportView', form };
  const shown: ShownBlocks = { ids: idsShown(blocks, look), words };
  return { type: 'exportView', form, shown };
}

/** The blocks of a folded turn count as shown: by the turn's own row. */
function idsShown(blocks: readonly BlockView[], look: Look): readonly string[] {
  return listRows(blocks, { ...look, collapsedTurns: [] }).flatMap((row) =>
    row.type === 'block' ? [row.block.id] : [],
  );
}

/** Says how the blocks were chosen; '' where all are shown, in order. */
function choiceWords({ query, states, sort, byTurn }: Look): string {
  const filter = stateFilterOf(states);
  const state = STATE_FILTERS.find(({ name }) => name === filter)?.label ?? '';
  const isSorted = sort !== DEFAULT_LOOK.sort;
  return [
    ...(query.trim() === '' ? [] : [`filter “${query.trim()}”`]),
    ...(filter === 'all' ? [] : [`state “${state}”`]),
    ...(isSorted ? [`order “${SORT_LABELS[sort]}”`] : []),
    ...(isSorted && byTurn ? ['by turn'] : []),
  ].join(', ');
}
