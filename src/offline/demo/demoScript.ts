/** The inputs of each tool; the demo can only call what the agent offers. */
interface ToolInputs {
  readonly read_file: {
    readonly path: string;
    readonly start_line?: number;
    readonly end_line?: number;
  };
  readonly list_files: { readonly path?: string; readonly glob?: string };
  readonly search_text: {
    readonly pattern: string;
    readonly path?: string;
    readonly glob?: string;
  };
  readonly edit_file: {
    readonly path: string;
    readonly old_text: string;
    readonly new_text: string;
    readonly replace_all?: boolean;
  };
  readonly create_file: { readonly path: string; readonly content: string };
  readonly run_command: {
    readonly command: string;
    readonly timeout_seconds?: number;
    readonly background?: boolean;
  };
  /** A handle of the form `@key` stands for the command that the step with that key put in the background. */
  readonly read_output: { readonly handle: string };
  readonly stop_command: { readonly handle: string };
  readonly diagnostics: { readonly path?: string };
  readonly skill: { readonly name: string };
  readonly task: { readonly title: string; readonly prompt: string; readonly agent?: string };
  readonly update_scratchpad: {
    readonly objective?: string;
    readonly key_facts?: readonly string[];
    readonly decisions?: readonly string[];
    readonly current_step?: string;
    readonly blockers?: readonly string[];
  };
  /** A handle of the form `@key` stands for the tool call of the step with that key. */
  readonly recall: { readonly handle?: string; readonly offset?: number; readonly limit?: number };
}

export type ScriptedCall = {
  readonly [N in keyof ToolInputs]: { readonly name: N; readonly input: ToolInputs[N] };
}[keyof ToolInputs];

/** One reply of the script that calls tools. */
export interface ScriptedStep {
  /** The model's thinking before it, if the request turns thinking on. */
  readonly think?: string;
  readonly say: string;
  readonly calls: readonly ScriptedCall[];
  /** Names the step for a later recall. */
  readonly key?: string;
  /** The last line that the test runner must print for the script to continue. */
  readonly expect?: string;
  /** The script continues even if the tools of this step fail. */
  readonly optional?: true;
  /** The finding of this step, one sentence for a summary. */
  readonly finding?: string;
}

/** One prompt of the script and all steps that follow it. */
export interface ScriptedTurn {
  /** Such a turn answers its prompt in this mode only, and before any other. */
  readonly mode?: 'plan';
  readonly prompt: string;
  /** A prompt that contains all of these is this one, whatever its wording. */
  readonly keywords: readonly RegExp[];
  readonly steps: readonly ScriptedStep[];
  readonly answer: string;
}

/** Describes a call, to say which one was not made. */
export function actionOf(call: ScriptedCall): string {
  switch (call.name) {
    case 'edit_file':
      return `the edit of \`${call.input.path}\``;
    case 'create_file':
      return `the new file \`${call.input.path}\``;
    case 'run_command':
      return `the command \`${call.input.command}\``;
    case 'read_file':
      return `reading \`${call.input.path}\``;
    case 'list_files':
      return 'listing the files';
    case 'search_text':
      return `the search for \`${call.input.pattern}\``;
    case 'update_scratchpad':
      return 'the note on the scratchpad';
    case 'recall':
      return 'the recall of an earlier result';
    case 'read_output':
      return 'the look at the output in the background';
    case 'stop_command':
      return 'the stop of the command in the background';
    case 'skill':
      return `the use of the skill \`${call.input.name}\``;
    case 'task':
      return `the task "${call.input.title}"`;
    case 'diagnostics':
      return `the look at the problems of \`${call.input.path ?? 'the workspace'}\``;
  }
}
