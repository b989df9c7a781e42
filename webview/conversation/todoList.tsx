import type { VNode } from 'preact';
import type { Conversation } from '../../src/editor/conversation/state';
import { Icon } from '../kit/icon';
import { VisibleText } from '../kit/visibleText';

type Items = NonNullable<Conversation['todo']>;

const STATES: Readonly<Record<Items[number]['state'], string>> = {
  open: 'to be done',
  doing: 'under way',
  done: 'done',
};

/** Shows the agent's checklist: how far it is and what is under way; all of it when opened. */
export function TodoList({ todo }: { readonly todo: Items }): VNode {
  const done = todo.filter(({ state }) => state === 'done').length;
  const now =
    todo.find(({ state }) => state === 'doing') ?? todo.find(({ state }) => state === 'open');
  return (
    <details class="todo small" data-testid="todo" data-done={done} data-count={todo.length}>
      <summary>
        <span class="number">
          {done} of {todo.length} done
        </span>
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
            <span class="spoken">{STATES[state]}: </span>
            <span class="todo-text">
              <VisibleText text={text} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
