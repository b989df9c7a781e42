import type { Attachment } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/window';
import type { LastingChange, ToolDefinition } from '../contextWindow/event';
import type { Scratchpad } from '../contextWindow/scratchpad';
import type { BackgroundCommands } from './backgroundCommands';
import type { Profile } from './memory/projectMemory';
import type { Workspace } from './workspace';
import type { Result } from '../contextWindow/result';
import type { JsonValue } from '../contextWindow/json';
import type { Estimate } from '../contextWindow/truncate';

/** A question to the user before a call runs. */
export type ApprovalRequest =
  /** `before` is undefined for a new file. Paths are relative to the workspace. */
  | {
      readonly kind: 'edit';
      readonly path: string;
      /**
       * Absolute path of the user's profile when the edit changes it; `path` is then its name. It
       * applies to all projects, so no rule allows the edit: the user is asked each time.
       */
      readonly profile?: string;
      readonly before: string | undefined;
      readonly after: string;
      /**
       * What the file does beyond this session, as a sentence; for instructions, hooks and similar
       * files. No rule allows the edit: the user is asked each time.
       */
      readonly lasting?: string;
      /** The edit would also save unsaved changes in the editor. */
      readonly unsaved?: true;
    }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      /** The name of that folder, if it is not the first one of the workspace. */
      readonly folder?: string;
      /** What the system's sandbox allows, as a sentence; absent without a sandbox. */
      readonly sandbox?: string;
      /** Why to run it again outside the sandbox, as a sentence. */
      readonly outside?: string;
      readonly background?: true;
    }
  /** Types text into a background command; `command` is its command line. */
  | {
      readonly kind: 'input';
      readonly handle: string;
      readonly command: string;
      readonly text: string;
      /** Press Enter after the text. */
      readonly enter: boolean;
    }
  | {
      readonly kind: 'move';
      readonly path: string;
      readonly to: string;
      /** As for an edit, for either path. */
      readonly lasting?: string;
    }
  | {
      readonly kind: 'delete';
      readonly path: string;
      /** Its text; absent for a file that is not text. */
      readonly before?: string;
      readonly lasting?: string;
    }
  /** A web page; a rule allows its `host`. */
  | { readonly kind: 'fetch'; readonly url: string; readonly host: string }
  /**
   * A call of a third-party tool; `tool` is its provider's name for it, `input` is readable JSON.
   */
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly provider: string;
      readonly input: string;
    }
  /** A question from the agent; the answer is the feedback of an approval. */
  | { readonly kind: 'question'; readonly question: string; readonly choices: readonly string[] }
  /** A memory file that is new or changed since the session began: may it instruct the agent? */
  | { readonly kind: 'memory'; readonly path: string; readonly text: string };

/** The user's answer; `feedback` is their text. `message` explains a denial by a rule. */
export type ApprovalAnswer =
  | {
      readonly approved: true;
      readonly feedback?: string;
      /** The answer covers the other edits shown with this one. */
      readonly together?: boolean;
      /** The user's versions of proposed edits: whole texts by call id. */
      readonly revised?: Readonly<Record<string, string>>;
    }
  | {
      readonly approved: false;
      readonly feedback?: string;
      readonly together?: boolean;
      readonly message?: string;
    };

export interface ToolContext {
  readonly workspace: Workspace;
  /** For `remember`; absent when the user turned it off. */
  readonly profile?: Profile;
  /** Absent when no command can run in the background. */
  readonly background?: BackgroundCommands;
  /** Most of a file that one read returns; absent where only the cap of a result counts. */
  readonly range?: { readonly tokens: number; readonly estimate: Estimate };
  /** The current window, for `recall` and `update_scratchpad`. */
  readonly window: ContextWindow;
  /** The session's free-form state; a tool changes it through its output. */
  readonly state: Readonly<Record<string, JsonValue>>;
}

/** An image or document from a tool; its tokens are calculated on admission. */
export type Media = Omit<Attachment, 'tokens'>;

/** A tool's result; a failure is for the model to correct. */
export interface ToolOutput {
  readonly text: string;
  readonly isError: boolean;
  /** From `update_scratchpad`: the new scratchpad. */
  readonly scratchpad?: Scratchpad;
  /** Keys of the session's state to set; null removes a key. */
  readonly state?: Readonly<Record<string, JsonValue>>;
  /** From a search by `recall`: the handles of the matching texts, in order. */
  readonly recalled?: readonly string[];
  /** From `remember`: project memory before, if it existed, and after. */
  readonly remembered?: {
    readonly path: string;
    readonly before: string | undefined;
    readonly after: string;
  };
  /** From `ask_user`: the standing rule that the user struck. */
  readonly struckRule?: string;
  /** From a command: the lasting files it changed. */
  readonly lasting?: readonly LastingChange[];
  /** For the user, who sees the same one once a session. */
  readonly notice?: string;
  /** Handles of background commands whose end this result reports. */
  readonly reportedEnds?: readonly string[];
  /** After a failure in the sandbox: the question whether to run it outside. */
  readonly outside?: ApprovalRequest;
  /** Shown to the model after the text; never with an error, which the API refuses. */
  readonly attachments?: readonly Media[];
}

/** A task for a sub-agent. */
export interface SubTask {
  /** Its name for the user, who sees it above its questions. */
  readonly name: string;
  readonly prompt: string;
  /** Further instructions; '' for none. */
  readonly instructions: string;
  /** Its model's id, or a name such as `haiku`; absent for the session's model. */
  readonly model?: string;
  /** The call names the model, so that a missing one is the call's mistake. */
  readonly isModelOfCall?: true;
  /** Names of the tools it gets; absent for all. */
  readonly tools?: readonly string[];
}

/** A checked call that has not run yet. */
export interface PreparedCall {
  /** Absent when the call needs no approval. */
  readonly approval?: ApprovalRequest;
  /** Names the action in a denial, for the model: "The edit of a.ts". */
  readonly action: string;
  run: RunCall;
  /** The task that a sub-agent performs in place of `run`. */
  readonly task?: SubTask;
  /** For edits: writes the user's version of the proposal. */
  readonly runRevised?: (after: string, signal: AbortSignal) => Promise<ToolOutput>;
  /** Runs it in the system's sandbox; absent without one. */
  readonly runInSandbox?: RunCall;
}

/**
 * Runs a call. `onOutput` gets live output; `words` is the user's text with the approval, '' for
 * none.
 */
export type RunCall = (
  signal: AbortSignal,
  onOutput: (text: string) => void,
  words?: string,
) => Promise<ToolOutput>;

/** A checked call; a refusal is for the model. */
export type Preparation = Result<{ readonly call: PreparedCall }>;

export interface Tool {
  readonly definition: ToolDefinition;
  /** Its definition in a small window; without it, `more_tools` calls it there. */
  readonly brief?: ToolDefinition;
  /** Checks the input and works out what to do; changes nothing. */
  prepare(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<Preparation>;
}
