import type { RefObject, VNode } from 'preact';
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView, FurtherEditView } from '../../src/editor/session/state';
import { countText, lineCount, visiblePath } from '../../src/editor/coreForPages';
import { formatNumber } from '../kit/tokens';
import { Button } from '../kit/toolkit';
import { VisibleText } from '../kit/untrustedText';
import { useAgentView } from './agentViewStore';
import { AllowFor, ONCE, RuleOfAllow } from './approvalScope';
import { FirstLines } from './toolRow';
import { useGrowing } from './composer';
import { useQuestionFocus } from './focus';
import { WORDS } from './words';

/**
 * Longest path in the title, characters; a longer one is cut, and the box below shows it in full.
 */
const LONGEST_IN_TITLE = 30;

/**
 * Asks the user to approve a call. Only Allow allows: the card itself takes the focus, not a
 * button. Enter in the reason denies; Ctrl+Enter (Cmd+Enter) in the card allows this once. Allow is
 * disabled until the user has seen the last line.
 */
export function ApprovalCard({ approval }: { readonly approval: ApprovalView }): VNode {
  const store = useAgentView();
  const card = useRef<HTMLElement>(null);
  const box = useRef<HTMLPreElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const titleId = useId();
  const reasonId = useId();
  const warningId = useId();
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(ONCE);
  const [together, setTogether] = useState(false);
  useQuestionFocus(card);
  useGrowing(field, words);
  const { wasSeen, isLong, showMore } = useEndInSight(box);
  const { toolUseId, kind, title, subject, text, added, removed, unsaved, lasting } = approval;
  const { firstLines } = approval;
  const { choices, whyAsked, danger, further = [], revised } = approval;
  const isCommand = kind === 'command' || kind === 'input';
  const isMemory = kind === 'memory';
  // The title has no room for these.
  const isWhole = isCommand || kind === 'move' || kind === 'fetch' || kind === 'tool';
  const hasDiff =
    kind === 'edit' || kind === 'create' || (kind === 'delete' && removed !== undefined);
  // The user reads the command or the text here, but reads an edit in the diff.
  const whole = text ?? subject;
  const lineTotal = lineCount(whole);
  const lines = countText(lineTotal, 'line');
  const name = visiblePath(subject, LONGEST_IN_TITLE);
  const isAnswered = store.answered.value === toolUseId;
  // The second click of a double click belongs to the previous question, which had the same
  // position.
  const answer = ({ detail }: MouseEvent, approved: boolean): void => {
    if (detail <= 1) store.answer(toolUseId, { approved, words, together, chosen });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter that ends a composed character belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || isAllowKey(event)) return;
    event.preventDefault();
    if (words.trim() !== '' && !event.repeat)
      store.answer(toolUseId, { approved: false, words, together });
  };
  const allowByKey = useAllowKey(() => {
    if (wasSeen && !isAnswered) store.answer(toolUseId, { approved: true, words, together });
  });
  return (
    <section
      ref={card}
      class="approval"
      data-testid="approval"
      onKeyDown={allowByKey}
      data-tool-use-id={toolUseId}
      data-kind={kind}
      role="group"
      aria-labelledby={titleId}
      aria-describedby={lasting === undefined && danger === undefined ? undefined : warningId}
      data-lasting={lasting === undefined ? undefined : ''}
      tabIndex={-1}
    >
      <div class="approval-line approval-head">
        <h2 id={titleId} class="approval-title">
          {approval.by !== undefined && <span data-testid="approval-by">{approval.by}: </span>}
          {title}
          {!isWhole && <> {name}</>}
        </h2>
        {(isCommand || isMemory) && lineTotal > 1 && (
          <span class="small quiet number" data-testid="approval-lines">
            {lines}
          </span>
        )}
        {added !== undefined && <span class="number added">+{formatNumber(added)}</span>}
        {removed !== undefined && <span class="number removed">−{formatNumber(removed)}</span>}
        {hasDiff && (
          <button
            type="button"
            class="plain link approval-diff"
            data-testid="approval-diff"
            onClick={() => store.wish({ type: 'openDiff', toolUseId })}
          >
            {WORDS.openDiff}
          </button>
        )}
      </div>
      {isMemory && (
        <p class="small" data-testid="approval-memory">
          {WORDS.approval.memory(visiblePath(subject))}
        </p>
      )}
      {(isWhole || isMemory || name !== subject) && (
        <ApprovalSubject
          box={box}
          subject={whole}
          isLong={isLong}
          label={`${WORDS.approval.subjects[kind]}${isCommand || isMemory ? `, ${lines}` : ''}`}
        />
      )}
      {firstLines !== undefined && <FirstLines lines={firstLines} />}
      {!wasSeen && (
        <p id={reasonId} class="approval-line approval-wait small" data-testid="approval-wait">
          <span role="status">{WORDS.approval.scroll}</span>
          <button type="button" class="plain link" data-testid="approval-more" onClick={showMore}>
            {WORDS.approval.more}
          </button>
        </p>
      )}
      {danger !== undefined && (
        <p id={warningId} class="approval-warning small" data-testid="approval-danger">
          {danger}
        </p>
      )}
      {lasting !== undefined && (
        <p id={warningId} class="approval-warning small" data-testid="approval-lasting">
          {lasting} {WORDS.approval.everyChange}
        </p>
      )}
      {unsaved === true && (
        <p class="small" data-testid="approval-unsaved">
          {WORDS.approval.unsaved(name)}
        </p>
      )}
      {revised === true && (
        <p class="small" data-testid="approval-revised">
          {WORDS.approval.revised}
        </p>
      )}
      {further.length > 0 && (
        <FurtherEdits
          edits={further}
          together={together}
          disabled={isAnswered}
          onChange={setTogether}
        />
      )}
      {whyAsked !== undefined && (
        <p class="small quiet" data-testid="approval-why">
          {whyAsked}
        </p>
      )}
      <div class="approval-line approval-answer">
        {!isMemory && (
          <textarea
            ref={field}
            class="field"
            data-testid="approval-feedback"
            rows={1}
            value={words}
            placeholder={WORDS.approval.reason}
            aria-label={WORDS.approval.reasonLabel}
            disabled={isAnswered}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        )}
        <Button
          data-testid="approval-deny"
          disabled={isAnswered}
          onClick={(event) => answer(event, false)}
        >
          {WORDS.approval.deny}
        </Button>
        <span class="allow">
          <Button
            appearance="primary"
            data-testid="approval-allow"
            disabled={isAnswered || !wasSeen}
            hint={wasSeen ? WORDS.approval.allowHint : WORDS.approval.scrollHint}
            describedBy={wasSeen ? undefined : reasonId}
            onClick={(event) => answer(event, true)}
          >
            {WORDS.scopes[chosen.scope].button}
          </Button>
          {/* After the button, so that no letter changes the scope by accident. */}
          {choices !== undefined && (
            <AllowFor chosen={chosen} disabled={isAnswered} onChoose={setChosen} />
          )}
        </span>
      </div>
      {choices !== undefined && (
        <RuleOfAllow choices={choices} chosen={chosen} disabled={isAnswered} onChoose={setChosen} />
      )}
      {words.trim() !== '' && (
        <p class="small quiet" data-testid="approval-words">
          {WORDS.approval.reasonSent}
        </p>
      )}
    </section>
  );
}

