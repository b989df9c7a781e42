import { editedPrompt } from './applyContextEdits';
import { CacheDiagnosis, PromptCache } from './prefixCache';
import { compactedTo, summaryOf } from './conversation';
import type { Compact } from './rules/contextEdit';
import { promptSegments, segmentTokens, textTokens } from './countTokens';
import type { Answer, Sampling } from './messageAnswer';
import type { MessagesRequest, Respond } from './messagesApi';
import type { OfflineModel } from './models';
import { finishReply, type FinishedReply } from './reply';
import { bindingControlsBeta } from './rules/requestShape';
import { afterCompaction, checkThinking, withoutThinking } from './rules/thinkingBinding';

/** Leaves out the thinking that the model does not see; `request` must be valid. */
export function acceptedThinking(request: MessagesRequest, model: OfflineModel) {
  const check = checkThinking(request, model);
  if (check.kind === 'refused') throw new Error(`not a valid request: ${check.message}`);
  return { ...check, shown: withoutThinking(request, check.dropped) };
}

/** The text after the compaction block of an answer that pauses there. */
const paused: FinishedReply = {
  blocks: [],
  stopReason: 'compaction',
  stopSequence: null,
  outputTokens: 0,
  thinkingTokens: 0,
};

const unused = {
  inputTokens: 0,
  cache: { readTokens: 0, written5mTokens: 0, written1hTokens: 0 },
} as const;

/**
 * Answers valid requests with the text of a script and the numbers of a model: usage, prompt cache,
 * signatures.
 */
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
    const accepted = acceptedThinking(request, model);
    const { shown, applied, compact } = editedPrompt(accepted.shown, model);
    const compaction = compact && this.#compact(shown, compact, model);
    const read = compaction?.shown ?? shown;
    const end = compaction ? afterCompaction(accepted.end, compaction.block) : accepted.end;
    const isPaused = compact?.pause_after_compaction === true;
    const segments = promptSegments(read, model);
    const inputTokens = segmentTokens(segments);
    const scripted = isPaused ? { content: [] } : this.#respond(request);
    const reply = isPaused ? paused : finishReply(scripted, request, model, end, inputTokens);
    const prompt = isPaused ? unused : { inputTokens, cache: this.#cache.use(model, segments) };
    const previous = request.diagnostics?.previous_message_id;
    const cacheMiss =
      typeof previous === 'string'
        ? this.#diagnosis.explain(previous, model.id, segments, prompt.cache.readTokens)
        : undefined;
    this.#answered += 1;
    const id = `msg_offline_${String(this.#answered).padStart(6, '0')}`;
    this.#diagnosis.remember(id, model.id, segments);
    const edits = request.context_management?.edits;
    return {
      id,
      model: scripted.model ?? model.id,
      reply: compaction ? { ...reply, blocks: [compaction.block, ...reply.blocks] } : reply,
      delayMs: scripted.delayMs ?? 0,
      ...prompt,
      cacheMiss,
      dropped: betas.includes(bindingControlsBeta) ? accepted.dropped : undefined,
      appliedEdits: edits && applied,
      compacted: edits?.some(({ type }) => type === 'compact_20260112')
        ? { by: compaction?.sampling, isPaused }
        : undefined,
    };
  }

  /** Makes the server summarise a conversation, which reads all of it. */
  #compact(request: MessagesRequest, edit: Compact, model: OfflineModel) {
    const segments = promptSegments(request, model);
    const content = summaryOf(request, edit.instructions);
    const block = { type: 'compaction', content } as const;
    const sampling: Sampling = {
      inputTokens: segmentTokens(segments),
      cache: this.#cache.use(model, segments),
      outputTokens: textTokens(content, model),
    };
    return { block, sampling, shown: compactedTo(request, block) };
  }
}
