import type { VNode } from 'preact';
import { MarkdownText } from '../ui/markdown';
import { useAgent } from './agentContext';

/** Shows replies as they arrive, before their steps have a place in the conversation. */
export function StreamedReplies(): VNode {
  const replies = useAgent().replies.value;
  const begun = [...replies].filter(([, text]) => text.trim() !== '');
  return (
    <>
      {begun.map(([step, text]) => (
        <section key={step} class="step" data-testid="step" data-step={step} data-streaming="true">
          <MarkdownText text={text} />
        </section>
      ))}
    </>
  );
}
