import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { toRequest } from '../../../../src/contextWindow/request/request';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import { rulesView } from '../../../../src/editor/contextPanel/rules/derive';
import { ruleAdded, rulesSwitched, ruleStruck } from '../../../../src/editor/session/rulesByHand';
import { foldNew, passThat, promptEvent, stepEvents } from '../../../support/drawing';

const BUDGET = { inputBudget: 185_664 };
const STARTED: NewEvent = {
  type: 'sessionStarted',
  version: 3,
  sessionId: 's',
  pinTaskAnchor: true,
  standingRules: true,
};
const SECOND = 'Look at the parser. Never change its exports.';
const EVENTS: readonly NewEvent[] = [
  STARTED,
  promptEvent('Fix the tests. Always use pnpm here.'),
  ...stepEvents([{ id: 'toolu_1', name: 'a.ts', tokens: 5 }]),
  promptEvent(SECOND),
  ...stepEvents([{ id: 'toolu_2', name: 'b.ts', tokens: 5 }]),
  promptEvent('Und jetzt bitte noch die Dokumentation ergänzen, aber kurz und ohne Bilder.'),
];

const placesOf = (window: ContextWindow) =>
  rulesView(window, BUDGET)?.list.map(({ text, place }) => `${text} ${place}`);

const userTexts = (window: ContextWindow) =>
  toRequest(window).messages.flatMap(({ role, content }) =>
    content.flatMap((part) => (role === 'user' && part.type === 'text' ? [part.text] : [])),
  );

describe('the list of standing rules', () => {
  it('is absent for an agent that keeps none', () => {
    expect(rulesView(foldNew(EVENTS.slice(1)), BUDGET)).toBeUndefined();
  });

  it('says where each rule is, before and after a pass', () => {
    const before = foldNew(EVENTS);
    expect(placesOf(before)).toEqual([
      'Always use pnpm here. prompt',
      'Never change its exports. prompt',
    ]);
    expect(rulesView(before, BUDGET)).toMatchObject({
      on: true,
      otherLanguages: [3],
      languages: ['English'],
      most: 3_713,
    });
    const after = foldNew([...EVENTS, passThat('evict', ['prompt-2'])]);
    expect(placesOf(after)).toEqual([
      'Always use pnpm here. prompt',
      'Never change its exports. block',
    ]);
    // One block after the task, in the user's voice.
    expect(userTexts(after).slice(0, 2)).toEqual([
      expect.stringMatching(/^<task_anchor/),
      expect.stringMatching(
        /^<standing_rules [^]*\n- Never change its exports\.\n<\/standing_rules>$/,
      ),
    ]);
  });

  it('has every rule in the request when the newest pass is undone after rules were switched on', () => {
    type Applied = Extract<NewEvent, { type: 'passApplied' }>;
    const second = passThat('evict', ['step-1']) as Applied;
    const window = foldNew([
      ...EVENTS,
      { type: 'standingRulesSet', on: false },
      passThat('evict', ['prompt-2']),
      { ...second, pass: { ...second.pass, number: 2 } },
      { type: 'standingRulesSet', on: true },
      { type: 'passUndone', number: 2 },
    ]);
    expect(placesOf(window)).toEqual([
      'Always use pnpm here. prompt',
      'Never change its exports. block',
    ]);
  });

  it('loses the rules of an undone prompt', () => {
    const undo = passThat('evict', []) as Extract<NewEvent, { type: 'passApplied' }>;
    const decision = { ...undo.pass, trigger: 'byHand' as const, undonePrompt: { turn: 2 } };
    const [made] = (passThat('evict', ['prompt-2']) as typeof undo).pass.decisions;
    const decisions = [{ ...made!, action: 'undoPrompt' as const, kind: 'prompt' as const }];
    const window = foldNew([
      ...EVENTS.slice(0, 5),
      { type: 'passApplied', pass: { ...decision, decisions } },
    ]);
    expect(placesOf(window)).toEqual(['Always use pnpm here. prompt']);
  });

  it('shows a rule in project memory as that, without a block of its own', () => {
    const text = 'Never change its exports.';
    const memory = [{ path: 'AGENTS.md', text, chars: text.length }];
    const window = foldNew([
      STARTED,
      { type: 'preambleSet', system: 'Help.', tools: [], memory },
      ...EVENTS.slice(1),
      passThat('evict', ['prompt-2']),
    ]);
    expect(placesOf(window)?.[1]).toBe('Never change its exports. memory');
    expect(userTexts(window).join()).not.toContain('<standing_rules');
  });
});

