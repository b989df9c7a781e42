import type { VNode } from 'preact';
import type { CommandView } from '../../src/editor/commands/state';
import { formatElapsed, RunningTime } from '../kit/runningTime';
import { Button } from '../kit/toolkit';
import { VisibleText } from '../kit/visibleText';
import { useAgentView } from './agentViewStore';

/** Lists the commands in the background: how many run, and when opened each with what can be done with it. */
export function CommandList({ commands }: { readonly commands: readonly CommandView[] }): VNode {
  const running = commands.filter(({ ended }) => ended === undefined).length;
  return (
    <details class="commands" data-testid="commands" data-running={running}>
      <summary class="small">{summaryText(running)}</summary>
      <ul>
        {commands.map((command) => (
          <CommandRow key={command.handle} command={command} />
        ))}
      </ul>
      {running > 0 && (
        <p class="small quiet" data-testid="commands-hint">
          Stop ends the turn, and not these: they end with the session. What they change in files
          counts as changed by someone else, or by a command that runs meanwhile.
        </p>
      )}
    </details>
  );
}

function CommandRow({ command: of }: { readonly command: CommandView }): VNode {
  const store = useAgentView();
  const { handle, command, startedAt, ended, ranMs, hasOutput } = of;
  const isRunning = ended === undefined;
  return (
    <li
      data-testid="command"
      data-handle={handle}
      data-state={isRunning ? 'running' : 'ended'}
      class="command-row"
    >
      <span class="command-line mono" title={command}>
        <VisibleText text={command} />
      </span>
      <span class="command-state small quiet" data-testid="command-state">
        {handle} · {isRunning ? <>running, </> : `${ended}, `}
        {isRunning ? <RunningTime since={startedAt} /> : formatElapsed(ranMs ?? 0)}
      </span>
      <span class="command-buttons">
        {hasOutput === true && (
          <Button
            data-testid="command-output"
            label={`Show output of ${handle}`}
            onClick={() => store.wish({ type: 'showCommandOutput', handle })}
          >
            Show output
          </Button>
        )}
        {isRunning && (
          <Button
            data-testid="command-stop"
            label={`Stop ${handle}`}
            onClick={() => store.wish({ type: 'stopCommand', handle })}
          >
            Stop
          </Button>
        )}
      </span>
    </li>
  );
}

function summaryText(running: number): string {
  if (running === 0) return 'No command runs in the background';
  return running === 1
    ? '1 command runs in the background'
    : `${running} commands run in the background`;
}
