import type { ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import { Button } from '../../ui/toolkit';
import { exportWish } from '../blocks/exportWish';
import type { Look } from '../look';
import type { SendWish } from '../panelStore';
import { StepField } from '../parts/stepField';
import { hasSteps } from '../frame/travel';

export interface SessionActionsProps {
  readonly context: ContextView;
  readonly wish: SendWish;
  /** How the user looks at the blocks: exports are of what is shown. */
  readonly look: ReadonlySignal<Look>;
}

const FORMS = [
  { form: 'html', label: 'HTML', hint: 'Saves what is shown as one page that needs nothing else' },
  { form: 'markdown', label: 'Markdown', hint: 'Saves what is shown as Markdown' },
  { form: 'jsonl', label: 'JSONL', hint: 'Saves the log of the session, one event a line' },
] as const;

/** Exports and forks the session, and opens those of other agents. */
export function SessionActions({ context, wish, look }: SessionActionsProps): VNode {
  const { travel, source, blocks } = context;
  const whyEmpty = hasSteps(travel) ? undefined : 'There is no step yet';
  return (
    <>
      <h3 class="group" id="export-title">
        Export
      </h3>
      <div class="answers" role="group" aria-labelledby="export-title">
        {FORMS.map(({ form, label, hint }) => (
          <Button
            key={form}
            disabled={whyEmpty !== undefined}
            hint={whyEmpty ?? hint}
            onClick={() => wish(exportWish(form, blocks, look.peek()))}
            data-testid={`session-export-${form}`}
          >
            {label}
          </Button>
        ))}
      </div>
      {hasSteps(travel) && <Fork context={context} wish={wish} />}
      <h3 class="group">Recordings of other agents</h3>
      <div class="answers">
        <Button
          hint="Claude Code, Codex, pi, Cline, OpenHands or a Messages transcript"
          onClick={() => wish({ type: 'openRecording' })}
          data-testid="session-open-recording"
        >
          Open a Recording…
        </Button>
        {source.type === 'recording' && (
          <Button
            onClick={() => wish({ type: 'closeRecording' })}
            data-testid="session-close-recording"
          >
            Close This One
          </Button>
        )}
      </div>
    </>
  );
}

function Fork({ context, wish }: Pick<SessionActionsProps, 'context' | 'wish'>): VNode {
  const { at, first, last } = context.travel;
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const step = chosen ?? (at === 'now' ? last : at);
  const why =
    context.source.type === 'recording'
      ? "Another agent's recording cannot be continued here"
      : undefined;
  return (
    <>
      <h3 class="group">Fork</h3>
      <div class="answers">
        <Button
          disabled={why !== undefined}
          hint={why ?? 'Begins a session of its own with everything up to this step'}
          onClick={() => wish({ type: 'forkAt', step })}
          data-testid="session-fork"
        >
          Fork from step
        </Button>
        <StepField
          label="Step to fork from"
          step={step}
          first={first}
          last={last}
          onStep={setChosen}
          data-testid="session-fork-step"
        />
      </div>
    </>
  );
}
