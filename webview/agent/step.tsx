import type { VNode } from 'preact';
import type { Activity, TurnItem } from '../../src/protocol/agentView';
import { MarkdownText } from '../ui/markdown';
import { ToolRow } from './toolRow';

export interface StepProps {
  readonly step: Extract<TurnItem, { readonly type: 'step' }>;
  readonly activity: Activity;
}

/** Shows what the model wrote in one step, and the tools it called. */
export function Step({ step, activity }: StepProps): VNode {
  const running = activity.state === 'runningTool' ? activity : undefined;
  return (
    <section class="step" data-testid="step" data-step={step.step}>
      {step.text.trim() !== '' && <MarkdownText text={step.text} />}
      {step.tools.map((tool) => (
        <ToolRow
          key={tool.toolUseId}
          tool={tool}
          {...(running?.toolUseId === tool.toolUseId ? { runningSince: running.since } : {})}
        />
      ))}
    </section>
  );
}
