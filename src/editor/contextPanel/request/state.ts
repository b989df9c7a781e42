/** The request of one step as the model read it; only here does the panel hold text of blocks. */
export interface RequestView {
  /** The step that answered it; 'next' for the next request. */
  readonly step: number | 'next';
  readonly model: string;
  /** Maximum reply tokens; absent if the log does not say. */
  readonly maxTokens?: number;
  /** Its thinking and effort settings, "effort: high"; absent for none. */
  readonly reasoning?: readonly string[];
  /** How it differs from the request that was sent, and why; one sentence each. */
  readonly notes: readonly string[];
  /** Present for a request that the recorded agent sent and that was captured. */
  readonly captured?: CapturedCounts;
  /** In the order of the prompt-cache prefix: tools, system, messages. */
  readonly sections: readonly RequestSection[];
}

/** What the server counted for a captured request; the sections and the rest add up to it. */
export interface CapturedCounts {
  /** Tokens of the whole request; absent if no response to it was recorded. */
  readonly total?: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly fresh: number;
  readonly reply: number;
  /** Tokens that belong to no section; 0 if the sections have them all. */
  readonly unattributed: number;
  /** The last section that was read from the cache, at least in part; estimated. */
  readonly cacheEnd?: string;
}

/** One tool, the system prompt, or one message. */
export interface RequestSection {
  readonly id: string;
  /** "Tool read_file", "System prompt", "user, message 3". */
  readonly title: string;
  readonly role: 'tool' | 'system' | 'user' | 'assistant';
  readonly parts: readonly RequestPart[];
  /**
   * Its share of the weights in the bar and the block list, always estimated; absent if it has
   * none.
   */
  readonly tokens?: number;
  /** The blocks that it comes from, in order; absent if it comes from none. */
  readonly blocks?: readonly { readonly id: string; readonly label: string }[];
}

export interface RequestPart {
  /** "text", "thinking", "calls read_file", "result of read_file", "image". */
  readonly title: string;
  readonly text: string;
  /** The prompt cache may end after this part. */
  readonly breakpoint?: true;
}
