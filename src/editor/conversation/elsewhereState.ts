/** What goes on in sessions that are not shown. */
export interface ElsewhereView {
  /** "Another session waits for your answer · 2 other sessions are at work". */
  readonly words: string;
  readonly isWaiting: boolean;
}
