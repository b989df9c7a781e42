import type { BlockView } from '../../src/protocol/contextPanel';

/** Says whether a block is out of the window. */
export function isOut({ state }: Pick<BlockView, 'state'>): boolean {
  return state === 'compacted' || state === 'evicted';
}

/** The one word that says what became of a block; a pin is told only where all is well. */
export function stateWord({ state, pinned }: Pick<BlockView, 'state' | 'pinned'>): string {
  return pinned && state === 'whole' ? 'pinned' : state;
}

/** The block's number in the narrow column: its step, or the turn it opens. */
export function numberWord({ step, turn }: Pick<BlockView, 'step' | 'turn'>): string {
  return step === undefined ? `T${turn}` : `${step}`;
}

/** Says where in the session a block belongs. */
export function placeWords({ step, turn }: Pick<BlockView, 'step' | 'turn'>): string {
  return step === undefined ? `turn ${turn}` : `turn ${turn}, step ${step}`;
}
