import { apiError, invalid, type ApiError } from './apiError';
import { editedPrompt } from './applyContextEdits';
import { cacheFault } from './cacheRules';
import { contextEditFault } from './contextEditRules';
import { contentFault } from './contentRules';
import { turnsOf } from './conversation';
import { countTokens } from './countTokens';
import type { MessagesRequest } from './messagesApi';
import { offlineModels, type OfflineModel } from './models';
import { requestShape } from './requestShape';
import { checkThinking, withoutThinking } from './thinkingBinding';
import { toolPairFault, toolsFault } from './toolRules';
import { isObject } from './shape';

/** What besides its body decides whether a request is valid. */
export interface RequestContext {
  readonly models?: readonly OfflineModel[];
  readonly endpoint?: 'messages' | 'count_tokens';
  /** Value of the header anthropic-version. */
  readonly version?: string;
  /** Values of the header anthropic-beta. */
  readonly betas?: readonly string[];
}

/** Version from which on sampling parameters are refused; SDK 1.x sends it. */
export const currentVersion = '2026-10-21';

// Text: platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5.
function thinkingFault(request: MessagesRequest, model: OfflineModel): string | undefined {
  const thinking = request.thinking;
  if (thinking === undefined) return undefined;
  if (!model.thinkingTypes.includes(thinking.type)) {
    return `"thinking.type.${thinking.type}" is not supported for this model. Use "thinking.type.${model.thinkingTypes[0]}" and "output_config.effort" to control thinking behavior.`;
  }
  const budget = thinking.budget_tokens;
  return budget !== undefined && budget >= (request.max_tokens ?? Infinity)
    ? '`max_tokens` must be greater than `thinking.budget_tokens`.'
    : undefined;
}

// What is refused: SDK 1.12.0, `capabilities.effort`, and its remark that some levels need thinking. Which these are is not said, so
// the two above the default are taken; the texts are ours.
function effortFault(request: MessagesRequest, model: OfflineModel): string | undefined {
  const effort = request.output_config?.effort ?? undefined;
  if (effort === undefined) return undefined;
  if (!model.efforts.includes(effort)) {
    return `output_config.effort: "${effort}" is not supported for this model.`;
  }
  return request.thinking?.type === 'disabled' && (effort === 'xhigh' || effort === 'max')
    ? `output_config.effort: "${effort}" is not supported with thinking disabled.`
    : undefined;
}

function limitFault(request: MessagesRequest, model: OfflineModel): string | undefined {
  return request.max_tokens > model.maxOutputTokens
    ? `max_tokens: ${request.max_tokens} > ${model.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model.id}`
    : undefined;
}

function samplingFault(body: object, model: OfflineModel): string | undefined {
  const used = ['temperature', 'top_p', 'top_k'].find((name) => Object.hasOwn(body, name));
  return used !== undefined && model.bindsThinking
    ? `\`${used}\` is deprecated for this model.`
    : undefined;
}

function overflowFault(request: MessagesRequest, model: OfflineModel): string | undefined {
  const input = countTokens(request, model);
  const window = model.contextWindowTokens;
  if (input > window) return `prompt is too long: ${input} tokens > ${window} maximum`;
  return model.overflow === 'refused' && input + request.max_tokens > window
    ? `input length and \`max_tokens\` exceed context limit: ${input} + ${request.max_tokens} > ${window}, decrease input length or \`max_tokens\` and try again`
    : undefined;
}

/**
 * Checks a body of /v1/messages or /v1/messages/count_tokens as strictly as the API does, and
 * returns the error it answers, or undefined.
 *
 * Pure, so that a recorded body can be checked without a server.
 */
export function validateRequest(body: unknown, context: RequestContext = {}): ApiError | undefined {
  const { models = offlineModels, endpoint = 'messages', betas = [] } = context;
  const shape = requestShape({
    endpoint,
    sampling: (context.version ?? currentVersion) < currentVersion,
    betas,
  });
  if (!isObject(body)) return invalid('body: Input should be an object');
  const shapeFault = shape(body, '');
  if (shapeFault !== undefined) return invalid(shapeFault);
  const request = body as unknown as MessagesRequest;
  const model = models.find(({ id }) => id === request.model);
  if (model === undefined) return apiError('not_found_error', `model: ${request.model}`);
  const turns = turnsOf(request.messages);
  const fault =
    limitFault(request, model) ??
    samplingFault(body, model) ??
    thinkingFault(request, model) ??
    effortFault(request, model) ??
    toolsFault(request, model) ??
    contextEditFault(request, model) ??
    cacheFault(request) ??
    contentFault(request, turns, model) ??
    toolPairFault(turns);
  if (fault !== undefined) return invalid(fault);
  const thinking = checkThinking(request, model);
  if (thinking.kind === 'refused') return invalid(thinking.message);
  if (endpoint === 'count_tokens') return undefined;
  const accepted = withoutThinking(request, thinking.dropped);
  const overflow = overflowFault(editedPrompt(accepted, model).shown, model);
  return overflow === undefined ? undefined : invalid(overflow);
}
