import type { RefObject, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../../src/editor/approvals/state';
import { lineCount, visiblePath } from '../../src/editor/visibleText';
import { formatNumber } from '../kit/tokens';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';
import { ALLOW_HINT, isAllowKey, useAllowKey } from './allowKey';
import { ApprovalScope, ONCE } from './approvalScope';
import { ApprovalSubject, useEndInSight } from './approvalSubject';
import { useGrowing } from './composer';
import { composerElement } from './composerElement';
import { FurtherEdits } from './furtherEdits';

/** What stands whole in the box, for a screen reader. */
const SUBJECTS: Readonly<Record<ApprovalView['kind'], string>> = {
  command: 'Command',
  input: 'Input',
  memory: 'Instructions',
  fetch: 'Address',
  move: 'Paths',
  tool: 'Input',
  question: 'Question',
  edit: 'Path',
  create: 'Path',
  delete: 'Path',
};

/** Longest path in the title, characters; a longer one is cut there and stands whole below. */
const LONGEST_IN_TITLE = 30;

/**
 * Asks whether the agent may do what it wants to. Only a press of Allow allows: the card takes the
 * focus, not one of its buttons. Two keys have a meaning: Enter behind words denies, and Ctrl+Enter
 * (Cmd+Enter) in the card allows this once. Allow waits until all of what is asked about was in sight.
 */
export function ApprovalCard({ approval }: { readonly approval: ApprovalView }): VNode {
  const store = useAgentView();
  const card = useRef<HTMLElement>(null);
  const box = useRef<HTMLPreElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const titleId = useId();
  const reasonId = useId();
  const lastingId = useId();
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(ONCE);
  const [together, setTogether] = useState(false);
  useQuestionFocus(card);
  useGrowing(field, words);
  const { wasSeen, isLong, showMore } = useEndInSight(box);
  const { toolUseId, kind, title, subject, text, added, removed, unsaved, lasting } = approval;
  const { choices, whyAsked, further = [], revised } = approval;
  const isCommand = kind === 'command' || kind === 'input';
  const isMemory = kind === 'memory';
  // What the title cannot name in a few characters.
  const isWhole = isCommand || kind === 'move' || kind === 'fetch' || kind === 'tool';
  const hasDiff =
    kind === 'edit' || kind === 'create' || (kind === 'delete' && removed !== undefined);
  // What has to be read is the command or the text; of a file to edit, the diff shows it.
  const whole = text ?? subject;
  const lines = linesText(whole);
  const name = visiblePath(subject, LONGEST_IN_TITLE);
  const isAnswered = store.answered.value === toolUseId;
  // The second click of a double click was meant for the question before, whose place this one
  // took.
  const answer = ({ detail }: MouseEvent, approved: boolean): void => {
    if (detail <= 1) store.answer(toolUseId, { approved, words, together, chosen });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter that ends the composition of a character belongs to the input method.
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
      aria-describedby={lasting === undefined ? undefined : lastingId}
      data-lasting={lasting === undefined ? undefined : ''}
      tabIndex={-1}
    >
      <div class="approval-line approval-head">
        <h2 id={titleId} class="approval-title">
          {title}
          {!isWhole && <> {name}</>}
        </h2>
        {(isCommand || isMemory) && (
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
            Open diff
          </button>
        )}
      </div>
      {isMemory && (
        <p class="small" data-testid="approval-memory">
          {visiblePath(subject)} came or changed since the session began. With your yes the agent is
          told this text as your instructions, until it changes again.
        </p>
      )}
      {(isWhole || isMemory || name !== subject) && (
        <ApprovalSubject
          box={box}
          subject={whole}
          isLong={isLong}
          label={`${SUBJECTS[kind]}${isCommand || isMemory ? `, ${lines}` : ''}`}
        />
      )}
      {!wasSeen && (
        <p id={reasonId} class="approval-line approval-wait small" data-testid="approval-wait">
          <span role="status">Allow waits until the last line was in sight.</span>
          <button type="button" class="plain link" data-testid="approval-more" onClick={showMore}>
            Show more
          </button>
        </p>
      )}
      {lasting !== undefined && (
        <p id={lastingId} class="approval-lasting small" data-testid="approval-lasting">
          {lasting} You are asked about each change of it.
        </p>
      )}
      {unsaved === true && (
        <p class="small" data-testid="approval-unsaved">
          {name} has unsaved changes in the editor. Allow saves them, too.
        </p>
      )}
      {revised === true && (
        <p class="small" data-testid="approval-revised">
          You changed the proposal in its diff. Allow writes your text, and the agent is told.
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
            placeholder="Why not?"
            aria-label="Words for the agent, sent with your answer. Optional. Enter denies with them, Ctrl+Enter allows this once, Shift+Enter starts a new line."
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
          Deny
        </Button>
        <Button
          appearance="primary"
          data-testid="approval-allow"
          disabled={isAnswered || !wasSeen}
          hint={wasSeen ? ALLOW_HINT : 'Waits until the last line was in sight'}
          describedBy={wasSeen ? undefined : reasonId}
          onClick={(event) => answer(event, true)}
        >
          Allow
        </Button>
      </div>
      {/* Behind the buttons, so that the first stop of the keyboard is the words, and no letter changes it by chance. */}
      {choices !== undefined && (
        <ApprovalScope
          choices={choices}
          chosen={chosen}
          disabled={isAnswered}
          onChoose={setChosen}
        />
      )}
      {words.trim() !== '' && (
        <p class="small quiet" data-testid="approval-words">
          The agent is told your words with either answer. Enter denies.
        </p>
      )}
    </section>
  );
}

function linesText(text: string): string {
  const count = lineCount(text);
  return count === 1 ? '1 line' : `${formatNumber(count)} lines`;
}

/**
 * Moves the focus to a question when it appears, and back to the composer when it is answered. A
 * user who is typing, here or in the editor, keeps the focus: a keystroke meant for a text answers
 * nothing.
 */
export function useQuestionFocus(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = card.current;
    if (mayTakeFocus()) element?.focus();
    return () => {
      if (document.hasFocus() && isLost(document.activeElement, element)) {
        composerElement()?.focus();
      }
    };
  }, []);
}

function mayTakeFocus(): boolean {
  if (!document.hasFocus()) return false;
  const active = document.activeElement;
  const isField = active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement;
  return !(isField && active.value !== '');
}

/** The focus is about to go with the card, or went when its buttons were disabled. */
function isLost(active: Element | null, card: HTMLElement | null): boolean {
  return active === null || active === document.body || card?.contains(active) === true;
}
