/** A question to the user: whether the agent may do something, or what it wants to know. */
export interface ApprovalView {
  readonly toolUseId: string;
  readonly kind:
    | 'edit'
    | 'create'
    | 'command'
    | 'input'
    | 'memory'
    | 'move'
    | 'delete'
    | 'fetch'
    | 'tool'
    | 'question';
  /** The action: "Edit", "Create", "Run a command". */
  readonly title: string;
  /**
   * The command, path, address, tool input or question, character by character; for a move, both
   * paths.
   */
  readonly subject: string;
  /** For a question: the answers on offer. */
  readonly answers?: readonly string[];
  /** For memory: the whole text that the agent would follow. */
  readonly text?: string;
  /** What the file does beyond this session, in a sentence: instructions, hooks and others. */
  readonly lasting?: string;
  /** The file has unsaved changes in the editor, which the edit would save. */
  readonly unsaved?: true;
  /** The rules on offer, each named by its index. */
  readonly choices?: readonly RuleChoiceView[];
  /** Why no rule can answer it, as a sentence. */
  readonly whyAsked?: string;
  /** Edits of other files in the same reply, which the same answer can cover. */
  readonly further?: readonly FurtherEditView[];
  /** The user edited the proposal in its diff: Allow writes their version. */
  readonly revised?: true;
  /** For edits: lines added and removed. */
  readonly added?: number;
  readonly removed?: number;
}

/** A rule on offer. */
export interface RuleChoiceView {
  readonly text: string;
  /** What the rule covers, as a sentence, if the text does not say it. */
  readonly means?: string;
}

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

/** An edit that can be answered along with another of the same reply. */
export interface FurtherEditView {
  readonly toolUseId: string;
  readonly kind: 'edit' | 'create';
  /** The path, character by character. */
  readonly subject: string;
  readonly added?: number;
  readonly removed?: number;
}
