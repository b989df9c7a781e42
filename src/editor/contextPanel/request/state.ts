/** The request of one step as the model read it; only here does the panel hold text of blocks. */
export interface RequestView {
  /** The step that answered it; 'next' for the request that would be sent now. */
  readonly step: number | 'next';
  readonly model: string;
  /** Most tokens the reply may have; absent where the log does not say. */
  readonly maxTokens?: number;
  /** What it says of thinking and effort, "effort: high"; absent for nothing. */
  readonly reasoning?: readonly string[];
  /** What differs from what was sent, and why; one sentence each. */
  readonly notes: readonly string[];
  /** In the order of the prompt-cache prefix: tools, system, messages. */
  readonly sections: readonly RequestSection[];
}

/** One tool, the system prompt, or one message. */
export interface RequestSection {
  readonly id: string;
  /** "Tool read_file", "System prompt", "user, message 3". */
  readonly title: string;
  readonly role: 'tool' | 'system' | 'user' | 'assistant';
  readonly parts: readonly RequestPart[];
  /** Its share of what the map and the blocks show, always worked out; absent for what has none. */
  readonly tokens?: number;
  /** The blocks it is of, in order; absent where it is of none. */
  readonly blocks?: readonly { readonly id: string; readonly label: string }[];
}

export interface RequestPart {
  /** "text", "thinking", "calls read_file", "result of read_file", "image". */
  readonly title: string;
  readonly text: string;
  /** The prompt cache may end after this part. */
  readonly breakpoint?: true;
}
