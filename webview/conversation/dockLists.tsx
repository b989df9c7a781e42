import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { countText } from '../../src/editor/coreForPages';
import type { ApprovalRuleView } from '../../src/editor/session/state';
import type { CommandView } from '../../src/editor/commands/state';
import type { Conversation } from '../../src/editor/conversation/state';
import { Icon } from '../kit/icon';
import { formatElapsed, RunningTime } from '../kit/runningTime';
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
  const [isTyping, setTyping] = useState(false);
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
            data-testid="command-type"
            label={WORDS.commands.typeInto(handle)}
            onClick={() => setTyping(!isTyping)}
          >
            {WORDS.commands.type}
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
      {isRunning && isTyping && <TypeField handle={handle} close={() => setTyping(false)} />}
    </li>
  );
}

interface TypeFieldProps {
  readonly handle: string;
  readonly close: () => void;
}

/** The field for a line to a command; Enter sends it, also an empty one, and Escape closes the field. */
function TypeField({ handle, close }: TypeFieldProps): VNode {
  const store = useAgentView();
  const [line, setLine] = useState('');
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') close();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    store.wish({ type: 'typeIntoCommand', handle, line });
    setLine('');
  };
  return (
    <input
      class="field mono"
      data-testid="command-field"
      type="text"
      autofocus
      autocomplete="off"
      spellcheck={false}
      value={line}
      placeholder={WORDS.commands.typeHint}
      aria-label={WORDS.commands.typeInto(handle)}
      onInput={(event) => setLine(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** The approval rules: each with its author and date, and a Revoke button. */
export function RuleList({ rules }: { readonly rules: readonly ApprovalRuleView[] }): VNode {
  const store = useAgentView();

  return (
    <details class="rules" data-testid="rules">
      <summary class="small">{countText(rules.length, 'approval rule')}</summary>
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
function madeText({ by = '', at }: ApprovalRuleView): string {
  const who = by === '' ? [] : [`by ${by}`];
  const when = at === undefined ? [] : [WHEN.format(at)];
  return [...who, ...when].join(', ');
}

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
