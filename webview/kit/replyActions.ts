import { createContext } from 'preact';

/** What one can do with code and file names in a reply; absent where a text is only shown. */
export interface ReplyActions {
  copy(code: string): void;
  /** Puts code where the cursor is. */
  insert(code: string): void;
  /** Changes a file to code, unsaved; `path`: the file the reply named, else the one in the editor. */
  apply(code: string, path?: string): void;
  /** Opens a file that a reply names, at a line counted from 1. */
  openFile(path: string, line?: number): void;
}

export const ReplyActionsContext = createContext<ReplyActions | undefined>(undefined);
