import { describe, expect, it } from 'vitest';
import type { OpeningView } from '../../../../src/editor/contextPanel/opening/state';
import { sampleContext } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const OPENING: OpeningView = {
  file: 'session.jsonl',
  format: 'claude-code',
  model: 'claude-sonnet-4-5',
  steps: 1_204,
  compactions: 1,
  recordedTokens: 141_200,
  cost: '$12.40',
  task: 'Mend the parser.',
  newest: [
    { step: 1_204, label: 'read_file a.ts', tools: ['read_file'], callKinds: ['read'] },
    { step: 1_203, label: 'Done.', tools: [], callKinds: [] },
  ],
  share: 0.417,
};

describe('a recording that is being opened', () => {
  it('takes the place of the session until it is shown', () => {
    const { root, tell, one, all } = drawPanel(sampleContext());
    tell({ type: 'recordingOpening', opening: OPENING });
    const text = one('opening').textContent;
    for (const words of [
      'session.jsonl',
      "Its last request held 141,200 tokens by its server's count.",
      '1,204 steps, 1 compaction, $12.40.',
      'Replaying: 41\u00a0%',
      'Mend the parser.',
    ])
      expect(text).toContain(words);
    expect(all('opening-step').map(({ textContent }) => textContent)).toEqual([
      '1,204 Read a.ts',
      '1,203 Done.',
    ]);
    expect(root.querySelectorAll('[data-testid="source-bar"], .block')).toHaveLength(0);
    tell({ type: 'recordingOpening', opening: undefined });
    expect(all('opening')).toHaveLength(0);
    expect(root.querySelectorAll('.block').length).toBeGreaterThan(0);
  });

  it('says what the file does not', () => {
    const { tell, one } = drawPanel();
    const { recordedTokens: _, ...unknown } = OPENING;
    tell({ type: 'recordingOpening', opening: { ...unknown, compactions: 0 } });
    expect(one('opening-request').textContent).toBe(
      'The file does not say how many tokens its requests held.',
    );
    expect(one('opening-session').textContent).toBe('1,204 steps, $12.40.');
  });

  it('can be cancelled', () => {
    const { tell, one, click, wishes } = drawPanel();
    tell({ type: 'recordingOpening', opening: OPENING });
    click(one('stop-opening'));
    expect(wishes).toEqual([{ type: 'stopOpening' }]);
  });
});