interface ApprovalSubjectProps {
  readonly box: RefObject<HTMLPreElement | null>;
  readonly subject: string;
  /** Label for screen readers: "Command, 12 lines". */
  readonly label: string;
  /** Takes the keyboard focus, for scrolling. */
  readonly isLong: boolean;
}

/** The full text of the question, in a box that scrolls if it is long. */
function ApprovalSubject({ box, subject, label, isLong }: ApprovalSubjectProps): VNode {
  return (
    <pre
      ref={box}
      class="output mono approval-subject"
      data-testid="approval-subject"
      role="group"
      aria-label={label}
      tabIndex={isLong ? 0 : undefined}
      dir="ltr"
    >
      <VisibleText text={subject} />
    </pre>
  );
}

/** Tolerance for rounded sizes, CSS pixels. */
const ROUNDING = 2;

/** Whether the user has seen the last line of a box. */
interface EndInSight {
  /** The last line is or was visible. */
  readonly wasSeen: boolean;
  /** The last line was hidden at some time. */
  readonly isLong: boolean;
  /** Scrolls by one page. */
  readonly showMore: () => void;
}

/**
 * Watches whether the last line of a box became visible: the box is scrolled to its end, and
 * neither another box nor the view cuts it off. True immediately if there is no box.
 */
function useEndInSight(box: RefObject<HTMLElement | null>): EndInSight {
  const [wasSeen, setWasSeen] = useState(false);
  const [isLong, setIsLong] = useState(false);
  useLayoutEffect(() => {
    if (wasSeen) return undefined;
    const look = (): void => {
      if (box.current === null || isEndInSight(box.current)) setWasSeen(true);
      else setIsLong(true);
    };
    look();
    // Any ancestor may scroll. Scroll events do not bubble, so capture them.
    document.addEventListener('scroll', look, true);
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    if (box.current !== null) sizes.observe(box.current);
    return () => {
      document.removeEventListener('scroll', look, true);
      sizes.disconnect();
    };
  }, [wasSeen]);
  const showMore = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    // Keeps one line visible for orientation.
    const line = Number.parseFloat(getComputedStyle(element).lineHeight) || 0;
    element.scrollTop += Math.max(line, element.clientHeight - 2 * line);
    element.scrollIntoView({ block: 'nearest' });
  }, []);
  return { wasSeen, isLong, showMore };
}

