// Adapters of libraries that fit a conversation into a context window. Each converts messages of the
// Messages API to the library's own and back, and calls the library as its documentation says.

/** Tokens by characters / 4 of the JSON: the measure of the table. */
export const tokensOf = (value) => Math.ceil(JSON.stringify(value).length / 4);

/** The answer of the scripted model that writes a library's summary. */
export const SCRIPTED_SUMMARY = 'The agent read files and edited them as the user asked.';

/** How many of the newest messages pruneMessages leaves as they are: it takes no budget. */
const NEWEST_MESSAGES = 10;

/**
 * The libraries. `packages` are installed together; `load` imports one of them. `peers` have `run`,
 * whose time is measured, between `convert` and `back`. `says` returns what the library's answer
 * says about removed content; without it the answer holds messages alone.
 */
export const LIBRARIES = [
  {
    folder: 'langchain-1.5.14',
    packages: { langchain: '1.5.14', '@langchain/core': '1.4.0' },
    peersOf: async (load) =>
      langchain(await load('@langchain/core/messages'), await load('langchain')),
  },
  {
    folder: 'ai-7.0.173',
    packages: { ai: '7.0.173' },
    peersOf: async (load) => aiSdk(await load('ai')),
  },
  {
    folder: 'mastra-core-1.71.0',
    packages: { '@mastra/core': '1.71.0' },
    peersOf: async (load) => mastra(await load('@mastra/core/processors')),
  },
  {
    folder: 'llamaindex-0.12.1',
    packages: { llamaindex: '0.12.1' },
    peersOf: async (load) => llamaIndex(await load('llamaindex')),
  },
];

function langchain(
  { AIMessage, HumanMessage, ToolMessage, trimMessages },
  { ClearToolUsesEdit, summarizationMiddleware },
) {
  const convert = (messages) =>
    messages.flatMap(({ role, content }) => {
      if (role === 'user') {
        return content.map((part) =>
          part.type === 'text'
            ? new HumanMessage(part.text)
            : new ToolMessage({
                tool_call_id: part.tool_use_id,
                content: part.content,
                status: part.is_error ? 'error' : 'success',
              }),
        );
      }
      const calls = content.filter(({ type }) => type === 'tool_use');
      return new AIMessage({
        content: textIn(content),
        tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input })),
      });
    });
  const back = (messages) =>
    joined(
      messages.map((message) => {
        switch (message.getType()) {
          case 'human':
            return ['user', [textPart(message.content)]];
          case 'tool':
            return [
              'user',
              [resultPart(message.tool_call_id, message.content, message.status === 'error')],
            ];
          default:
            return [
              'assistant',
              [
                ...(message.content === '' ? [] : [textPart(message.content)]),
                ...message.tool_calls.map(({ id, name, args }) => usePart(id, name, args)),
              ],
            ];
        }
      }),
    );
  // Each message is counted once, so that the times are the library's rather than the counter's.
  const counts = new WeakMap();
  const countOne = (message) => {
    if (!counts.has(message)) counts.set(message, tokensOf(back([message])));
    return counts.get(message);
  };
  const count = (messages) => messages.reduce((sum, message) => sum + countOne(message), 0);
  const trimmed = (more) => (messages, budget) =>
    trimMessages(messages, { maxTokens: budget, strategy: 'last', tokenCounter: count, ...more });
  const library = 'LangChain 1.5.14';
  return [
    { library, name: 'trimMessages', convert, back, run: trimmed({}) },
    {
      library,
      name: 'trimMessages, startOn human',
      convert,
      back,
      run: trimmed({ startOn: 'human' }),
    },
    {
      library,
      name: 'ClearToolUsesEdit',
      convert,
      back,
      run: async (messages, budget) => {
        const edit = new ClearToolUsesEdit({ trigger: { tokens: budget } });
        await edit.apply({ messages, model: {}, countTokens: count });
        return messages;
      },
      says: (messages) =>
        messages.some((message) => message.response_metadata?.context_editing?.cleared === true)
          ? 'each result'
          : undefined,
    },
    {
      library,
      name: 'summarizationMiddleware',
      convert,
      back,
      run: async (messages, budget) => {
        const model = { invoke: () => Promise.resolve({ content: SCRIPTED_SUMMARY }) };
        const trigger = { tokens: budget };
        const { beforeModel } = summarizationMiddleware({ model, trigger, tokenCounter: count });
        const hook = typeof beforeModel === 'function' ? beforeModel : beforeModel.hook;
        const changed = await hook({ messages }, { context: {} });
        return changed.messages.filter((message) => message.getType() !== 'remove');
      },
      says: (messages) =>
        messages.some((message) => message.additional_kwargs?.lc_source === 'summarization')
          ? 'a summary'
          : undefined,
    },
  ];
}

function aiSdk({ pruneMessages }) {
  return [
    {
      library: 'Vercel AI SDK 7.0.173',
      name: 'pruneMessages',
      convert: toModelMessages,
      back: fromModelMessages,
      run: (messages) =>
        pruneMessages({ messages, toolCalls: `before-last-${NEWEST_MESSAGES}-messages` }),
    },
  ];
}

function mastra({ TokenLimiterProcessor }) {
  return [
    {
      library: 'Mastra 1.71.0',
      name: 'TokenLimiterProcessor',
      convert: toModelMessages,
      back: fromModelMessages,
      run: async (prompt, limit) => {
        const limiter = new TokenLimiterProcessor({ limit });
        return (await limiter.processLLMRequest({ prompt }))?.prompt ?? prompt;
      },
    },
  ];
}

