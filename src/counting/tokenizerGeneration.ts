/** Which of Claude's tokenizers a model uses; `other` for models of other makers. */
export type TokenizerGeneration = 'claude4' | 'claude47' | 'other';

const CLAUDE = /claude-(?:opus|sonnet|haiku|fable|mythos)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/;

/** Claude models before version 4, whose ids name the version first. */
const CLAUDE_3 = /claude-(?:[23]|instant)/;

/**
 * Tells a model's tokenizer from its id.
 *
 * Opus 4.7 and the 5 series make about 30 % more tokens of one text than older models
 * (measured on recorded sessions). A Claude of unknown version counts as newest, because an
 * overestimate is the safer mistake.
 */
export function tokenizerGeneration(model: string): TokenizerGeneration {
  const version = CLAUDE.exec(model);
  if (version !== null) {
    const [, major = '0', minor = '0'] = version;
    return Number(major) * 100 + Number(minor) >= 407 ? 'claude47' : 'claude4';
  }
  if (CLAUDE_3.test(model)) return 'claude4';
  return model.includes('claude') ? 'claude47' : 'other';
}
