import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SLASH_COMMANDS, type SlashCommand } from '../../src/editor/composer/slashCommands';
import type { CommandChoice, MentionChoice } from '../../src/editor/composer/state';
import { useAgentView } from './agentViewStore';

/** A line of the list at the composer. */
interface MenuChoice {
  readonly label: string;
  readonly detail: string;
  readonly run: () => void;
}

/** The list that @ or / opened. */
interface ComposerMenu {
  readonly name: 'Mentions' | 'Commands';
  readonly choices: readonly MenuChoice[];
  /** Index of the choice that Enter takes. */
  readonly active: number;
}

interface MenuKeys {
  readonly menu: ComposerMenu | undefined;
  /** Reads the text before the caret. */
  readonly look: () => void;
  /** Returns whether it used the key. */
  readonly press: (event: KeyboardEvent) => boolean;
  readonly choose: (choice: MenuChoice) => void;
  readonly close: () => void;
  /** Lists what can be attached, as an @ at the caret does. */
  readonly mention: () => void;
}

/** The text after an @ that begins a word, up to the caret. */
const MENTION = /(?:^|\s)@(\S*)$/;

/** A command has to be the whole prompt. */
const COMMAND = /^\/([^\s/]*)$/;

/** Opens a list of mentions at an @, and of commands at a / that begins the prompt. */
export function useComposerMenu(field: RefObject<HTMLTextAreaElement | null>): MenuKeys {
  const store = useAgentView();
  const [menu, setMenu] = useState<ComposerMenu>();
  const leave = useRef<() => void>(undefined);

  const close = (): void => {
    leave.current?.();
    setMenu(undefined);
  };
  const replace = (text: string, caret: number): void => {
    close();
    store.unsentPrompt.value = text;
    const element = field.current;
    if (element === null) return;
    // The text has to be there before the caret can be set in it.
    element.value = text;
    element.focus();
    element.setSelectionRange(caret, caret);
  };
  const open = (name: ComposerMenu['name'], choices: readonly MenuChoice[]): void =>
    setMenu(choices.length === 0 ? undefined : { name, choices, active: 0 });

  const mention = ({ mention: chosen, label, detail }: MentionChoice, query: string) => ({
    label,
    detail,
    run: () => {
      const { text, caret } = withName(field.current, query.length + 1, `@${label} `);
      replace(text, caret);
      store.wish({ type: 'attach', mention: chosen });
    },
  });
  const command = (name: SlashCommand): MenuChoice => ({
    label: `/${SLASH_COMMANDS[name].word}`,
    detail: SLASH_COMMANDS[name].does,
    run: () => {
      replace('', 0);
      store.wish({ type: 'runCommand', command: name });
    },
  });

  const custom = ({ name, hint, detail }: CommandChoice): MenuChoice => ({
    label: hint === '' ? `/${name}` : `/${name} ${hint}`,
    detail,
    run: () => replace(`/${name} `, name.length + 2),
  });

  const look = (): void => {
    leave.current?.();
    const element = field.current;
    if (element === null || element.selectionStart !== element.selectionEnd) return close();
    const before = element.value.slice(0, element.selectionStart);
    const words = COMMAND.exec(element.value)?.[1];
    if (words !== undefined) {
      const own = commandsFor(words);
      open('Commands', [...own.begins, ...own.says].map(command));
      leave.current = store.wish(
        { type: 'findCommands' },
        {
          answered: (found) => {
            const theirs = customFor(found, words);
            const choices = [
              ...own.begins.map(command),
              ...theirs.begins.map(custom),
              ...own.says.map(command),
              ...theirs.says.map(custom),
            ];
            // The user may have gone to another choice meanwhile.
            if (choices.length > 0)
              setMenu((before) => ({ name: 'Commands', choices, active: before?.active ?? 0 }));
          },
        },
      );
      return;
    }
    const query = MENTION.exec(before)?.[1];
    if (query === undefined) return setMenu(undefined);
    leave.current = store.wish(
      { type: 'findMentions', query },
      {
        answered: (choices) =>
          open(
            'Mentions',
            choices.map((choice) => mention(choice, query)),
          ),
      },
    );
  };

  const press = (event: KeyboardEvent): boolean => {
    if (menu === undefined || event.isComposing || event.shiftKey) return false;
    const { choices, active } = menu;
    const move = (to: number): boolean => {
      setMenu({ ...menu, active: (to + choices.length) % choices.length });
      return true;
    };
    switch (event.key) {
      case 'ArrowDown':
        return move(active + 1);
      case 'ArrowUp':
        return move(active - 1);
      case 'Enter':
      case 'Tab':
        choices[active]?.run();
        return true;
      case 'Escape':
        close();
        return true;
      default:
        return false;
    }
  };

  const beginMention = (): void => {
    const element = field.current;
    if (element === null) return;
    const { value, selectionStart, selectionEnd } = element;
    const before = value.slice(0, selectionStart);
    // An @ counts only where a word begins.
    const sign = MENTION.test(before) ? '' : /(?:^|\s)$/.test(before) ? '@' : ' @';
    replace(before + sign + value.slice(selectionEnd), selectionStart + sign.length);
    look();
  };

  return { menu, look, press, choose: (choice) => choice.run(), close, mention: beginMention };
}

