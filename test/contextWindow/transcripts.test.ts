import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeBudget } from '../../src/contextWindow/budget';
import { playTranscript } from '../support/claudeCodeTranscript';
import { Player } from '../support/player';
import { INVARIANTS } from '../support/windowInvariants';

const FOLDER = resolve(__dirname, '../../../shared/transcripts/claude-code');
const RECORDED = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.jsonl') && !name.includes('subagents'),
    )
  : [];

if (RECORDED.length === 0) console.log(`Skipped: no recorded transcripts in ${FOLDER}.`);

function played(name: string): Player {
  const budget = makeBudget({
    contextWindowTokens: 60_000,
    maxReplyTokens: 4_096,
    safetyHeadroomTokens: 1_024,
    toolResultHeadroomTokens: 2_048,
    highWatermark: 0.8,
    lowWatermark: 0.5,
  });
  if (!budget.ok) throw new Error('The budget of this test is wrong.');
  const player = new Player(budget.budget);
  playTranscript(player, join(FOLDER, name), 6_000);
  return player;
}

describe.skipIf(RECORDED.length === 0)('invariants over real transcripts', () => {
  it.each(RECORDED)('%s', (name) => {
    const player = played(name);
    for (const check of Object.values(INVARIANTS)) check(player);
  });

  it('the long ones run passes', () => {
    const longest = RECORDED.find((name) => name.includes('983msg'))!;
    expect(played(longest).window.ledger.length).toBeGreaterThan(3);
  });
});
