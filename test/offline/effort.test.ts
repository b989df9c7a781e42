import { describe, expect, it } from 'vitest';
import { answer, refused, useDouble } from './rules';
import { haiku45, opus } from './double';

useDouble();

const effort = (level: string) => ({ output_config: { effort: level } });
const enabled = (budget_tokens: number) => ({
  model: haiku45,
  max_tokens: 4_096,
  thinking: { type: 'enabled', budget_tokens },
});

describe('effort', () => {
  it.each(['low', 'medium', 'high', 'xhigh', 'max'])('may be %s', async (level) => {
    expect(await answer(effort(level))).toBe('accepted');
  });

  it('of another name is rejected', async () => {
    expect(await answer(effort('huge'))).toContain('output_config.effort');
  });

  it('is rejected for a model without it', async () => {
    expect(await answer({ model: haiku45, ...effort('low') })).toBe(
      refused('output_config.effort: "low" is not supported for this model.'),
    );
  });

  it('above the default is rejected with thinking off', async () => {
    const off = { thinking: { type: 'disabled' } };
    expect(await answer({ ...off, ...effort('max') })).toBe(
      refused('output_config.effort: "max" is not supported with thinking disabled.'),
    );
    expect(await answer({ ...off, ...effort('high') })).toBe('accepted');
  });
});

describe('a budget of thinking', () => {
  it('is at least 1,024 tokens and below max_tokens', async () => {
    expect(await answer(enabled(1_023))).toContain('budget_tokens');
    expect(await answer(enabled(1_024))).toBe('accepted');
    expect(await answer(enabled(4_095))).toBe('accepted');
    expect(await answer(enabled(4_096))).toBe(
      refused('`max_tokens` must be greater than `thinking.budget_tokens`.'),
    );
  });

  it('is rejected by a model that decides for itself, and adaptive by one that does not', async () => {
    expect(await answer({ ...enabled(1_024), model: opus })).toContain('thinking.type.enabled');
    expect(await answer({ model: haiku45, thinking: { type: 'adaptive' } })).toContain(
      'thinking.type.adaptive',
    );
  });
});
