import type { ComponentChildren, VNode } from 'preact';
import type {
  Activity,
  ThinkingView,
  ToolView,
  TurnItem,
  TurnView,
} from '../../src/editor/conversation/state';
import { Mark } from '../kit/icon';
import { MarkdownText } from '../kit/markdown';
import { formatElapsed } from '../kit/runningTime';
import { formatNumber, formatTokens } from '../kit/tokens';
import { Button } from '../kit/toolkit';
import { VisibleText } from '../kit/untrustedText';
import { useAgentView } from './agentViewStore';
import { AttachedNames } from './attachedChips';
import type { ConversationRow } from './conversationRows';
import { callRuns, FoldedReads, type StepItem } from './foldedReads';
import { GoBackButton, UndoPromptButton, UndonePromptTurn } from './goBack';
import { OfflineMark } from './header';
import { ToolRow } from './toolRow';
import { TurnFiles } from './turnFiles';
import { triggerWords, usageWords, WORDS } from './words';

interface TurnProps {
  readonly turn: number;
  readonly turns: number;
  /** Position and height of the drawn rows; CSS pixels. */
  readonly top: number;
  readonly height: number;
  readonly children: ComponentChildren;
}

/**
 * Frames the drawn part of one turn, with its number and the number of turns for screen readers.
 */
export function Turn({ turn, turns, top, height, children }: TurnProps): VNode {
  return (
    <article
      class="turn"
      data-testid="turn"
      data-turn={turn}
      aria-label={WORDS.turns.turn(turn)}
      aria-posinset={turn}
      aria-setsize={turns}
      style={{ top: `${top}px`, height: `${height}px` }}
    >
      {children}
    </article>
  );
}

interface RowProps {
  readonly row: ConversationRow;
  readonly activity: Activity;
  /** Whether the prompt of a turn can be undone now. */
  readonly mayUndoPrompt: (turn: TurnView) => boolean;
  /** The newest turn that is not undone. */
  readonly newest: TurnView | undefined;
}

export function RowContent({ row, activity, mayUndoPrompt, newest }: RowProps): VNode {
  switch (row.type) {
    case 'prompt':
      return (
        <>
          <p class="prompt">{row.view.prompt}</p>
          <AttachedNames names={row.view.attached} />
          {mayUndoPrompt(row.view) && (
            <UndoPromptButton turn={row.view} isNewest={row.view === newest} />
          )}
          {row.marksOffline && <OfflineMark testId="turn-offline-mark" />}
        </>
      );
    case 'undone':
      return <UndonePromptTurn turn={row.view} isIdle={activity.state === 'idle'} />;
    case 'step':
      return <Step steps={row.steps} activity={activity} />;
    case 'pass':
      return <PassRow pass={row.pass} />;
    case 'said':
      return (
        <div class="prompt said" data-testid="said">
          <span class="small quiet">{WORDS.turns.said}</span>
          {row.said.text}
          <AttachedNames names={row.said.attached} />
        </div>
      );
    case 'summary':
      return <SummaryRow summary={row.summary} />;
    case 'reply':
      return <ReplyInFlight step={row.step} />;
    case 'footer':
      return <TurnFooter turn={row.view} isIdle={activity.state === 'idle'} />;
  }
}

interface StepProps {
  /** The step, and those that are folded into its last calls. */
  readonly steps: readonly StepItem[];
  readonly activity: Activity;
}

/** The text of one step, and its tool calls. */
function Step({ steps, activity }: StepProps): VNode | null {
  const [step] = steps;
  if (step === undefined) return null;
  const running = activity.state === 'runningTool' ? activity : undefined;
  const mayGoBack = activity.state === 'idle';
  const rowsOf = (tools: readonly ToolView[]) =>
    tools.map((tool) => (
      <ToolRow
        key={tool.toolUseId}
        tool={tool}
        {...(running?.toolUseId === tool.toolUseId ? { runningSince: running.since } : {})}
      />
    ));
  return (
    <section class="step" data-testid="step" data-step={step.step}>
      {mayGoBack && step.step > 1 && <GoBackButton step={step.step} />}
      {step.thinking && <Thinking thinking={step.thinking} />}
      {step.text.trim() !== '' && <MarkdownText text={step.text} />}
      {callRuns(steps).map((run, index) =>
        run.isFolded ? (
          <FoldedReads key={index} run={run}>
            {(part) =>
              part.step === step ? (
                <>{rowsOf(part.tools)}</>
              ) : (
                <section
                  key={part.step.step}
                  class="step"
                  data-testid="step"
                  data-step={part.step.step}
                >
                  {mayGoBack && <GoBackButton step={part.step.step} />}
                  {part.step.thinking && <Thinking thinking={part.step.thinking} />}
                  {rowsOf(part.tools)}
                </section>
              )
            }
          </FoldedReads>
        ) : (
          run.parts.map(({ tools }) => rowsOf(tools))
        ),
      )}
    </section>
  );
}

