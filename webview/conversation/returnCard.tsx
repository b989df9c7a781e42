import type { VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ReturnFile, ReturnView } from '../../src/editor/conversation/state';
import type { AgentWish } from '../../src/editor/conversation/wishes';
import { visiblePath } from '../../src/editor/visibleText';
import { formatNumber } from '../kit/tokens';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';
import { useQuestionFocus } from './focus';

type Choice = Extract<AgentWish, { readonly type: 'answerReturn' }>['choice'];

const CHOICES: readonly (readonly [Choice, label: string, hint: string])[] = [
  ['continue', 'Go on', 'The model is told how long it was and which files it knew have changed'],
  [
    'summary',
    'Go on from a summary',
    'What is older than the newest turns is replaced by a summary first',
  ],
  ['new', 'Begin anew', 'A new session begins; this one is kept as it is'],
];

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
  const { sentence, files, moreFiles, isAnswered } = returning;
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
      {files.length > 0 && <ChangedFiles files={files} more={moreFiles} />}
      <div class="approval-line return-choices">
        {CHOICES.map(([choice, label, hint]) => (
          <Button
            key={choice}
            data-testid={`return-${choice}`}
            hint={hint}
            disabled={isAnswered}
            onClick={() => store.wish({ type: 'answerReturn', choice, remember })}
          >
            {label}
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
        Remember my answer
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
      <summary>What changed</summary>
      <ul class="return-files" data-testid="return-files">
        {files.map(({ path, isGone, isKnown }) => (
          <li key={path}>
            <span class="mono">{visiblePath(path)}</span>
            <span class="quiet">
              {isGone && ' · gone'}
              {isKnown && ' · known to the agent'}
            </span>
          </li>
        ))}
        {more > 0 && <li class="quiet">and {formatNumber(more)} more</li>}
      </ul>
    </details>
  );
}
