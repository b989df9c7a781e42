import type { VNode } from 'preact';
import type { FileChoice, Lines } from '../../../src/editor/contextPanel/files/state';
import type { SendWish } from '../store/panelStore';
import { linesWords } from './shownWords';

export interface ChooseButtonsProps {
  readonly path: string;
  /** Absent for the whole file. */
  readonly lines?: Lines | undefined;
  readonly choice: FileChoice;
  /** Why nothing can be changed; absent where it can. */
  readonly why: string | undefined;
  readonly wish: SendWish;
}

const CHOICES = [
  {
    choice: 'always',
    label: 'Always show',
    hint: 'Every pass that shows files shows this first, as far as there is room',
  },
  { choice: 'never', label: 'Never show', hint: 'No pass shows this; calls that read it stay' },
] as const;

/** Offers to have a file, or lines of it, always or never shown; pressed again, the passes decide. */
export function ChooseButtons({ path, lines, choice, why, wish }: ChooseButtonsProps): VNode {
  const place = lines === undefined ? path : `${path}, ${linesWords(lines)}`;
  const what = lines === undefined ? { path } : { path, lines };
  return (
    <span class="choose" role="group" aria-label={`What passes show of ${place}`}>
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
