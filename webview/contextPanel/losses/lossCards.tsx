import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import type { LossView, LostBlockView } from '../../../src/editor/contextPanel/losses/state';
import { formatNumber, formatTokens, unbroken } from '../../kit/tokens';
import { Waiting } from '../../kit/waiting';
import { LinkButton } from '../parts/linkButton';
import { useMore } from '../parts/useMore';
import { PlimsollInstead } from './plimsollInstead';
import type { PanelProps, PanelStore } from '../store/panelStore';

/** Shows what each compaction of the recorded agent lost, newest first. */
export function LossCards({ store, context }: PanelProps): VNode | null {
  const { session, losses } = context;
  if (losses === undefined) return null;
  const { cards, limits } = losses;
  return (
    <section class="losses" aria-labelledby="losses-title" data-testid="losses">
      <h3 class="group" id="losses-title">
        The recorded agent’s own compactions
      </h3>
      {cards.map((loss) => (
        <LossCard key={`${session} ${loss.number}`} store={store} loss={loss} />
      ))}
      <PlimsollInstead store={store} context={context} />
      <p class="quiet small">{limits}</p>
    </section>
  );
}

interface LossCardProps {
  readonly store: PanelStore;
  readonly loss: LossView;
}

function LossCard({ store, loss }: LossCardProps): VNode {
  const { number, name, beforeStep, size, sentences, needed, neededText } = loss;
  return (
    <article class="pass loss" aria-label={name} data-testid="loss-card" data-loss={number}>
      <header class="head">
        <h4 class="number named" tabIndex={-1}>
          {name}
        </h4>
        <span class="quiet">before step {formatNumber(beforeStep)}</span>
      </header>
      <p class="sum number">
        <strong>{size}</strong>
      </p>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p class={needed.length === 0 ? 'quiet' : 'regret'} data-testid="loss-needed">
        {neededText}
      </p>
      <Needed store={store} loss={loss} />
      <LostBlocks store={store} loss={loss} />
    </article>
  );
}

/** Needs that are listed at first. */
const NEEDS_SHOWN = 8;

/** Lists the uses of removed content; a click travels to the step of one. */
function Needed({ store, loss }: LossCardProps): VNode | null {
  const { shown, rest, showMore } = useMore(loss.needed.length, NEEDS_SHOWN);
  if (loss.needed.length === 0) return null;
  return (
    <ul class="needed-again small">
      {loss.needed.slice(0, shown).map(({ step, text }, index) => (
        <li key={index}>
          <LinkButton
            hint={`Goes to step ${formatNumber(step)}`}
            onClick={() => store.wish({ type: 'travelTo', at: step })}
            data-testid="loss-need"
          >
            {unbroken(text)}
          </LinkButton>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <LinkButton onClick={showMore}>Show more ({formatNumber(rest)} left)</LinkButton>
        </li>
      )}
    </ul>
  );
}

/** Unfolds the blocks that were removed, which are fetched then. */
function LostBlocks({ store, loss }: LossCardProps): VNode {
  const { number, blocks } = loss;
  const [isOpen, setOpen] = useState(false);
  const [fetched, setFetched] = useState<readonly LostBlockView[] | undefined>(undefined);
  useEffect(() => {
    if (!isOpen || fetched !== undefined) return undefined;
    return store.wish({ type: 'fetchLostBlocks', number }, { answered: setFetched });
  }, [isOpen, number]);
  return (
    <details
      class="decisions"
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
      data-testid="lost-blocks"
    >
      <summary>What left: {countText(blocks, 'block')}</summary>
      {isOpen &&
        (fetched === undefined ? (
          <Waiting class="quiet">Fetching the blocks…</Waiting>
        ) : (
          <LostRows store={store} blocks={fetched} />
        ))}
    </details>
  );
}

/** Blocks drawn at first. */
const PAGE = 100;

interface LostRowsProps {
  readonly store: PanelStore;
  readonly blocks: readonly LostBlockView[];
}

function LostRows({ store, blocks }: LostRowsProps): VNode {
  const { shown, rest, showMore } = useMore(blocks.length, PAGE);
  return (
    <div class="scrolls">
      <ul class="decision-rows">
        {blocks.slice(0, shown).map(({ blockId, label, tokens, kept }) => (
          <li key={blockId} class="decision" data-testid="lost-block" data-block-id={blockId}>
            <button
              type="button"
              class="plain label ellipsis"
              title={label}
              onClick={() => store.wish({ type: 'openBlock', blockId })}
            >
              {label}
            </button>
            <span class="number">{formatTokens(tokens)}</span>
            {kept !== '' && <span class="reason">{kept}</span>}
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <LinkButton onClick={showMore}>Show more ({formatNumber(rest)} left)</LinkButton>
      )}
    </div>
  );
}
