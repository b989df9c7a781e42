import type { VNode } from 'preact';
import type {
  FileChoice,
  FileChoiceView,
  Lines,
} from '../../../src/editor/contextPanel/files/state';
import { LinkButton } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';
import { choiceWords, linesWords } from './words';

interface FileChoiceProps {
  readonly path: string;
  readonly chosen: FileChoiceView;
  /** Why nothing can be changed; absent if it can. */
  readonly whyReadOnly: string | undefined;
  readonly wish: SendWish;
}

/**
 * Shows the user's choices for a file and its lines, with their effect, and lets the user change
 * them.
 */
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
        <ul class="chosen-lines" aria-label={`Lines of ${path} that you chose`}>
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

interface ChooseButtonsProps {
  readonly path: string;
  /** Absent for the whole file. */
  readonly lines?: Lines | undefined;
  readonly choice: FileChoice;
  /** Why nothing can be changed; absent if it can. */
  readonly why: string | undefined;
  readonly wish: SendWish;
}

const CHOICES = [
  {
    choice: 'always',
    label: 'Always show',
    hint: 'Every pass that shows excerpts shows this first, if there is room',
  },
  {
    choice: 'never',
    label: 'Never show',
    hint: 'No pass shows this as an excerpt; calls that read it stay',
  },
] as const;

/** Offers to always or never show a file, or lines of it; pressed again, the passes decide. */
export function ChooseButtons({ path, lines, choice, why, wish }: ChooseButtonsProps): VNode {
  const place = lines === undefined ? path : `${path}, ${linesWords(lines)}`;
  const what = lines === undefined ? { path } : { path, lines };
  return (
    <span class="choose" role="group" aria-label={`How passes show ${place}`}>
      {CHOICES.map(({ choice: own, label, hint }) => {
        const isOn = choice === own;
        return (
          <button
            key={own}
            type="button"
            class="plain choice"
            aria-pressed={isOn}
            aria-label={`${label}: ${place}`}
            aria-disabled={why === undefined ? undefined : 'true'}
            title={why ?? (isOn ? 'Press again to let the passes decide' : hint)}
            onClick={() => {
              if (why !== undefined) return;
              wish({ type: 'chooseFile', ...what, choice: isOn ? 'auto' : own });
            }}
            data-testid={`choose-${own}`}
          >
            {label}
          </button>
        );
      })}
    </span>
  );
}