/** A reply being written, before its step is in the conversation. */
function ReplyInFlight({ step }: { readonly step: number }): VNode {
  const store = useAgentView();
  const text = store.replies.value.get(step) ?? '';
  const thought = store.thoughts.value.get(step) ?? '';
  return (
    <section class="step" data-testid="step" data-step={step} data-streaming="true">
      {thought !== '' && <ThinkingInFlight text={thought} isOver={text.trim() !== ''} />}
      {text.trim() !== '' && <MarkdownText text={text} />}
    </section>
  );
}

/** A pass between steps, with the tokens before and after. */
function PassRow({ pass }: { readonly pass: Extract<TurnItem, { readonly type: 'pass' }> }): VNode {
  const store = useAgentView();
  const { number, name, trigger, beforeTokens, afterTokens, exact, shows, undone } = pass;
  return (
    <div class="pass small" data-testid="pass-row" data-pass={number}>
      <Mark size={14} />
      <span class="parts">
        <span>{name}</span>
        <span>{triggerWords(trigger)}</span>
        <span>
          {formatTokens({ tokens: beforeTokens, exact })} →{' '}
          {formatTokens({ tokens: afterTokens, exact })} tokens
        </span>
        {shows !== undefined && <span>{WORDS.turns.shows(shows)}</span>}
        {undone === true && <span>{WORDS.turns.undone}</span>}
      </span>
      <button
        type="button"
        class="plain link"
        data-testid="pass-open"
        aria-label={WORDS.turns.showPass(name)}
        onClick={() => store.wish({ type: 'openContextPanel' })}
      >
        {WORDS.turns.show}
      </button>
    </div>
  );
}

interface SummaryRowProps {
  readonly summary: Extract<TurnItem, { readonly type: 'summary' }>;
}

/** The summary of a whole session, folded. */
function SummaryRow({ summary }: SummaryRowProps): VNode {
  const { from, writtenBy, text } = summary;
  return (
    <details class="summary small" data-testid="session-summary">
      <summary>
        {from === undefined ? WORDS.turns.summary(writtenBy) : WORDS.turns.handedOver(from)}
      </summary>
      <p class="summary-text">{text}</p>
    </details>
  );
}

interface FooterProps {
  readonly turn: TurnView;
  /** The agent is idle, so a turn can be continued. */
  readonly isIdle: boolean;
}

/** How a turn ended, the buttons that continue it, and what it used. */
function TurnFooter({ turn, isIdle }: FooterProps): VNode | null {
  const store = useAgentView();
  const { outcome, usage } = turn;
  const words = usageWords(usage);
  if (outcome === undefined && words.length === 0 && turn.files === undefined) return null;
  const isOver = outcome !== undefined && usage.elapsedMs > 0;
  const parts = isOver ? [...words, formatElapsed(usage.elapsedMs)] : words;
  return (
    <footer class="turn-footer" data-testid="turn-footer">
      {outcome?.message !== undefined && (
        <p class="outcome" data-testid="turn-outcome" data-outcome={outcome.type}>
          {outcome.message}
        </p>
      )}
      {outcome?.actions !== undefined && isIdle && (
        <div class="outcome-actions" data-testid="turn-actions">
          {outcome.actions.map(({ label, wish }) => (
            <Button key={label} data-testid="turn-action" onClick={() => store.wish(wish)}>
              {label}
            </Button>
          ))}
        </div>
      )}
      {turn.files !== undefined && <TurnFiles turn={turn} files={turn.files} isIdle={isIdle} />}
      {parts.length > 0 && (
        <details class="turn-numbers small quiet">
          <summary aria-label={WORDS.turns.numbers} title={WORDS.turns.numbers}>
            …
          </summary>
          <p class="parts" data-testid="turn-usage">
            {parts.map((part, index) => (
              <span key={index}>{part}</span>
            ))}
          </p>
        </details>
      )}
    </footer>
  );
}

/** The thinking of a step, folded, with its tokens. */
function Thinking({ thinking }: { readonly thinking: ThinkingView }): VNode {
  const { text, tokens } = thinking;
  const size = tokens === undefined ? '' : ` · ${formatNumber(tokens)} tokens`;
  if (text === '') {
    return (
      <p class="thinking small quiet" data-testid="thinking" data-words="none">
        {WORDS.turns.thought}
        {size} · {WORDS.turns.noThinking}
      </p>
    );
  }
  return (
    <details class="thinking small" data-testid="thinking">
      <summary class="quiet">
        {WORDS.turns.thought}
        {size}
      </summary>
      <p class="thinking-text">
        <VisibleText text={text} />
      </p>
    </details>
  );
}

interface ThinkingInFlightProps {
  readonly text: string;
  /** The text of the reply has begun. */
  readonly isOver: boolean;
}

/** Thinking as it arrives, folded, with its newest line. */
function ThinkingInFlight({ text, isOver }: ThinkingInFlightProps): VNode {
  const newest = text.trimEnd().split('\n').at(-1) ?? '';
  return (
    <details class="thinking small" data-testid="thinking" data-streaming="true">
      <summary class="quiet">
        {isOver ? WORDS.turns.thought : WORDS.turns.thinking}
        {!isOver && (
          <span class="thinking-now" data-testid="thinking-now">
            {' '}
            <VisibleText text={newest} />
          </span>
        )}
      </summary>
      <p class="thinking-text">
        <VisibleText text={text} />
      </p>
    </details>
  );
}
