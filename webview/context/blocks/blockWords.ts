import type { BlockView } from '../../../src/protocol/contextPanel';
import { formatCount } from '../parts/formatCount';

/** Says whether a block is out of the window. */
export function isOut({ state }: Pick<BlockView, 'state'>): boolean {
  return state === 'compacted' || state === 'evicted' || state === 'excluded';
}

/** The one word that says what became of a block; a pin is told only where all is well. */
export function stateWord({ state, pinned }: Pick<BlockView, 'state' | 'pinned'>): string {
  return pinned && state === 'whole' ? 'pinned' : state;
}

/** The same for the eye: of a step that keeps some of its results it says how many are cleared. */
export function stateWords(block: Pick<BlockView, 'state' | 'pinned' | 'results'>): string {
  const { state, results } = block;
  return state === 'cleared' && results !== undefined && results.cleared < results.all
    ? `${results.cleared} of ${results.all} cleared`
    : stateWord(block);
}

/** The block's number in the narrow column: its step, or the turn it opens. */
export function numberWord({ step, turn }: Pick<BlockView, 'step' | 'turn'>): string {
  return step === undefined ? `T${turn}` : `${step}`;
}

/** Says where in the session a block belongs. */
export function placeWords({ step, turn }: Pick<BlockView, 'step' | 'turn'>): string {
  return step === undefined ? `turn ${turn}` : `turn ${turn}, step ${step}`;
}

/** Says how many steps came after a block. */
export function ageWords(
  { id, kind }: Pick<BlockView, 'id' | 'kind'>,
  blocks: readonly Pick<BlockView, 'id' | 'kind'>[],
): string {
  const place = blocks.findIndex((block) => block.id === id);
  const later = blocks.slice(place + 1).filter((block) => block.kind === 'step').length;
  if (later > 0) return `${formatCount(later, 'step')} ago`;
  return kind === 'step' ? 'the newest step' : 'no step since';
}
