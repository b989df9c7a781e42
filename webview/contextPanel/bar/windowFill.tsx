import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { estimatesIn } from '../../../src/editor/contextPanel/state';
import { formatNumber } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import { useFocusAfterRemoval, travelGroup } from '../parts/keyboardFocus';
import type { OpenPart } from '../store/keptState';
import type { PanelProps } from '../store/panelStore';
import { chipWords } from '../rules/words';
import { PartDetails } from './partDetails';
import { BAR_PARTS, type BarPartName, scaleOf, segmentsOf } from './segments';
import { passMark, WindowBar } from './windowBar';
import { fullWords, roomWords, usedWords, pastWords } from './words';

/** The details that each part of the bar opens. */
const DETAILS_OF: Readonly<Record<BarPartName, OpenPart>> = {
  fixed: 'fixed',
  unrecorded: 'unrecorded',
  kept: 'kept',
  files: 'files',
  conversation: 'conversation',
  free: 'sum',
  reserved: 'sum',
};

/** Says how full the window is: one sentence, one bar, and on a click what a part is made of. */
export function WindowFill({ store, context }: PanelProps): VNode {
  const { balance, blocks, passAbove, travel } = context;
  const { openPart } = store.look.value;
  const detailsId = useId();
  const section = useRef<HTMLElement>(null);
  const scale = scaleOf(balance, passAbove);
  const segments = segmentsOf(balance, estimatesIn(blocks), scale);
  const open = (part: OpenPart | undefined): void => {
    const { openPart: _, ...look } = store.look.peek();
    store.look.value = part === undefined || part === openPart ? look : { ...look, openPart: part };
  };
  const close = (): void => {
    open(undefined);
    section.current?.querySelector<HTMLElement>('[data-part][tabindex="0"]')?.focus();
  };
  return (
    <section
      ref={section}
      class={travel.at === 'now' ? 'fill' : 'fill past'}
      aria-label="How full the context window is"
    >
      <AnswerLine
        store={store}
        context={context}
        onOpenSum={() => open('sum')}
        onOpenRules={() => open('rules')}
      />
      <WindowBar
        balance={balance}
        segments={segments}
        marks={passMark(context, scale)}
        open={BAR_PARTS.filter((name) => DETAILS_OF[name] === openPart)}
        onOpen={(part) => open(DETAILS_OF[part])}
        detailsId={detailsId}
      />
      {openPart !== undefined && (
        <PartDetails
          id={detailsId}
          part={openPart}
          store={store}
          context={context}
          segments={segments}
          onClose={close}
        />
      )}
    </section>
  );
}

interface AnswerLineProps extends PanelProps {
  readonly onOpenSum: () => void;
  readonly onOpenRules: () => void;
}

/** Answers in one line how full the window is; at a past step it also says so, in this one place. */
function AnswerLine({ store, context, onOpenSum, onOpenRules }: AnswerLineProps): VNode {
  const { balance, travel, rules } = context;
  const chip = chipWords(rules);
  const isOver = balance.headroom < 0;
  const isCold = useIsPast(context.coldFrom);
  return (
    <p class="answer" data-testid="answer">
      {travel.at !== 'now' && <strong class="at">At step {formatNumber(travel.at)}: </strong>}
      <strong class="full number">{fullWords(balance)}</strong>{' '}
      <LinkButton
        class="used"
        hint="Shows what these tokens are, to the last one"
        onClick={onOpenSum}
        data-testid="open-sum"
      >
        <span class="number" data-testid="used" data-tokens={balance.used.tokens}>
          {usedWords(balance)}
        </span>
      </LinkButton>{' '}
      {travel.at === 'now' ? (
        <span class={isOver ? 'outlook bad' : 'outlook'} data-testid="outlook">
          {roomWords(context, isCold)}
        </span>
      ) : (
        <PastNotice store={store} context={context} />
      )}
      {chip !== undefined && (
        <button
          type="button"
          class="plain block-chip rules-chip"
          aria-expanded={store.look.value.openPart === 'rules'}
          title="Sentences of your prompts that stay in every request"
          onClick={onOpenRules}
          data-testid="rules-chip"
        >
          {chip}
        </button>
      )}
    </p>
  );
}

/** Whether a moment (ms since the epoch) has come; draws again when it does. */
function useIsPast(moment: number | undefined): boolean {
  const left = moment === undefined ? Infinity : moment - Date.now();
  const [, draw] = useState(0);
  useEffect(() => {
    if (left <= 0 || left === Infinity) return undefined;
    const timer = setTimeout(() => draw((count) => count + 1), left);
    return () => clearTimeout(timer);
  }, [moment]);
  return left <= 0;
}

/** Says what a past step shows, with the way to its request and back to now. */
function PastNotice({ store, context }: PanelProps): VNode {
  const notice = useRef<HTMLSpanElement>(null);
  useFocusAfterRemoval(notice, { gone: travelGroup });
  const grows = context.source.type === 'session' || context.source.following;
  return (
    <span ref={notice} class="outlook" role="status" data-testid="past-notice">
      {pastWords(context)}{' '}
      <LinkButton
        hint="Shows the exact request of this step"
        onClick={() => {
          store.look.value = { ...store.look.peek(), tab: 'request' };
        }}
        data-testid="request-then"
      >
        Its request
      </LinkButton>
      {' · '}
      <LinkButton
        onClick={() => store.wish({ type: 'travelTo', at: 'now' })}
        data-testid="back-to-now"
      >
        {grows ? 'Back to now' : 'To the end'}
      </LinkButton>
    </span>
  );
}