/** Commands by how they match a text: by their name, or only by what they do. */
interface Matching<C> {
  readonly begins: readonly C[];
  readonly says: readonly C[];
}

function commandsFor(words: string): Matching<SlashCommand> {
  const wanted = words.toLowerCase();
  const names = Object.keys(SLASH_COMMANDS) as SlashCommand[];
  const begins = names.filter((name) => SLASH_COMMANDS[name].word.startsWith(wanted));
  const says = names.filter((name) => SLASH_COMMANDS[name].does.toLowerCase().includes(wanted));
  return { begins, says: says.filter((name) => !begins.includes(name)) };
}

/** A custom command is also found by a later part of its name: `test` of `frontend:test`. */
function customFor(found: readonly CommandChoice[], words: string): Matching<CommandChoice> {
  const wanted = words.toLowerCase();
  const begins = found.filter(({ name }) => {
    const lower = name.toLowerCase();
    return lower.startsWith(wanted) || lower.split(':').some((part) => part.startsWith(wanted));
  });
  const says = found.filter(({ detail }) => detail.toLowerCase().includes(wanted));
  return { begins, says: says.filter((one) => !begins.includes(one)) };
}

/** The text with a name in place of some characters before the caret, and the caret after it. */
function withName(field: HTMLTextAreaElement | null, length: number, name: string) {
  const text = field?.value ?? '';
  const end = field?.selectionStart ?? text.length;
  const begin = Math.max(0, end - length);
  const after = text.slice(end).replace(/^ /, '');
  return { text: text.slice(0, begin) + name + after, caret: begin + name.length };
}

/** The list that @ or / opens. The focus stays in the composer, which names the active choice. */
export const COMPOSER_LIST = 'composer-list';

export function choiceId(at: number): string {
  return `composer-choice-${at}`;
}

interface ComposerListProps {
  readonly menu: ComposerMenu;
  readonly choose: (choice: MenuChoice) => void;
}

/** Shows the choices and scrolls to the active one. */
export function ComposerList({
  menu: { name, choices, active },
  choose,
}: ComposerListProps): VNode {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, choices]);
  return (
    <ul
      id={COMPOSER_LIST}
      ref={list}
      class="composer-list"
      role="listbox"
      // Scrolls, so a keyboard has to reach it.
      tabIndex={0}
      aria-label={name}
      data-testid="composer-list"
    >
      {choices.map((choice, at) => (
        <li
          key={at}
          id={choiceId(at)}
          role="option"
          aria-selected={at === active}
          data-testid="composer-choice"
          title={choice.detail === '' ? choice.label : `${choice.label}, ${choice.detail}`}
          // Keeps the focus in the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(choice)}
        >
          <span class="ellipsis">{choice.label}</span>
          <span class="ellipsis small quiet">{choice.detail}</span>
        </li>
      ))}
    </ul>
  );
}
