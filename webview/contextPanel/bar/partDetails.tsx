import type { ComponentChildren, VNode } from 'preact';
import { ESTIMATE_MARK } from '../../../src/editor/coreForPages';
import type { Balance } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatShare } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import type { OpenPart } from '../store/keptState';
import type { PanelProps } from '../store/panelStore';
import { MemoryDetails } from './memoryDetails';
import { NotesDetails } from './notesDetails';
import { barPartsOf, budgetSum, estimatedPart, type Segment, segmentTokens } from './segments';
import { RulesDetails } from '../rules/rulesDetails';
import { ToolDetails } from './toolDetails';
import {
  DETAILS_TITLES,
  MARK_MEANINGS,
  recordedWords,
  SEGMENT_MEANINGS,
  sourceWords,
} from './words';

interface PartDetailsProps extends PanelProps {
  readonly id: string;
  readonly part: OpenPart;
  readonly segments: readonly Segment[];
  readonly onClose: () => void;
}

/** Shows what a part of the bar is made of, or the sum of all parts. */
export function PartDetails(props: PartDetailsProps): VNode {
  const { id, part, store, context, segments, onClose } = props;
  const { wish } = store;
  return (
    <section
      id={id}
      class="part-details"
      role="group"
      aria-label={DETAILS_TITLES[part]}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      data-testid="part-details"
      data-part={part}
    >
      <header class="head">
        <h2 class="title">{DETAILS_TITLES[part]}</h2>
        {part !== 'sum' && (
          <LinkButton
            onClick={() => {
              store.look.value = { ...store.look.peek(), openPart: 'sum' };
            }}
            data-testid="show-sum"
          >
            The whole sum
          </LinkButton>
        )}
        <LinkButton class="close" onClick={onClose} data-testid="close-details">
          Close
        </LinkButton>
      </header>
      {part === 'sum' ? (
        <Sum context={context} segments={segments} />
      ) : part === 'rules' ? (
        <RulesDetails store={store} context={context} />
      ) : (
        <Legend
          segments={barPartsOf(segments).find(({ name }) => name === part)?.segments ?? []}
          inputBudget={context.balance.inputBudget}
        />
      )}
      {part === 'fixed' && (
        <>
          <ToolDetails context={context} wish={wish} />
          <MemoryDetails context={context} wish={wish} />
        </>
      )}
      {part === 'kept' && <NotesDetails context={context} wish={wish} />}
      {part === 'kept' && context.rules !== undefined && (
        <p>
          <LinkButton
            onClick={() => {
              store.look.value = { ...store.look.peek(), openPart: 'rules' };
            }}
            data-testid="show-rules"
          >
            Standing rules
          </LinkButton>
        </p>
      )}
      {part === 'files' && (
        <p>
          <LinkButton
            onClick={() => {
              store.look.value = { ...store.look.peek(), tab: 'files' };
            }}
            data-testid="show-files"
          >
            Every file, and what the window shows of it
          </LinkButton>
        </p>
      )}
    </section>
  );
}

/** Adds the parts up to the window, and gives the budget, the watermarks and the source. */
function Sum({ context, segments }: Pick<PartDetailsProps, 'context' | 'segments'>): VNode {
  const { balance, windowSource, policy, recent, travel } = context;
  const { contextWindowTokens, inputBudget, highTokens, lowTokens } = balance;
  const recorded = recordedWords(travel, balance.used.tokens);
  return (
    <>
      <Legend segments={segments} inputBudget={inputBudget}>
        <li class="total">
          <span>Context window</span>{' '}
          <span class="number" data-testid="legend-total">
            {formatNumber(contextWindowTokens)}
          </span>{' '}
          <span class="parts">{windowSource}</span>
        </li>
        <li class="key" title="The server counts a request as a whole: the split is estimated here">
          <span class="swatch c-estimate" aria-hidden="true" />
          {ESTIMATE_MARK} estimated share
        </li>
      </Legend>
      <p
        class={`source ${balance.used.exact ? 'exact' : 'estimated'}`}
        data-testid="source"
        data-exact={String(balance.used.exact)}
      >
        {balance.used.exact ? <span class="dot">● </span> : `${ESTIMATE_MARK}\u00a0`}
        {sourceWords(balance)}
      </p>
      <dl class="levels">
        <Level name="Input budget" meaning={MARK_MEANINGS.budget} testId="input-budget">
          {budgetSum(balance)}
        </Level>
        <Level name="High watermark" meaning={MARK_MEANINGS.high} testId="high-level">
          {level(highTokens, balance)}
        </Level>
        <Level name="Low watermark" meaning={MARK_MEANINGS.low} testId="low-level">
          {level(lowTokens, balance)}
        </Level>
        {recent !== undefined && (
          <Level
            name={recent.turns === 1 ? 'Last turn' : `Last ${recent.turns} turns`}
            meaning="Kept verbatim if the budget allows"
            testId="recent-level"
          >
            {formatNumber(recent.tokens)}
          </Level>
        )}
      </dl>
      {policy === 'server' && (
        <p class="quiet small" data-testid="server-note">
          The API edits the window itself, above the high watermark. The panel shows what is sent;
          the model may have read less. The API answers with counts and never says which blocks.
        </p>
      )}
      {recorded !== '' && <p data-testid="recorded-size">{recorded}</p>}
    </>
  );
}

/** "17,264, 80 % of the input budget". */
function level(tokens: number, { inputBudget }: Balance): string {
  return `${formatNumber(tokens)}, ${formatShare(tokens, inputBudget)} of the input budget`;
}

interface LevelProps {
  readonly name: string;
  readonly meaning: string;
  readonly testId: string;
  readonly children: ComponentChildren;
}

function Level({ name, meaning, testId, children }: LevelProps): VNode {
  return (
    <div title={meaning}>
      <dt>{name}</dt>
      <dd class="number" data-testid={testId}>
        {children}
      </dd>
    </div>
  );
}

interface LegendProps {
  readonly segments: readonly Segment[];
  readonly inputBudget: number;
  readonly children?: ComponentChildren;
}

/** Lists segments with their tokens. */
function Legend({ segments, inputBudget, children }: LegendProps): VNode {
  // An open part may be empty at another step.
  if (segments.length === 0) return <p class="quiet">None of it is in the window.</p>;
  return (
    <ul class="legend" aria-label="What it is made of, in tokens">
      {segments.map((segment) => (
        <LegendItem key={segment.name} segment={segment} of={inputBudget} />
      ))}
      {children}
    </ul>
  );
}

function LegendItem({ segment, of }: { readonly segment: Segment; readonly of: number }): VNode {
  const { name, label, tokens, parts } = segment;
  const estimated = estimatedPart(segment);
  return (
    <li
      class={tokens === 0 ? 'item none' : 'item'}
      title={`${formatShare(Math.abs(tokens), of)} of the input budget · ${SEGMENT_MEANINGS[name]}`}
      data-testid="legend-item"
      data-category={name}
      data-tokens={tokens}
    >
      <span class={`swatch c-${name}${tokens < 0 ? ' over' : ''}`} aria-hidden="true" />
      <span class="what">{label}</span> <span class="number">{segmentTokens(segment)}</span>
      {estimated !== '' && <span class="parts"> {estimated}</span>}
      {parts.length > 0 && (
        <span class="parts">
          {' '}
          {parts.map((part) => `${part.label} ${formatNumber(part.tokens)}`).join(' · ')}
        </span>
      )}
    </li>
  );
}