function llamaIndex({ ChatMemoryBuffer, Memory }) {
  const convert = (messages) =>
    messages.flatMap(({ role, content }) => {
      if (role === 'user') {
        return content.map((part) =>
          part.type === 'text'
            ? { role, content: part.text }
            : {
                role,
                content: part.content,
                options: {
                  toolResult: {
                    id: part.tool_use_id,
                    result: part.content,
                    isError: part.is_error === true,
                  },
                },
              },
        );
      }
      const calls = content.filter(({ type }) => type === 'tool_use');
      const toolCall = calls.map(({ id, name, input }) => ({ id, name, input }));
      return { role, content: textIn(content), options: { toolCall } };
    });
  const back = (messages) =>
    joined(
      messages.map(({ role, content, options }) => {
        if (options?.toolResult !== undefined) {
          const { id, result, isError } = options.toolResult;
          return ['user', [resultPart(id, result, isError)]];
        }
        const calls = options?.toolCall ?? [];
        return [
          role,
          [
            ...(content === '' ? [] : [textPart(content)]),
            ...calls.map(({ id, name, input }) => usePart(id, name, input)),
          ],
        ];
      }),
    );
  const library = 'LlamaIndex 0.12.1';
  return [
    {
      library,
      name: 'Memory',
      convert,
      back,
      // The default share is for conversations with long-term memory blocks as well.
      run: async (messages, tokenLimit) => {
        const memory = new Memory([], { tokenLimit, shortTermTokenLimitRatio: 1 });
        for (const message of messages) await memory.add(message);
        return memory.getLLM();
      },
    },
    {
      library,
      name: 'ChatMemoryBuffer',
      convert,
      back,
      run: (chatHistory, tokenLimit) => {
        const llm = { metadata: { contextWindow: tokenLimit } };
        return new ChatMemoryBuffer({ llm, tokenLimit, chatHistory }).getMessages();
      },
    },
  ];
}

/** Messages of the AI SDK, which Mastra's prompts have as well. */
function toModelMessages(messages) {
  const uses = messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use'));
  const names = new Map(uses.map(({ id, name }) => [id, name]));
  return messages.flatMap(({ role, content }) => {
    if (role === 'assistant') {
      const parts = content.map((part) =>
        part.type === 'text'
          ? part
          : { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input },
      );
      return [{ role, content: parts }];
    }
    const results = content.filter(({ type }) => type === 'tool_result');
    const texts = content.filter(({ type }) => type === 'text');
    const toolParts = results.map((part) => ({
      type: 'tool-result',
      toolCallId: part.tool_use_id,
      toolName: names.get(part.tool_use_id),
      output: { type: part.is_error ? 'error-text' : 'text', value: part.content },
    }));
    return [
      ...(toolParts.length === 0 ? [] : [{ role: 'tool', content: toolParts }]),
      ...(texts.length === 0 ? [] : [{ role, content: texts }]),
    ];
  });
}

function fromModelMessages(messages) {
  return joined(
    messages.map(({ role, content }) => [
      role === 'tool' ? 'user' : role,
      content.map((part) => {
        switch (part.type) {
          case 'tool-call':
            return usePart(part.toolCallId, part.toolName, part.input);
          case 'tool-result':
            return resultPart(
              part.toolCallId,
              part.output.value,
              part.output.type === 'error-text',
            );
          default:
            return part;
        }
      }),
    ]),
  );
}

/**
 * Messages with plain texts and results as strings, in one order that all libraries can hold: the
 * results before the prompt, the text before the calls.
 */
export function plainMessages(messages) {
  return joined(
    messages.map(({ role, content }) => {
      const texts = content.filter(({ type }) => type === 'text');
      if (role === 'assistant') {
        const calls = content.filter(({ type }) => type === 'tool_use');
        const text = texts.map((part) => part.text).join('\n\n');
        return [
          role,
          [
            ...(text === '' ? [] : [textPart(text)]),
            ...calls.map(({ id, name, input }) => usePart(id, name, input)),
          ],
        ];
      }
      const results = content.filter(({ type }) => type === 'tool_result');
      return [
        role,
        [
          ...results.map((part) =>
            resultPart(part.tool_use_id, textOf(part.content), part.is_error),
          ),
          ...texts.map(({ text }) => textPart(text)),
        ],
      ];
    }),
  );
}

const textPart = (text) => ({ type: 'text', text });
const usePart = (id, name, input) => ({ type: 'tool_use', id, name, input });
const resultPart = (id, content, isError) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(isError === true ? { is_error: true } : {}),
});
const textIn = (content) => content.find(({ type }) => type === 'text')?.text ?? '';

function textOf(content) {
  if (typeof content === 'string') return content;
  const texts = (content ?? []).map((part) => {
    if (part.type === 'text') return part.text;
    throw new Error(`The recording has a result with ${part.type}: only texts are converted.`);
  });
  return texts.join('\n');
}

/** Joins messages of one role, as the API does. */
function joined(messages) {
  const all = [];
  for (const [role, content] of messages) {
    if (content.length === 0) continue;
    if (all.at(-1)?.role === role) all.at(-1).content.push(...content);
    else all.push({ role, content: [...content] });
  }
  return all;
}
