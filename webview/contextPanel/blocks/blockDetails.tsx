import type { VNode } from 'preact';
import type { BlockView, ContextView } from '../../../src/editor/contextPanel/state';
import { saidLabel } from '../../kit/callWords';
import { formatShare, formatTokens, originOfTokens } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import { actionsOf, type BlockAction, runAction } from './blockActions';
import { BlockIcon } from './blockRow';
import {
  ageWords,
  factorsOf,
  isOut,
  leftWords,
  nextSentence,
  overruledWords,
  placeWords,
  stateWord,
  stateWords,
} from './words';
import { ShownByBlock } from '../files/shownExcerpts';
import { blockById } from '../parts/format';
import type { PanelProps } from '../store/panelStore';

/** Draws the details of the chosen block, and its actions. */
export function BlockDetails({ store, context }: PanelProps): VNode {
  const { blockId } = store.look.value;
  const block = blockById(context.blocks, blockId);
  if (block === undefined) {
    return <p class="empty quiet">Choose a block to see why it was kept or removed.</p>;
  }
  const { reason, category, salience } = block;
  const label = saidLabel(block);
  return (
    <section
      class={`block-details k-${category ?? 'none'}`}
      aria-label={`Block: ${label}`}
      data-testid="block-details"
      data-block-id={block.id}
    >
      <h3>
        <span class="kind">
          <BlockIcon block={block} />
        </span>
        {label}
      </h3>
      <p class="reason">{reason}</p>
      <Facts block={block} context={context} />
      <Actions block={block} context={context} store={store} />
      {block.kind === 'excerpts' && (
        <section aria-label="What it shows">
          <h4>What it shows, and why</h4>
          <ShownByBlock store={store} context={context} blockId={block.id} />
        </section>
      )}
      {salience === undefined ? (
        <p class="quiet small">Removed from the window: it has no relevance.</p>
      ) : (
        <SalienceMeters salience={salience} />
      )}
    </section>
  );
}

interface OfBlock {
  readonly block: BlockView;
  readonly context: ContextView;
}

function Facts({ block, context }: OfBlock): VNode {
  const { pinned } = block;
  const word = stateWord(block);
  return (
    <dl class="facts">
      <div class="fact">
        <dt>State</dt>
        <dd>
          <span class={`pill p-${word}`}>{stateWords(block)}</span>
          {pinned && word !== 'pinned' ? ' and pinned' : ''}
        </dd>
      </div>
      <Fact name="Where">{placeWords(block)}</Fact>
      {block.left !== undefined && <Fact name="Removed">{leftWords(block.left, undefined)}</Fact>}
      <Fact name="Age">{ageWords(block, context.blocks)}</Fact>
      <Fact name="Tokens">
        {isOut(block) ? 'none: it is not sent' : weightWords(block, context)}
      </Fact>
      <Fact name="Next">{nextSentence(block, context.next)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: string }): VNode {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function weightWords({ tokens, unrecorded }: BlockView, { balance }: ContextView): string {
  const share = formatShare(tokens.tokens, balance.inputBudget);
  const beyond =
    unrecorded === undefined
      ? ''
      : ` · ${formatTokens({ tokens: unrecorded, exact: false })} of them missing from the recording`;
  return `${formatTokens(tokens)}, ${originOfTokens(tokens.exact)} · ${share} of the input budget${beyond}`;
}

function Actions({ block, context, store }: OfBlock & Pick<PanelProps, 'store'>): VNode {
  const actions = actionsOf(block, context);
  const reasons = context.whyReadOnly === undefined ? whyNots(actions) : [context.whyReadOnly];
  return (
    <>
      <div class="answers" role="group" aria-label="Actions">
        {actions.map((action) => (
          <Button
            key={action.name}
            disabled={action.whyNot !== undefined}
            hint={action.whyNot ?? action.hint}
            onClick={() => runAction(store, action)}
            data-testid={`block-${action.name}`}
          >
            {action.moves === undefined ? action.label : `${action.label} (${action.moves})`}
          </Button>
        ))}
      </div>
      {reasons.map((reason) => (
        <p key={reason} class="quiet small">
          {reason}
        </p>
      ))}
    </>
  );
}

/** Lists disabled actions, those with one reason together: "Clear results, Exclude: …". */
function whyNots(actions: readonly BlockAction[]): readonly string[] {
  const labels = new Map<string, readonly string[]>();
  for (const { label, whyNot } of actions) {
    if (whyNot !== undefined) labels.set(whyNot, [...(labels.get(whyNot) ?? []), label]);
  }
  return [...labels].map(([whyNot, which]) => `${which.join(', ')}: ${whyNot}`);
}

interface SalienceMetersProps {
  readonly salience: NonNullable<BlockView['salience']>;
}

/** Draws a block's relevance and its factors. */
function SalienceMeters({ salience }: SalienceMetersProps): VNode {
  const overruled = overruledWords(salience);
  return (
    <div class="salience" data-testid="salience">
      <h4>Relevance</h4>
      <Meter label="Overall" says="Passes remove the least relevant blocks first." main>
        {salience.salience}
      </Meter>
      {overruled !== undefined && <p class="quiet small">{overruled}</p>}
      {factorsOf(salience).map(({ name, label, says, value }) => (
        <Meter key={name} label={label} says={`High if: ${says}`}>
          {value}
        </Meter>
      ))}
    </div>
  );
}

interface MeterProps {
  readonly label: string;
  readonly says: string;
  readonly main?: boolean;
  /** 0..1. */
  readonly children: number;
}

function Meter({ label, says, main = false, children: value }: MeterProps): VNode {
  const words = value.toFixed(2);
  return (
    <div class={main ? 'factor main' : 'factor'} title={says} data-testid="factor">
      <span class="factor-name">{label}</span>
      <span
        class="rail"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={value}
        aria-valuetext={words}
      >
        <span style={{ width: `${value * 100}%` }} />
      </span>
      <span class="number" aria-hidden="true">
        {words}
      </span>
    </div>
  );
}
