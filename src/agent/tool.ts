import type { Attachment } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/window';
import type { LastingChange, ToolDefinition } from '../contextWindow/event';
import type { Scratchpad } from '../contextWindow/scratchpad';
import type { BackgroundCommands } from './backgroundCommands';
import type { Profile } from './memory/projectMemory';
import type { Workspace } from './workspace';
import type { Result } from '../contextWindow/result';
import type { JsonValue } from '../contextWindow/json';

/** What needs the user's answer before it happens. */
export type ApprovalRequest =
  /** `before` is undefined for a new file. Paths are relative to the workspace. */
  | {
      readonly kind: 'edit';
      readonly path: string;
      /**
       * Absolute path of the user's profile, where that is what changes; `path` is then its name. It
       * is told in every project, so no standing permission covers it: the user is asked each time.
       */
      readonly profile?: string;
      readonly before: string | undefined;
      readonly after: string;
      /**
       * What the file does beyond this session, in a sentence; present for instructions, hooks and
       * the like. No standing permission covers it: the user is asked each time.
       */
      readonly lasting?: string;
      /** The file has unsaved changes in the editor, which the edit would save. */
      readonly unsaved?: true;
    }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      /** What it may do in the sandbox of the system, as a sentence; absent where it has none. */
      readonly sandbox?: string;
      /** It ran in the sandbox, and why it is to run outside, as a sentence. */
      readonly outside?: string;
      /** It goes on in the background. */
      readonly background?: true;
    }
  /** A text is typed into a command in the background, which `command` names. */
  | {
      readonly kind: 'input';
      readonly handle: string;
      readonly command: string;
      readonly text: string;
      /** Enter is pressed behind it. */
      readonly enter: boolean;
    }
  /** A file gets another path, `to`. */
  | {
      readonly kind: 'move';
      readonly path: string;
      readonly to: string;
      /** As for an edit, of either path. */
      readonly lasting?: string;
    }
  | {
      readonly kind: 'delete';
      readonly path: string;
      /** Its text; absent where it is none. */
      readonly before?: string;
      readonly lasting?: string;
    }
  /** A page on the web; `host` is what a standing permission names. */
  | { readonly kind: 'fetch'; readonly url: string; readonly host: string }
  /** A call of a tool of others; `tool` is its provider's name of it, `input` readable JSON. */
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly provider: string;
      readonly input: string;
    }
  /** A question of the agent's; the answer is the feedback of a yes. */
  | { readonly kind: 'question'; readonly question: string; readonly choices: readonly string[] }
  /** A memory file that came or changed since the session began: is its text told as instructions? */
  | { readonly kind: 'memory'; readonly path: string; readonly text: string };

/**
 * The user's answer; `feedback` is what they typed along with it. `message` is there when a rule
 * said no in their place, and says why.
 */
export type ApprovalAnswer =
  | {
      readonly approved: true;
      readonly feedback?: string;
      /** It counts for the further edits that were shown with this one, too. */
      readonly together?: boolean;
      /** What the user made of proposed edits, whole texts by the id of the call. */
      readonly revised?: Readonly<Record<string, string>>;
    }
  | {
      readonly approved: false;
      readonly feedback?: string;
      readonly together?: boolean;
      readonly message?: string;
    };

/** What a tool can see. */
export interface ToolContext {
  readonly workspace: Workspace;
  /** For `remember`; absent where the user has turned it off. */
  readonly profile?: Profile;
  /** Absent where no command can run in the background. */
  readonly background?: BackgroundCommands;
  /** The window as it stands, for `recall` and `update_scratchpad`. */
  readonly window: ContextWindow;
  /** The session's free-form state; a tool changes it through its output. */
  readonly state: Readonly<Record<string, JsonValue>>;
}

/** An image or document as a tool hands it over; its tokens are worked out when it is admitted. */
export type Media = Omit<Attachment, 'tokens'>;

/** What a tool answers; a failure is for the model to correct. */
export interface ToolOutput {
  readonly text: string;
  readonly isError: boolean;
  /** For `update_scratchpad`: the scratchpad from now on. */
  readonly scratchpad?: Scratchpad;
  /** Keys of the session's state to set from now on; null removes one. */
  readonly state?: Readonly<Record<string, JsonValue>>;
  /** For a search by `recall`: the handles of the texts it found something in, in their order. */
  readonly recalled?: readonly string[];
  /** For a line that was added to project memory: the file before, if there was one, and after. */
  readonly remembered?: { readonly before: string | undefined; readonly after: string };
  /** For a command: what it did to files that outlast the session. */
  readonly lasting?: readonly LastingChange[];
  /** The commands in the background whose end it tells, by their handles. */
  readonly toldEnds?: readonly string[];
  /** For a command in the sandbox: what is to be asked before it runs outside, since it failed there. */
  readonly outside?: ApprovalRequest;
  /** Shown to the model behind the text; never together with an error, which the API refuses. */
  readonly attachments?: readonly Media[];
}

/** A call that was understood and checked; nothing has happened yet. */
export interface PreparedCall {
  /** Absent when the call may run freely. */
  readonly approval?: ApprovalRequest;
  /** What is not done when the user says no, in words for the model: "The edit of a.ts". */
  readonly action: string;
  run: RunCall;
  /** For edits: does it with the text that the user made of the proposal. */
  readonly runRevised?: (after: string, signal: AbortSignal) => Promise<ToolOutput>;
  /** Runs it in the sandbox of the system; absent where there is none for it. */
  readonly runInSandbox?: RunCall;
}

/**
 * Does what a call says. `onOutput` gets what it writes meanwhile; `words` are what the user said along
 * with their yes, '' for nothing.
 */
export type RunCall = (
  signal: AbortSignal,
  onOutput: (text: string) => void,
  words?: string,
) => Promise<ToolOutput>;

/** A call that was checked; a refusal is for the model. */
export type Preparation = Result<{ readonly call: PreparedCall }>;

/** One tool the model may call. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** Checks the input and works out what would be done; changes nothing. */
  prepare(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<Preparation>;
}
