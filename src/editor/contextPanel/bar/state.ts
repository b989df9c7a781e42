/** The newest turns, which a policy touches last: how many, and their tokens in the window. */
export interface RecentTurns {
  readonly turns: number;
  readonly tokens: number;
}
