import { describe, expect, it } from 'vitest';
import { runningSession } from '../../../src/editor/recordings/runningSession';
import type { FoundSession } from '../../../src/recordings/lens/foundSession';

const SESSION: FoundSession = {
  agent: 'claude-code',
  id: 'a',
  file: '/a.jsonl',
  folder: '/work',
  title: 'Mend the parser',
  usedAt: 0,
  model: 'claude-sonnet-4-5',
  tokens: 142_103,
  windowTokens: undefined,
  compactions: 0,
  isRunning: true,
  inner: [],
};

describe('the status bar item of a running session', () => {
  it('has tokens and window in thousands, a window from a table marked', () => {
    expect(runningSession(SESSION)).toEqual({
      text: '$(pulse) Claude Code 142k / ≈ 200k',
      tooltip: [
        'Claude Code: Mend the parser',
        "142,103 tokens in its newest request and reply, by its server's count",
        'Context window ≈ 200,000 (from the table of known models)',
        '',
        'Click to see its window',
      ].join('\n'),
    });
  });

  it('has the window that the file names, without a mark', () => {
    const codex = { ...SESSION, agent: 'codex' as const, tokens: 900, windowTokens: 258_400 };
    expect(runningSession(codex)?.text).toBe('$(pulse) Codex 900 / 258k');
    expect(runningSession(codex)?.tooltip).toContain('Context window 258,400 (from its file)');
  });

  it('does not exist before the first count', () => {
    expect(runningSession({ ...SESSION, tokens: undefined })).toBeUndefined();
  });
});
