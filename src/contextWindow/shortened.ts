import type { Admission, Block } from './block';
import { blockHandle, resultHandle } from './placeholder';

/** How much of a text the window holds from now on; `handle` names a block or a call. */
export interface NewAdmission {
  readonly handle: string;
  readonly admission: Admission;
}

/** Cuts texts of a block further than they were at admission; the log has them whole. */
export function shortened(block: Block, admissions: readonly NewAdmission[]): Block {
  const of = (handle: string) => admissions.find((cut) => cut.handle === handle)?.admission;
  const { exactTokens: _stale, ...rest } = block;
  switch (rest.kind) {
    case 'anchor':
    case 'prompt':
    case 'note': {
      const admission = of(blockHandle(rest.id));
      return admission === undefined ? block : { ...rest, admission, state: 'truncated' };
    }
    case 'step': {
      const pairs = rest.pairs.map((pair) => {
        const admission = of(resultHandle(pair.use.id));
        return admission === undefined || pair.result === undefined
          ? pair
          : { ...pair, result: { ...pair.result, admission } };
      });
      const state = rest.state === 'cleared' ? 'cleared' : 'truncated';
      return { ...rest, pairs, state };
    }
    case 'summary':
      return block;
  }
}
