import { CacheDiagnosis } from './cacheDiagnosis';
import { promptSegments, segmentTokens } from './countTokens';
import type { Answer } from './messageAnswer';
import type { MessagesRequest, Respond } from './messagesApi';
import type { OfflineModel } from './models';
import { PromptCache } from './promptCache';
import { finishReply } from './reply';
import { checkThinking, withoutThinking } from './thinkingBinding';
import { bindingControlsBeta } from './validateRequest';

/** Leaves out the thinking the model is not shown; `request` must be valid. */
export function acceptedThinking(request: MessagesRequest, model: OfflineModel) {
  const check = checkThinking(request, model);
  if (check.kind === 'refused') throw new Error(`not a valid request: ${check.message}`);
  return { ...check, shown: withoutThinking(request, check.dropped) };
}

/** Answers valid requests with the words of a script and the numbers of a model: usage, prompt cache, signatures. */
export class ScriptedModel {
  readonly #respond: Respond;
  readonly #cache: PromptCache;
  readonly #diagnosis = new CacheDiagnosis();
  #answered = 0;

  constructor(respond: Respond, now: () => number) {
    this.#respond = respond;
    this.#cache = new PromptCache(now);
  }

  /** Answers one valid request and remembers its prefix. */
  answer(request: MessagesRequest, model: OfflineModel, betas: readonly string[]): Answer {
    const { shown, dropped, end } = acceptedThinking(request, model);
    const segments = promptSegments(shown, model);
    const inputTokens = segmentTokens(segments);
    const scripted = this.#respond(request);
    const reply = finishReply(scripted, request, model, end, inputTokens);
    const cache = this.#cache.use(model, segments);
    const previous = request.diagnostics?.previous_message_id;
    const cacheMiss =
      typeof previous === 'string'
        ? this.#diagnosis.explain(previous, model.id, segments, cache.readTokens)
        : undefined;
    this.#answered += 1;
    const id = `msg_offline_${String(this.#answered).padStart(6, '0')}`;
    this.#diagnosis.remember(id, model.id, segments);
    return {
      id,
      model: scripted.model ?? model.id,
      reply,
      delayMs: scripted.delayMs ?? 0,
      inputTokens,
      cache,
      cacheMiss,
      dropped: betas.includes(bindingControlsBeta) ? dropped : undefined,
    };
  }
}
