import type { VNode } from 'preact';
import type { RuleView } from '../../src/editor/session/state';
import type { CommandView } from '../../src/editor/commands/state';
import type { Conversation } from '../../src/editor/conversation/state';
import { Icon } from '../kit/icon';
import { formatElapsed, RunningTime } from '../kit/runningTime';
import { formatCount } from '../kit/words';
import { Button } from '../kit/toolkit';
import { VisibleText } from '../kit/untrustedText';
import { useAgentView } from './agentViewStore';
import { WORDS } from './words';

type Items = NonNullable<Conversation['todo']>;

/** The agent's checklist: its progress and current item, and when opened all items. */
export function TodoList({ todo }: { readonly todo: Items }): VNode {
  const done = todo.filter(({ state }) => state === 'done').length;
  const now =
    todo.find(({ state }) => state === 'doing') ?? todo.find(({ state }) => state === 'open');
  return (
    // A new key: the list folds once everything is done.
    <details
      key={done === todo.length}
      class="todo small"
      data-testid="todo"
      data-done={done}
      data-count={todo.length}
    >
      <summary>
        <span class="number">{WORDS.todo.progress(done, todo.length)}</span>
        {now !== undefined && (
          <span class="todo-now quiet">
            {' · '}
            <VisibleText text={now.text} />
          </span>
        )}
      </summary>
      <ul>
        {todo.map(({ text, state }, index) => (
          <li key={index} data-testid="todo-item" data-state={state}>
            <Icon name={state === 'open' ? 'todo' : state} />
            <span class="spoken">{WORDS.todo.states[state]}: </span>
            <span class="todo-text">
              <VisibleText text={text} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The background commands: how many run, and when opened each with its buttons. */
export function CommandList({ commands }: { readonly commands: readonly CommandView[] }): VNode {
  const running = commands.filter(({ ended }) => ended === undefined).length;
  return (
    <details class="commands" data-testid="commands" data-running={running}>
      <summary class="small">{WORDS.commands.running(running)}</summary>
      <ul>
        {commands.map((command) => (
          <CommandRow key={command.handle} command={command} />
        ))}
      </ul>
      {running > 0 && (
        <p class="small quiet" data-testid="commands-hint">
          {WORDS.commands.hint}
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
        {handle} · {isRunning ? WORDS.commands.isRunning : ended},{' '}
        {isRunning ? <RunningTime since={startedAt} /> : formatElapsed(ranMs ?? 0)}
      </span>
      <span class="command-buttons">
        {hasOutput === true && (
          <Button
            data-testid="command-output"
            label={WORDS.commands.outputOf(handle)}
            onClick={() => store.wish({ type: 'showCommandOutput', handle })}
          >
            {WORDS.commands.output}
          </Button>
        )}
        {isRunning && (
          <Button
            data-testid="command-stop"
            label={WORDS.commands.stopCommand(handle)}
            onClick={() => store.wish({ type: 'stopCommand', handle })}
          >
            {WORDS.commands.stop}
          </Button>
        )}
      </span>
    </li>
  );
}

/** The approval rules: each with its author and date, and a Revoke button. */
export function RuleList({ rules }: { readonly rules: readonly RuleView[] }): VNode {
  const store = useAgentView();

  return (
    <details class="rules" data-testid="rules">
      <summary class="small">{formatCount(rules.length, 'approval rule')}</summary>
      <ul>
        {rules.map((rule) => (
          <li key={rule.name} data-testid="rule" data-decision={rule.decision}>
            <span class="rule-text">
              {WORDS.rules[rule.decision]} {rule.where}: <span class="mono">{rule.subject}</span>
              <span class="small quiet"> {madeText(rule)}</span>
            </span>
            <Button
              data-testid="revoke-rule"
              label={WORDS.rules.revokeRule(rule.subject)}
              onClick={() => store.wish({ type: 'revokeRule', name: rule.name })}
            >
              {WORDS.rules.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** "by ada, 23 Nov, 07:15", as far as known. */
function madeText({ by = '', at }: RuleView): string {
  const who = by === '' ? [] : [`by ${by}`];
  const when = at === undefined ? [] : [WHEN.format(at)];
  return [...who, ...when].join(', ');
}

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
