import type { Tool } from '../agent/tool';
import { createFile } from './createFile';
import { editFile } from './editFile';
import { listFiles } from './listFiles';
import { readFile } from './readFile';
import { recall } from './recall';
import { remember } from './remember';
import { runCommand } from './runCommand';
import { searchText } from './searchText';
import { updateScratchpad } from './updateScratchpad';

/** Every tool, in the fixed order the prompt cache relies on. */
export const TOOLS: readonly Tool[] = [
  readFile,
  listFiles,
  searchText,
  editFile,
  createFile,
  runCommand,
  updateScratchpad,
  recall,
  remember,
];
