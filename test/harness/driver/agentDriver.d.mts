import type { Frame } from 'playwright-core';

/** What a webview contains: a frame, or a locator of one. */
export type WebviewContent = Pick<Frame, 'getByTestId' | 'getByRole' | 'getByText' | 'locator'>;

export interface Approval {
  readonly id: string;
  readonly kind: 'edit' | 'create' | 'command';
  readonly text: string;
}

export interface PerformedApproval extends Approval {
  readonly allowed: boolean;
}

export interface TurnOptions {
  readonly answer?: (approval: Approval) => boolean | Promise<boolean>;
  readonly onTick?: () => Promise<void>;
}

export function performTurn(
  agent: WebviewContent,
  prompt: string,
  options?: TurnOptions,
): Promise<readonly PerformedApproval[]>;
export function suggestedPrompt(agent: WebviewContent): Promise<string>;
export function lookAt(
  agent: WebviewContent,
): Promise<{ readonly isIdle: boolean; readonly turns: number }>;
