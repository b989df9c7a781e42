import type { WindowRequest } from './request';
import type { ServerEdit } from './serverEdits';

/**
 * Says which of the edits a request asks for can be sent with it: clear_thinking first, as the API
 * wants it, and not where there is no thinking to clear, for with a model that does not think the API
 * refuses it.
 */
export function sendableEdits({
  messages,
  serverEdits = [],
}: Pick<WindowRequest, 'messages'> & {
  readonly serverEdits?: readonly ServerEdit[];
}): readonly ServerEdit[] {
  const clearsThinking = ({ type }: ServerEdit) => type === 'clear_thinking_20251015';
  const hasThinking = messages.some(({ content }) =>
    content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking'),
  );
  return [
    ...(hasThinking ? serverEdits.filter(clearsThinking) : []),
    ...serverEdits.filter((edit) => !clearsThinking(edit)),
  ];
}