describe('a prompt that was truncated on arrival', () => {
  it('has the rules of the part left out at its end', () => {
    const filler = 'The harbour has many ships and each of them has a name.\n'.repeat(400);
    const text = `Read this log.\n${filler}Never sink a ship.\n${filler}And go on.`;
    const cut = { form: 'truncated', headChars: 200, tailChars: 100, capTokens: 1_000 } as const;
    const admission = { ...cut, tokensBefore: 10_000, tokensAfter: 900 };
    const submitted: NewEvent = { type: 'promptSubmitted', text, admission };
    const window = foldNew([...EVENTS, submitted]);
    expect(placesOf(window)?.[2]).toBe('Never sink a ship. prompt');
    expect(userTexts(window).at(-1)).toMatch(
      /And go on\.\n\[Of the part left out, these rules hold for all later work:\]\n- Never sink a ship\.$/,
    );
    const none = foldNew([{ ...STARTED, standingRules: false }, submitted]);
    expect(userTexts(none).join()).not.toContain('Of the part left out');
  });
});

describe('a change of the rules by hand', () => {
  const after = (change: ReturnType<typeof ruleAdded>): readonly NewEvent[] => {
    if (!change.ok || change.event === undefined) throw new Error('Nothing changed.');
    return [...EVENTS, change.event];
  };

  it('adds a rule with a note to the model, and the block has it once the note was removed', () => {
    const events = after(ruleAdded(foldNew(EVENTS), '  Sign  every commit. '));
    const window = foldNew(events);
    expect(placesOf(window)?.[2]).toBe('Sign every commit. note');
    expect(userTexts(window).at(-1)).toBe(
      '[The user adds a standing rule for all later work:]\nSign every commit.',
    );
    const later = foldNew([...events, passThat('evict', ['note-1'])]);
    expect(placesOf(later)?.[2]).toBe('Sign every commit. block');
  });

  it('strikes a rule: a note says so, and later the block, while a prompt still states it', () => {
    const events = after(ruleStruck(foldNew(EVENTS), 'Always use pnpm here.'));
    const window = foldNew(events);
    expect(placesOf(window)?.[0]).toBe('Always use pnpm here. struck');
    expect(userTexts(window).at(-1)).toBe(
      '[The user struck this standing rule. It no longer applies:]\nAlways use pnpm here.',
    );
    const later = foldNew([...events, passThat('evict', ['note-1'])]);
    expect(userTexts(later)[1]).toMatch(
      /\n\[The user struck these, so they no longer apply:\]\n- Always use pnpm here\.\n<\/standing_rules>$/,
    );
  });

  it('adds a struck rule again, as does a later prompt that states it', () => {
    const struck = after(ruleStruck(foldNew(EVENTS), 'Always use pnpm here.'));
    const again = ruleAdded(foldNew(struck), 'Always use pnpm here.');
    expect(again).toEqual({
      ok: true,
      event: { type: 'standingRuleAdded', text: 'Always use pnpm here.' },
    });
    const stated = foldNew([...struck, promptEvent('Always use pnpm here.')]);
    expect(placesOf(stated)?.[0]).toBe('Always use pnpm here. prompt');
  });

  it('is refused with a reason, or changes nothing', () => {
    const window = foldNew(EVENTS);
    const message = (change: ReturnType<typeof ruleAdded>) => (change.ok ? change : change.message);
    expect(message(ruleAdded(window, ' '))).toBe('A rule needs words. Nothing was added.');
    expect(message(ruleAdded(window, 'x'.repeat(301)))).toBe(
      'This rule has 301 characters, and a rule has at most 300. Nothing was added; shorten it, or split it into several.',
    );
    expect(message(ruleAdded(window, 'No </b> here'))).toBe(
      'A rule with </ cannot be sent verbatim. Nothing was added; write it without.',
    );
    expect(message(ruleAdded(window, 'Always use pnpm here.'))).toBe(
      'This rule is in the list already. Nothing was added.',
    );
    expect(message(ruleStruck(window, 'Dance.'))).toBe(
      'There is no such rule. Nothing was struck.',
    );
    expect(rulesSwitched(window, true)).toEqual({ ok: true });
    const struck = foldNew(after(ruleStruck(window, 'Always use pnpm here.')));
    expect(ruleStruck(struck, 'Always use pnpm here.')).toEqual({ ok: true });
  });

  it('turns all rules off from the next pass on, and on at once', () => {
    const evicted = [...EVENTS, passThat('evict', ['prompt-2'])];
    const off = [...evicted, { type: 'standingRulesSet', on: false } as const];
    expect(placesOf(foldNew(off))?.[1]).toBe('Never change its exports. off');
    expect(userTexts(foldNew(off)).join()).toContain('<standing_rules');
    const pass = passThat('evict', ['step-1']) as Extract<NewEvent, { type: 'passApplied' }>;
    const gone = [...off, { ...pass, pass: { ...pass.pass, number: 2 } }];
    expect(userTexts(foldNew(gone)).join()).not.toContain('<standing_rules');
    const on = foldNew([...gone, { type: 'standingRulesSet', on: true }]);
    expect(placesOf(on)?.[1]).toBe('Never change its exports. block');
  });
});
