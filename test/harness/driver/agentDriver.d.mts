import type { FrameLocator } from 'playwright-core';

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
  agent: FrameLocator,
  prompt: string,
  options?: TurnOptions,
): Promise<readonly PerformedApproval[]>;
export function suggestedPrompt(agent: FrameLocator): Promise<string>;
export function lookAt(
  agent: FrameLocator,
): Promise<{ readonly isIdle: boolean; readonly turns: number }>;
