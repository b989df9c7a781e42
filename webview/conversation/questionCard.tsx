import type { VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../../src/editor/session/state';
import { Button } from '../kit/toolkit';
import { VisibleText } from '../kit/untrustedText';
import { useAgentView } from './agentViewStore';
import { useQuestionFocus } from './focus';
import { useGrowing } from './composer';
import { WORDS } from './words';

/**
 * A question of the agent: answers as buttons, and a field for another answer. The card itself
 * takes the focus, so that no keystroke answers by accident.
 */
export function QuestionCard({ question }: { readonly question: ApprovalView }): VNode {
  const store = useAgentView();
  const card = useRef<HTMLElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const titleId = useId();
  const [words, setWords] = useState('');
  useQuestionFocus(card);
  useGrowing(field, words);
  const { toolUseId, title, subject, answers = [] } = question;
  const isAnswered = store.answered.value === toolUseId;
  const answer = (text: string): void => {
    if (text.trim() !== '') store.answer(toolUseId, { approved: true, words: text });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter that ends a composed character belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) answer(words);
  };
  return (
    <section
      ref={card}
      class="approval question"
      data-testid="question"
      data-tool-use-id={toolUseId}
      role="group"
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <h2 id={titleId} class="approval-title">
        {title}
      </h2>
      <p class="question-text" data-testid="question-text">
        <VisibleText text={subject} />
      </p>
      {answers.length > 0 && (
        <div class="approval-line question-answers">
          {answers.map((text) => (
            <Button
              key={text}
              data-testid="question-answer"
              disabled={isAnswered}
              // The second click of a double click was meant for the previous question.
              onClick={({ detail }) => detail <= 1 && answer(text)}
            >
              <VisibleText text={text} />
            </Button>
          ))}
        </div>
      )}
      <div class="approval-line approval-answer">
        <textarea
          ref={field}
          class="field"
          data-testid="question-field"
          rows={1}
          value={words}
          placeholder={answers.length === 0 ? WORDS.question.own : WORDS.question.another}
          aria-label={WORDS.question.label}
          disabled={isAnswered}
          onInput={(event) => setWords(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          data-testid="question-skip"
          hint={WORDS.question.skipHint}
          disabled={isAnswered}
          onClick={({ detail }) => detail <= 1 && store.answer(toolUseId, { approved: false })}
        >
          {WORDS.question.skip}
        </Button>
        <Button
          appearance="primary"
          data-testid="question-send"
          disabled={isAnswered || words.trim() === ''}
          onClick={() => answer(words)}
        >
          {WORDS.question.send}
        </Button>
      </div>
    </section>
  );
}
