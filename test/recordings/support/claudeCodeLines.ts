/** The number of lines made, which gives each an id of its own. */
let uuids = 0;

/** A user line: a prompt, or results. */
export const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  uuid: `user-${(uuids += 1)}`,
  sessionId: 's',
  isSidechain: false,
  message: { role: 'user', content },
  ...more,
});

/** An assistant line, with one part of the response with this id. */
export const assistant = (id: string, part: object, more: object = {}, usage?: object) => ({
  type: 'assistant',
  uuid: `assistant-${(uuids += 1)}`,
  sessionId: 's',
  isSidechain: false,
  message: { id, role: 'assistant', model: 'claude-x', content: [part], ...(usage && { usage }) },
  ...more,
});

export const text = (words: string) => ({ type: 'text', text: words });

export const call = (id: string, name = 'read', input: unknown = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
});

export const result = (id: string, content: unknown = 'ok', is_error?: boolean) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(is_error === undefined ? {} : { is_error }),
});
