/** What the user is asked: whether the agent may do something, or what it wants to know. */
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
  /** What is to be done: "Edit", "Create", "Run a command". */
  readonly title: string;
  /** The command, path, address, input of a tool or question, character by character; of a move both paths. */
  readonly subject: string;
  /** For a question: the answers that are offered. */
  readonly answers?: readonly string[];
  /** For memory: the whole text that would be told. */
  readonly text?: string;
  /** What the file does beyond this session, in a sentence: instructions, hooks and the like. */
  readonly lasting?: string;
  /** The file has unsaved changes in the editor, which the edit would save. */
  readonly unsaved?: true;
  /** What may be allowed from now on, in words; each is named by its place. */
  readonly choices?: readonly RuleChoiceView[];
  /** Why no rule can answer it, as a sentence. */
  readonly whyAsked?: string;
  /** Edits of other files in the same reply, which may be answered along with this one. */
  readonly further?: readonly FurtherEditView[];
  /** The user changed the proposal in its diff: their text is what Allow writes. */
  readonly revised?: true;
  /** For edits: lines added and removed. */
  readonly added?: number;
  readonly removed?: number;
}

/** What may be allowed from now on. */
export interface RuleChoiceView {
  readonly text: string;
  /** What that means, as a sentence, where the text does not say it. */
  readonly means?: string;
}

/** A standing answer of the user. */
export interface RuleView {
  /** Names it in a wish. */
  readonly name: string;
  readonly decision: 'allow' | 'deny';
  /** "npm run *", "edits in the workspace". */
  readonly subject: string;
  /** "in this session", "in this workspace", "always". */
  readonly where: string;
  /** Who made it, as the system names them. */
  readonly by?: string;
  /** When it was made, ms since the epoch. */
  readonly at?: number;
}

/** An edit that may be answered along with another of the same reply. */
export interface FurtherEditView {
  readonly toolUseId: string;
  readonly kind: 'edit' | 'create';
  /** The path, character by character. */
  readonly subject: string;
  readonly added?: number;
  readonly removed?: number;
}
