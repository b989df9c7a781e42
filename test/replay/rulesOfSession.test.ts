import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/contextWindow/event';
import { rulesText, standingRulesOf } from '../../src/contextWindow/standingRules/standingRules';
import { transcriptOfSession } from '../../src/recordings/plimsoll';
import { dated, promptEvent, stepEvents } from '../support/drawing';
import { replayedTranscript, settingsOf } from './support/replayed';

const started = {
  type: 'sessionStarted',
  version: 3,
  sessionId: 's',
  pinTaskAnchor: true,
} as const;
const answered = stepEvents([], 'Done.');
const strike = (text: string): NewEvent => ({ type: 'standingRuleStruck', text });
const switched = (on: boolean): NewEvent => ({ type: 'standingRulesSet', on });

const RULES = [
  promptEvent('Mend the parser.'),
  ...answered,
  promptEvent('Never change its exports. Always use pnpm here.'),
  ...answered,
];

/** Replays a session under a policy that evicts every turn but the newest. */
async function replayedSession(start: object, ...events: readonly NewEvent[]) {
  const log = dated([{ ...started, ...start }, ...events, promptEvent('Go on.'), ...answered]);
  const transcript = transcriptOfSession({ events: log, notes: [] });
  const { settings, ...rest } = settingsOf('lastTurns', 10_000);
  const played = await replayedTranscript(transcript, {
    ...rest,
    settings: { ...settings, keepTurns: 1 },
  });
  const block = rulesText(played.window).split('\n').slice(1, -1);
  return { ...played, block, kept: played.totals.rulesKept };
}

describe('the replay of a session', () => {
  it('keeps the rules of its prompts', async () => {
    const { block, kept } = await replayedSession({ standingRules: true }, ...RULES);
    expect(block).toEqual(['- Never change its exports.', '- Always use pnpm here.']);
    expect(kept).toEqual({ visible: 4, total: 4 });
  });

  it('keeps no rule that the user struck', async () => {
    const events = [...RULES, strike('Never change its exports.')];
    const { block, kept } = await replayedSession({ standingRules: true }, ...events);
    expect(block).toEqual(['- Always use pnpm here.']);
    expect(kept).toEqual({ visible: 3, total: 3 });
  });

  it('keeps no rule that the user struck after the last reply, and one that they added then', async () => {
    const added: NewEvent = { type: 'standingRuleAdded', text: 'Always run the tests.' };
    const log = dated([
      { ...started, standingRules: true },
      ...RULES,
      promptEvent('Go on.'),
      ...answered,
      strike('Never change its exports.'),
      added,
    ]);
    const transcript = transcriptOfSession({ events: log, notes: [] });
    const { window } = await replayedTranscript(transcript, settingsOf('ladder', 10_000));
    const active = standingRulesOf(window).filter(({ place }) => place !== 'struck');
    expect(active.map(({ text }) => text)).toEqual([
      'Always use pnpm here.',
      'Always run the tests.',
    ]);
  });

  it('keeps a struck rule that a later prompt states again', async () => {
    const { block } = await replayedSession(
      { standingRules: true },
      ...RULES,
      strike('Never change its exports.'),
      promptEvent('It matters again. Never change its exports.'),
      ...answered,
    );
    expect(block).toContain('- Never change its exports.');
  });

  it('keeps a rule that the user added, and one of the session that handed over', async () => {
    const given: NewEvent = { type: 'standingRuleAdded', text: 'Only edit src.', given: true };
    const added: NewEvent = { type: 'standingRuleAdded', text: 'Always run the tests.' };
    const { window, kept } = await replayedSession(
      { standingRules: true },
      given,
      ...RULES,
      added,
      promptEvent('And the docs.'),
      ...answered,
    );
    expect(standingRulesOf(window).map(({ text, place }) => [text, place])).toEqual([
      ['Never change its exports.', 'block'],
      ['Always use pnpm here.', 'block'],
      ['Only edit src.', 'block'],
      ['Always run the tests.', 'block'],
    ]);
    expect(kept.visible).toBe(kept.total);
  });

  it('keeps no rule while the user had switched them off', async () => {
    const off = await replayedSession({ standingRules: false }, ...RULES);
    expect([off.block, off.kept]).toEqual([[], { visible: 0, total: 0 }]);
    const switchedOff = await replayedSession({ standingRules: true }, ...RULES, switched(false));
    expect(switchedOff.block).toEqual([]);
    const both = [switched(false), promptEvent('And the docs.'), ...answered, switched(true)];
    const on = await replayedSession({ standingRules: true }, ...RULES, ...both);
    expect(on.block).toEqual(['- Never change its exports.', '- Always use pnpm here.']);
  });

  it('finds no rule in the prompt of a sub-agent, which is not the user', async () => {
    const { block, kept } = await replayedSession(
      { standingRules: true, subAgent: 'Tests' },
      ...RULES,
    );
    expect([block, kept]).toEqual([[], { visible: 0, total: 0 }]);
  });
});
