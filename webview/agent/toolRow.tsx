import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ToolView } from '../../src/protocol/agentView';
import { formatElapsed, RunningTime } from '../ui/runningTime';
import { callIcon, Icon } from '../ui/icon';
import { LiveOutput } from './liveOutput';
import { ToolDetails } from './toolDetails';

export interface ToolRowProps {
  readonly tool: ToolView;
  /** When it started, in ms since the epoch; absent unless it is running now. */
  readonly runningSince?: number;
}

/** Shows one tool call as a line that opens to its arguments and its result. */
export function ToolRow({ tool, runningSince }: ToolRowProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const details = useId();
  const { name, kind, label, state, elapsedMs, toolUseId } = tool;
  const subject = label.startsWith(`${name} `) ? label.slice(name.length + 1) : '';
  return (
    <div class="tool" data-testid="tool-row" data-tool-use-id={toolUseId} data-state={state}>
      <button
        type="button"
        class="tool-line plain"
        aria-expanded={isOpen}
        aria-controls={details}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={callIcon(kind)} />
        <span class="tool-label mono ellipsis" title={label}>
          {subject === '' ? label : <span class="quiet">{name} </span>}
          {subject}
        </span>
        {state !== 'done' && <span class="tool-state small">{state}</span>}
        <span class="tool-time small number quiet">
          {runningSince === undefined ? (
            elapsedMs !== undefined && formatElapsed(elapsedMs)
          ) : (
            <RunningTime since={runningSince} />
          )}
        </span>
        <Icon name="chevron" />
      </button>
      {!isOpen && state === 'running' && <LiveOutput toolUseId={toolUseId} />}
      <div id={details}>{isOpen && <ToolDetails tool={tool} />}</div>
    </div>
  );
}
