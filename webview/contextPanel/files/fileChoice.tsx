import type { VNode } from 'preact';
import type { FileChoiceView } from '../../../src/editor/contextPanel/files/state';
import { LinkButton } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';
import { ChooseButtons } from './chooseButtons';
import { choiceWords, linesWords } from './shownWords';

export interface FileChoiceProps {
  readonly path: string;
  readonly chosen: FileChoiceView;
  /** Why nothing can be changed; absent where it can. */
  readonly whyReadOnly: string | undefined;
  readonly wish: SendWish;
}

/** Shows what the user says of a file and of lines of it, what comes of it, and lets them change it. */
export function FileChoice({ path, chosen, whyReadOnly, wish }: FileChoiceProps): VNode {
  const { choice, state, lines } = chosen;
  return (
    <>
      <ChooseButtons path={path} choice={choice} why={whyReadOnly} wish={wish} />
      {choice !== 'auto' && (
        <p class="small" data-testid="choice-words">
          {choiceWords(choice, state)}
        </p>
      )}
      {lines.length > 0 && (
        <ul class="chosen-lines" aria-label={`Lines of ${path} with a choice of yours`}>
          {lines.map((one) => (
            <li key={`${one.range.first} ${one.range.last}`} data-testid="chosen-lines">
              <LinkButton
                label={`Open ${path}, ${linesWords(one.range)}`}
                hint="Opens the file in an editor, at these lines"
                onClick={() => wish({ type: 'openFile', path, line: one.range.first })}
              >
                {linesWords(one.range)}
              </LinkButton>{' '}
              <span class="small">{choiceWords(one.choice, one.state)}</span>{' '}
              <ChooseButtons
                path={path}
                lines={one.range}
                choice={one.choice}
                why={whyReadOnly}
                wish={wish}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
