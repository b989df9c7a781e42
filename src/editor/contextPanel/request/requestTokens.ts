import type { ModelRequest } from '../../../agent/model';
import { textsOfPart, type PartWeight } from '../../../contextWindow/account/guesses';
import { apportion, measure, weightOf } from '../../../contextWindow/account/measure';
import type { ContextWindow } from '../../../contextWindow/window';
import type { Estimate } from '../../../contextWindow/truncate';
import { originOf, type MessagePart } from '../../../contextWindow/request/blockMessages';

/** What the parts of a request weigh; all of it is worked out, since only requests are counted. */
export interface RequestTokens {
  /** One for each tool, in their order. */
  readonly tools: readonly number[];
  readonly system: number;
  /** Undefined for a part that no block and no line of the window put there. */
  ofPart(part: MessagePart): number | undefined;
}

/**
 * Splits the weights that the map and the blocks show among the parts of the request of this window,
 * so that they add up to the same numbers.
 */
export function requestTokens(
  window: ContextWindow,
  { tools, messages }: Pick<ModelRequest, 'tools' | 'messages'>,
  estimate: Estimate,
): RequestTokens {
  const measured = measure(window, estimate);
  const tokensOf = (part: PartWeight['part']): number => weightOf(measured, part).tokens;
  const parts = new Map<PartWeight['part'], MessagePart[]>();
  for (const part of messages.flatMap(({ content }) => content)) {
    const origin = originOf(part);
    if (origin === undefined) continue;
    const others = parts.get(origin);
    if (others === undefined) parts.set(origin, [part]);
    else others.push(part);
  }
  const found = new Map<MessagePart, number>();
  for (const [origin, of] of parts) {
    const shares = apportion(
      tokensOf(origin),
      of.map((part) => sumOf(textsOfPart(part).map(estimate))),
    );
    for (const [index, part] of of.entries()) found.set(part, shares[index] ?? 0);
  }
  return {
    tools: apportion(
      tokensOf('tools'),
      tools.map((tool) => estimate(JSON.stringify(tool))),
    ),
    system: tokensOf('system'),
    ofPart: (part) => found.get(part),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
