import { describe, expect, it } from 'vitest';
import { playedSession, recordedSessions } from '../support/claudeCodeTranscript';
import { INVARIANTS } from '../support/windowInvariants';

const RECORDED = recordedSessions('claude-code');

describe.skipIf(RECORDED.length === 0)('invariants over real transcripts', () => {
  it.each(RECORDED)('%s', (name) => {
    for (const check of Object.values(INVARIANTS)) check(playedSession(name));
  });

  it('the long ones run passes', () => {
    const longest = RECORDED.find((name) => name.includes('983msg'))!;
    expect(playedSession(longest).window.ledger.length).toBeGreaterThan(3);
  });
});
