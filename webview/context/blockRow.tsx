import { Component, type VNode } from 'preact';
import type { BlockView } from '../../src/protocol/contextPanel';
import { formatTokens, originOfTokens, share } from '../ui/tokens';
import { BlockIcon } from './blockIcon';
import { isOut, numberWord, placeWords, stateWord } from './blockWords';
import { PinButton } from './pinButton';
import { TaskButton } from './taskButton';

export interface BlockRowProps {
  readonly block: BlockView;
  /** Tokens of the heaviest block: the full length of the weight bar. */
  readonly heaviest: number;
  /** True for the one row the Tab key stops at. */
  readonly current: boolean;
}

/** Draws one block as one quiet row; the list hears its clicks and keys. */
export class BlockRow extends Component<BlockRowProps> {
  override shouldComponentUpdate(next: BlockRowProps): boolean {
    const { block, heaviest, current } = this.props;
    if (next.heaviest !== heaviest || next.current !== current) return true;
    return !showsTheSame(next.block, block);
  }

  override render({ block, heaviest, current }: BlockRowProps): VNode {
    const { id, label, reason, state, tokens, category } = block;
    const out = isOut(block);
    const word = stateWord(block);
    return (
      <div
        class={`block ${out ? 'out' : 'in'} k-${category ?? 'none'}`}
        role="row"
        tabIndex={current ? 0 : -1}
        data-testid="block-row"
        data-block-id={id}
        data-state={state}
        data-exact={String(tokens.exact)}
        data-tokens={tokens.tokens}
      >
        <span class="place number" role="gridcell" title={placeWords(block)}>
          {numberWord(block)}
        </span>
        <span class="kind" aria-hidden="true">
          <BlockIcon block={block} />
        </span>
        <span class="text" role="gridcell">
          <span class="label ellipsis" title={label}>
            {label}
          </span>
          <span class="reason ellipsis" title={reason}>
            {reason}
          </span>
        </span>
        <span
          class="weight"
          role="gridcell"
          title={out ? 'Not sent' : originOfTokens(tokens.exact)}
        >
          <span class="number">{out ? '–' : formatTokens(tokens)}</span>
          <span class="rail" aria-hidden="true">
            <span style={{ width: `${share(tokens.tokens, heaviest) * 100}%` }} />
          </span>
        </span>
        <span class="state" role="gridcell">
          <span class={`pill p-${word}`}>{word}</span>
        </span>
        <span class="hold" role="gridcell">
          {block.kind === 'prompt' && <TaskButton label={label} reachable={current} />}
          <PinButton block={block} reachable={current} />
        </span>
      </div>
    );
  }
}

/** Compares what a row shows: every fact brings new objects, most of them unchanged. */
function showsTheSame(a: BlockView, b: BlockView): boolean {
  return (
    a === b ||
    (a.id === b.id &&
      a.kind === b.kind &&
      a.turn === b.turn &&
      a.step === b.step &&
      a.label === b.label &&
      a.reason === b.reason &&
      a.state === b.state &&
      a.pinned === b.pinned &&
      a.category === b.category &&
      a.tokens.tokens === b.tokens.tokens &&
      a.tokens.exact === b.tokens.exact &&
      a.tools[0] === b.tools[0])
  );
}
