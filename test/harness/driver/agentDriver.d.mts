import type { FrameLocator } from 'playwright-core';

export interface Approval {
  readonly id: string;
  readonly kind: 'edit' | 'create' | 'command';
  readonly text: string;
}

export function performTurn(
  agent: FrameLocator,
  prompt: string,
  options?: {
    readonly answer?: (approval: Approval) => boolean | Promise<boolean>;
    readonly onTick?: () => Promise<void>;
  },
): Promise<readonly (Approval & { readonly allowed: boolean })[]>;
export function suggestedPrompt(agent: FrameLocator): Promise<string>;
