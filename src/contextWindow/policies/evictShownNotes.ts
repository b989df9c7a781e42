import { closeRung, takeable, touchAll, type Rung } from './draft';

/** Takes out the notes that told of a changed scratchpad: a pass shows the scratchpad itself. */
export const evictShownNotes: Rung = (draft) => {
  if (draft.used <= draft.target) return draft;
  const notes = takeable(draft).filter(
    (block) => block.kind === 'note' && block.source.from === 'scratchpad',
  );
  const what = { action: 'evict', rule: 'evictShownNotes' } as const;
  return closeRung(
    draft,
    touchAll(
      draft,
      notes.map(({ id }) => ({ id, weight: 0, what })),
    ),
    'evict',
  );
};
