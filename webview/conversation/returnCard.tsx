import type { VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ReturnFile, ReturnView } from '../../src/editor/conversation/state';
import type { AgentWish } from '../../src/editor/conversation/wishes';
import { visiblePath } from '../../src/editor/coreForPages';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';
import { useQuestionFocus } from './focus';
import { WORDS } from './words';

type Choice = Extract<AgentWish, { readonly type: 'answerReturn' }>['choice'];

const CHOICES: readonly Choice[] = ['continue', 'summary', 'new'];

/**
 * Asks how to continue a session that was idle for long. The card itself takes the focus, so that
 * no keystroke presses a button by accident.
 */
export function ReturnCard({ returning }: { readonly returning: ReturnView }): VNode {
  const store = useAgentView();
  const card = useRef<HTMLElement>(null);
  const sentenceId = useId();
  const [remember, setRemember] = useState(false);
  useQuestionFocus(card);
  const { sentence, cost, files, moreFiles, isAnswered } = returning;
  return (
    <section
      ref={card}
      class="approval"
      data-testid="return"
      data-answered={isAnswered}
      role="group"
      aria-labelledby={sentenceId}
      tabIndex={-1}
    >
      <p id={sentenceId} role="status" aria-live="polite" data-testid="return-sentence">
        {sentence}
      </p>
      {cost !== undefined && (
        <p class="small" data-testid="return-cost">
          {cost}
        </p>
      )}
      {files.length > 0 && <ChangedFiles files={files} more={moreFiles} />}
      <div class="approval-line return-choices">
        {CHOICES.map((choice) => (
          <Button
            key={choice}
            data-testid={`return-${choice}`}
            hint={WORDS.returning.choices[choice].hint}
            disabled={isAnswered}
            onClick={() => store.wish({ type: 'answerReturn', choice, remember })}
          >
            {WORDS.returning.choices[choice].label}
          </Button>
        ))}
      </div>
      <label class="approval-line small">
        <input
          type="checkbox"
          data-testid="return-remember"
          checked={remember}
          disabled={isAnswered}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        {WORDS.returning.remember}
      </label>
    </section>
  );
}

function ChangedFiles({
  files,
  more,
}: {
  readonly files: readonly ReturnFile[];
  readonly more: number;
}): VNode {
  return (
    <details class="small">
      <summary>{WORDS.returning.changed}</summary>
      <ul class="return-files" data-testid="return-files">
        {files.map(({ path, isGone, isKnown }) => (
          <li key={path}>
            <span class="mono">{visiblePath(path)}</span>
            <span class="quiet">
              {isGone && ` · ${WORDS.returning.deleted}`}
              {isKnown && ` · ${WORDS.returning.known}`}
            </span>
          </li>
        ))}
        {more > 0 && <li class="quiet">{WORDS.returning.more(more)}</li>}
      </ul>
    </details>
  );
}