function isEndInSight(box: HTMLElement): boolean {
  if (box.scrollTop + box.clientHeight < box.scrollHeight - ROUNDING) return false;
  const { bottom } = box.getBoundingClientRect();
  for (let around = box.parentElement; around !== null; around = around.parentElement) {
    const { overflowY } = getComputedStyle(around);
    const isCut = overflowY !== 'visible' && overflowY !== '';
    if (isCut && bottom > around.getBoundingClientRect().bottom + ROUNDING) return false;
  }
  return bottom <= window.innerHeight + ROUNDING;
}

/** A key pressed this soon after the card appeared was meant for something else; ms. */
const SETTLED_MS = 500;

/** Whether a key is Ctrl+Enter or Cmd+Enter, without other modifiers. */
function isAllowKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, shiftKey, altKey, isComposing } = event;
  return key === 'Enter' && (ctrlKey || metaKey) && !shiftKey && !altKey && !isComposing;
}

/**
 * Makes Ctrl+Enter (Cmd+Enter) in a card allow. Ignores keys on buttons, keys held down, and keys
 * pressed just as the card appeared.
 */
function useAllowKey(allow: () => void): (event: KeyboardEvent) => void {
  const came = useRef(performance.now());
  return (event) => {
    if (!isAllowKey(event) || isOnButton(event.target)) return;
    event.preventDefault();
    if (!event.repeat && performance.now() - came.current >= SETTLED_MS) allow();
  };
}

function isOnButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, vscode-button, summary') !== null;
}

/** Longest path in a line, characters; a longer one is cut in the middle. */
const LONGEST_PATH = 40;

interface FurtherEditsProps {
  readonly edits: readonly FurtherEditView[];
  readonly together: boolean;
  readonly disabled: boolean;
  readonly onChange: (together: boolean) => void;
}

/** Lists the other edits of the reply with their diffs, and lets one answer apply to all. */
function FurtherEdits({ edits, together, disabled, onChange }: FurtherEditsProps): VNode {
  const store = useAgentView();

  return (
    <div class="further" data-testid="further-edits">
      <label class="approval-line small">
        <input
          type="checkbox"
          data-testid="approval-together"
          checked={together}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>{WORDS.approval.together(edits.length)}</span>
      </label>
      <ul>
        {edits.map(({ toolUseId, kind, subject, added, removed }) => (
          <li key={toolUseId} class="approval-line small" data-testid="further-edit">
            <span>
              {WORDS.approval.furtherEdit[kind]} {visiblePath(subject, LONGEST_PATH)}
            </span>
            {added !== undefined && <span class="number added">+{formatNumber(added)}</span>}
            {removed !== undefined && <span class="number removed">−{formatNumber(removed)}</span>}
            <button
              type="button"
              class="plain link"
              data-testid="further-diff"
              aria-label={WORDS.openDiffOf(visiblePath(subject, LONGEST_PATH))}
              onClick={() => store.wish({ type: 'openDiff', toolUseId })}
            >
              {WORDS.openDiff}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
