import type { BlockView } from '../state';

/**
 * What a recording says about its own agent, shown while Plimsoll still replays it. All of it is
 * known from the file alone, so nothing of it changes when the replay has ended.
 */
export interface OpeningView {
  readonly file: string;
  readonly format: string;
  readonly model: string;
  /** Its replies, as in the timeline of the replay. */
  readonly steps: number;
  /** How often its agent made room in its own way. */
  readonly compactions: number;
  /** Tokens of its agent's last request by its server's count; absent if the file has no count. */
  readonly recordedTokens?: number;
  /** What its agent was charged, as on the tab Session of the replay. */
  readonly cost: string;
  readonly task: string;
  /** Its newest steps, the newest first, with their names in the list of blocks. */
  readonly newest: readonly OpeningStep[];
  /** The share of the replay that has run, 0..1. */
  readonly share: number;
}

export interface OpeningStep extends Pick<
  BlockView,
  'label' | 'tools' | 'callKinds' | 'callStates'
> {
  readonly step: number;
}
