import type { Admission, Block, SummaryBlock } from './block';
import { amountText, tokenText } from './amountText';
import { labelOf, labelOfCall } from './label';
import { blockHandle, resultHandle } from './placeholder';
import type { Decision } from './plan';

type Truncated = Extract<Admission, { form: 'truncated' }>;

/** The decision behind a block that was shortened on its way in; undefined when it was not. */
export function admissionDecision(block: Exclude<Block, SummaryBlock>): Decision | undefined {
  const cuts = cutsOf(block);
  const [first] = cuts;
  if (first === undefined) return undefined;
  const sum = (of: (cut: Truncated) => number) =>
    cuts.reduce((total, { admission }) => total + of(admission), 0);
  return {
    blockId: block.id,
    label: labelOf(block),
    kind: block.kind,
    action: 'truncate',
    rule: 'truncateAtAdmission',
    reason: cuts.map((cut) => whyCut(cut, cuts.length > 1)).join('; '),
    before: { tokens: sum((cut) => cut.tokensBefore), exact: false },
    after: { tokens: sum((cut) => cut.tokensAfter), exact: false },
    wayBack: { handle: first.handle },
  };
}

function whyCut({ name, admission }: Cut, isOneOfMany: boolean): string {
  const { tokensBefore, capTokens } = admission;
  const size = amountText({ tokens: tokensBefore, exact: false });
  const what = `${size} tokens at admission, cap ${tokenText(capTokens)}`;
  return `${isOneOfMany ? `${name}: ` : ''}${what}: head and tail kept, the rest by recall`;
}

interface Cut {
  readonly name: string;
  readonly handle: string;
  readonly admission: Truncated;
}

function cutsOf(block: Exclude<Block, SummaryBlock>): readonly Cut[] {
  if (block.kind !== 'step') {
    return block.admission.form === 'truncated'
      ? [{ name: 'Prompt', handle: blockHandle(block.id), admission: block.admission }]
      : [];
  }
  return block.pairs.flatMap(({ use, result }): Cut[] =>
    result?.admission.form === 'truncated'
      ? [{ name: labelOfCall(use), handle: resultHandle(use.id), admission: result.admission }]
      : [],
  );
}
