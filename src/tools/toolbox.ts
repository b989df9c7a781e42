import type { AgentDescription } from '../agent/subAgents/agentFile';
import type { Tool } from '../agent/tool';
import type { NamedList } from '../contextWindow/scratchpad';
import { askUser } from './askUser';
import { readOutput, sendInput, stopCommand } from './processes/commandTools';
import { createFile } from './files/createFile';
import { deleteFile } from './files/deleteFile';
import { diagnostics } from './diagnostics';
import { editFile } from './files/editFile';
import { fetchUrl } from './fetchUrl';
import { listFiles } from './search/listFiles';
import { moveFile } from './files/moveFile';
import { readFile } from './files/readFile';
import { recall } from './recall';
import { rememberTool } from './remember';
import { runCommand, runCommandInFolder } from './processes/runCommand';
import { searchText } from './search/searchText';
import { skillTool } from './skillTool';
import { scratchpadTool } from './scratchpadTool';
import { taskTool } from './task';
import { todo } from './todo';

export interface ToolSurroundings {
  /** The user has not turned the profile off. */
  readonly hasProfile?: boolean;
  /** Language servers are available. */
  readonly hasProblems?: boolean;
  /** The workspace has several folders. */
  readonly hasFolders?: boolean;
  /** The workspace has skills. */
  readonly hasSkills?: boolean;
  /** False when commands have no network access. */
  readonly hasNetwork?: boolean;
  /** The sub-agents that the project describes. */
  readonly agents?: readonly AgentDescription[];
}

/** Tools the agent cannot do without: its instructions or other tools name them. */
export const NEEDED_TOOLS: ReadonlySet<string> = new Set([
  'read_file',
  'update_scratchpad',
  'recall',
  'remember',
]);

/**
 * Every tool, in the fixed order that the prompt cache relies on; `lists` are the user's lists for
 * the scratchpad.
 */
export function toolbox(
  lists: readonly NamedList[],
  {
    hasProfile = false,
    hasProblems = false,
    hasFolders = false,
    hasSkills = false,
    hasNetwork = true,
    agents = [],
  }: ToolSurroundings = {},
): readonly Tool[] {
  return [
    readFile,
    listFiles,
    searchText,
    editFile,
    createFile,
    moveFile,
    deleteFile,
    hasFolders ? runCommandInFolder : runCommand,
    readOutput,
    sendInput,
    stopCommand,
    ...(hasProblems ? [diagnostics] : []),
    ...(hasNetwork ? [fetchUrl] : []),
    askUser,
    taskTool(agents),
    todo,
    scratchpadTool(lists),
    recall,
    rememberTool(hasProfile, hasFolders),
    ...(hasSkills ? [skillTool] : []),
  ];
}

export function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.map(({ definition }) => definition.name);
}
