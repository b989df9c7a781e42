import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeProgressRing,
} from '@vscode/webview-ui-toolkit';
import { h, type ComponentChildren, type JSX } from 'preact';

/** Registers the toolkit's custom elements; called once per page, before the first render. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing());
}

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: (event: MouseEvent) => void;
  readonly appearance?: 'primary' | 'secondary' | 'icon';
  readonly disabled?: boolean;
  /** Name for screen readers and tooltip; needed if the button shows only an icon. */
  readonly label?: string;
  /** Tooltip, if it says more than the name. */
  readonly hint?: string | undefined;
  /** Id of the element that describes it to screen readers. */
  readonly describedBy?: string | undefined;
  readonly class?: string;
  readonly 'data-testid'?: string;
}

/** Draws a VS Code button. */
export function Button(props: ButtonProps): JSX.Element {
  const {
    children,
    label,
    hint,
    describedBy,
    onClick,
    appearance = 'secondary',
    disabled = false,
    ...rest
  } = props;
  return h(
    'vscode-button',
    {
      ...rest,
      appearance,
      disabled,
      'aria-disabled': disabled ? 'true' : undefined,
      'aria-label': label,
      'aria-describedby': describedBy,
      title: hint ?? label,
      onClick: (event: MouseEvent) => {
        if (!disabled) onClick(event);
      },
    },
    children,
  );
}

/** A ring that turns while something runs; a still dot with reduced motion. */
export function ProgressRing(): JSX.Element {
  return h('span', { class: 'progress', 'aria-hidden': 'true' }, h('vscode-progress-ring', {}));
}
