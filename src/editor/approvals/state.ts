/** An approval rule. */
export interface RuleView {
  /** Names it in a wish. */
  readonly name: string;
  readonly decision: 'allow' | 'deny';
  /** "npm run *", "edits in the workspace". */
  readonly subject: string;
  /** "in this session", "in this workspace", "always". */
  readonly where: string;
  /** Its author, by the system's name. */
  readonly by?: string;
  /** Its date, ms since the epoch. */
  readonly at?: number;
}
