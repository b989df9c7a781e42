import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateAll } from '../../../../src/contextWindow/account/guesses';
import { measure, textsOf } from '../../../../src/contextWindow/account/measure';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import { applyEvent, EMPTY_WINDOW } from '../../../../src/contextWindow/fold';
import { windowAfter } from '../../../../src/contextWindow/passes/movement';
import { POLICY_NAMES } from '../../../../src/contextWindow/plan';
import type { BlockMoves, MoveView } from '../../../../src/editor/contextPanel/blocks/state';
import {
  anchorChange,
  ChangesByHand,
  pinChange,
  undoChange,
  type WindowChange,
} from '../../../../src/editor/session/changesByHand';
import { leftByUndo, undoAllByHand } from '../../../../src/editor/session/undoAllByHand';
import { countHere } from '../../../../src/model/rawTokens';
import { CachedEstimator } from '../../../../src/model/workerEstimator';
import { playedSession, recordedSessions } from '../../../support/claudeCodeTranscript';
import { COUNTED_SHARE, estimate } from '../../../support/player';
import { actions, playSmall, settingsOf, type Action } from '../../../support/randomSession';
import { runs } from '../../../support/runs';
import { agentSettings, inspecting, lookedAt, validWith } from '../support/inspecting';

/** Every session has an estimator that knows no text yet, and no text is tokenized twice. */
const COUNTS = new Map<string, number>();

async function countOnce(texts: readonly string[]): Promise<readonly number[]> {
  const unknown = texts.filter((text) => !COUNTS.has(text));
  const counts = await countHere(unknown);
  unknown.forEach((text, at) => COUNTS.set(text, counts[at]!));
  return texts.map((text) => COUNTS.get(text)!);
}

const LARGE = validWith({ windowTokens: 2_000_000 });

/** A session as the user's wishes change it, with an estimator that tokenizes texts. */
class Steered {
  readonly byHand = new ChangesByHand(this.#changed());

  constructor(
    public window: ContextWindow,
    readonly valid = LARGE,
    readonly estimator = new CachedEstimator('claude-sonnet-5', countOnce),
  ) {}

  /** What the bar shows: the window is measured once its texts are tokenized. */
  async used(): Promise<number> {
    await this.estimator.warm(textsOf(this.window));
    return measure(this.window, this.estimator.estimate).used.tokens;
  }

  /** The numbers on the buttons of these blocks. */
  async shown(ids: readonly string[]) {
    await this.used();
    const { inspection } = inspecting(
      () => lookedAt({ events: [], window: this.window }, this.valid),
      this.estimator.estimate,
      undefined,
      (texts) => this.estimator.warm(texts),
    );
    inspection.watch(ids);
    inspection.view();
    // As the panel does with each picture: once a long text is counted, another part of it is shown.
    for (let rounds = 0; inspection.isCounting && rounds < 5; rounds += 1) {
      await inspection.countMoves();
      inspection.view();
    }
    return inspection.view();
  }

  edit(change: (window: ContextWindow) => WindowChange): string | undefined {
    const made = change(this.window);
    if (!made.ok) return made.message;
    if (made.event !== undefined) this.window = windowAfter(this.window, [made.event]);
    return undefined;
  }

  /** Presses a button. */
  press(button: keyof BlockMoves, id: string): Promise<string | undefined> {
    switch (button) {
      case 'restore':
      case 'recall':
      case 'exclude':
      case 'clear':
        return this.byHand.change(button, id);
      case 'pin':
      case 'unpin':
        return Promise.resolve(this.edit((window) => pinChange(window, id, button === 'pin')));
      case 'task':
        return Promise.resolve(this.edit((window) => anchorChange(window, id)));
    }
  }

  #changed() {
    const steered = () => this;
    return {
      get pricing() {
        const { valid, estimator } = steered();
        return { settings: agentSettings(valid), estimator };
      },
      get window() {
        return steered().window;
      },
      events: [],
      edit: (change: (window: ContextWindow) => WindowChange) => this.edit(change),
    };
  }
}

/** Presses every button of these blocks and undoes passes, each in the same window, and compares. */
async function expectAsShown(
  window: ContextWindow,
  ids: readonly string[],
  passes = Infinity,
): Promise<number> {
  const shown = new Steered(window);
  const { moves, undoMoves } = await shown.shown(ids);
  const pressed = async (press: (steered: Steered) => Promise<string | undefined>) => {
    // A long text is cut by estimates, so the shown number holds for the same estimates only.
    const steered = new Steered(window, LARGE, shown.estimator);
    const before = await steered.used();
    const whyNot = await press(steered);
    return whyNot === undefined ? { tokens: (await steered.used()) - before } : { whyNot };
  };
  const numberOf = (move: MoveView) => ('whyNot' in move ? move : { tokens: move.tokens });
  let tried = 0;
  for (const id of ids) {
    for (const [button, move] of Object.entries(moves[id]!)) {
      const done = await pressed((steered) => steered.press(button as keyof BlockMoves, id));
      expect([id, button, done]).toEqual([id, button, numberOf(move)]);
      tried += 1;
    }
  }
  for (const [number, move] of Object.entries(undoMoves).slice(-passes)) {
    const done = await pressed(async (steered) =>
      steered.edit((now) => undoChange(now, Number(number))),
    );
    expect(['undo', number, done]).toEqual(['undo', number, numberOf(move)]);
    tried += 1;
  }
  return tried;
}

const sessions = fc
  .tuple(actions, settingsOf, fc.constantFrom(...POLICY_NAMES))
  .map(([script, settings, policy]) => playSmall(script, policy, settings).window);

/** The soak takes every recording, `npm test` every second one. */
const RECORDED = [...recordedSessions('claude-code'), ...recordedSessions('claude-code-2')].filter(
  (_, at) => at % runs(2, 1) === 0,
);

/** Numbers on buttons are checked for this many blocks of a recording; in the soak for all. */
const BLOCKS = runs(1, Infinity);

/**
 * The window of a recording whose requests were counted with another tokenizer, as after each pass
 * and now and then in between.
 */
function countedWindow(file: string): ContextWindow {
  const { events } = playedSession(file);
  let window = EMPTY_WINDOW;
  for (const event of events) {
    window = applyEvent(window, event);
    const isCounted =
      event.type === 'passApplied' || (event.type === 'replyReceived' && event.step % 20 === 0);
    if (!isCounted) continue;
    const tokens = Math.ceil(estimateAll(window, estimate) * COUNTED_SHARE);
    window = windowAfter(window, [{ type: 'windowCounted', tokens, source: 'countTokens' }]);
  }
  return window;
}

describe('the number on a button', () => {
  it('is what the window moves by, for every block of random sessions (I15)', async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(sessions, async (window) => {
        tried += await expectAsShown(
          window,
          window.blocks.map(({ id }) => id),
        );
      }),
      { numRuns: runs(5, 100) },
    );
    expect(tried).toBeGreaterThan(50);
  });

  it.skipIf(RECORDED.length === 0)(
    'is what the window moves by, for blocks of recordings (I15)',
    async () => {
      let tried = 0;
      for (const [index, file] of RECORDED.entries()) {
        const window = countedWindow(file);
        const { length } = window.blocks;
        const every = Math.max(1, Math.floor(length / BLOCKS));
        const ids = window.blocks
          .toArray()
          .filter((_, at) => at % every === (index * 5) % every)
          .map(({ id }) => id);
        tried += await expectAsShown(window, ids, runs(1, Infinity));
      }
      expect(tried).toBeGreaterThan(30);
    },
    runs(120_000, 3_600_000),
  );

  it('counts an official count made with another estimate', async () => {
    const { window } = playSmall(
      Array.from({ length: 12 }, (): Action => ({
        type: 'step',
        text: true,
        thinking: false,
        counted: true,
        results: [{ chars: 4_000, isError: false }],
      })).toSpliced(0, 0, { type: 'prompt', chars: 100 }),
      'ladder',
      { ...SETTINGS },
    );
    const out = window.blocks.filter(({ state }) => state !== 'whole').map(({ id }) => id);
    expect(out.length).toBeGreaterThan(3);
    await expectAsShown(window, out);
  });
});

const SETTINGS = {
  summaries: true,
  maxMessages: 20,
  keepTurns: 2,
  keepRecentTurns: 0,
  maxHistoryTurns: 0,
};

describe('Undo all my changes', () => {
  const BUTTONS = ['exclude', 'clear', 'restore', 'pin', 'unpin', 'task'] as const;

  it('gives back the same tokens, to the token (I15)', async () => {
    let undone = 0;
    const thoughtless = sessionsWithout(({ type }) => type === 'byHand');
    const presses = fc.array(fc.tuple(fc.constantFrom(...BUTTONS), fc.nat(200)), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(thoughtless, presses, async (window, pressed) => {
        // A first change shows the current scratchpad, and its undo shows the former one again.
        const steered = new Steered(window);
        const before = await steered.used();
        for (const [button, which] of pressed) {
          const { blocks } = steered.window;
          await steered.press(button, blocks.at(which % blocks.length)!.id);
          await steered.used();
        }
        const { undoAll } = await steered.shown([]);
        const all = undoAllByHand(steered.window);
        expect(undoAll?.changes ?? 0).toBe(all.changes);
        const now = await steered.used();
        for (const event of all.events) steered.edit(() => ({ ok: true, event }));
        const after = await steered.used();
        if (undoAll !== undefined) expect(undoAll.move).toMatchObject({ tokens: after - now });
        if (all.whyNot.length > 0) return;
        expect([pressed, after]).toEqual([pressed, before]);
        expect(undoAllByHand(steered.window).changes).toBe(0);
        undone += all.events.length;
      }),
      { numRuns: runs(15, 300) },
    );
    expect(undone).toBeGreaterThan(5);
  });

  it('counts no change that the undo of a later one took back', () => {
    const step: Action = { type: 'step', text: true, thinking: false, counted: true, results: [] };
    const prompt: Action = { type: 'prompt', chars: 100 };
    const { window } = playSmall([prompt, step, prompt, step], 'ladder', SETTINGS);
    const steered = new Steered(window);
    steered.edit((now) => pinChange(now, 'prompt-1', false));
    steered.edit((now) => pinChange(now, 'prompt-2', true));
    steered.edit((now) => anchorChange(now, 'prompt-2'));
    const { events, changes, whyNot } = undoAllByHand(steered.window);
    expect([events.length, changes, whyNot]).toEqual([2, 2, []]);
    for (const event of events) steered.edit(() => ({ ok: true, event }));
    expect(undoAllByHand(steered.window)).toMatchObject({ events: [], changes: 0 });
    const pinned = (now: ContextWindow) => now.blocks.map(({ id, pinned }) => [id, pinned]);
    expect(pinned(steered.window)).toEqual(pinned(window));
  });

  it('says which changes stay, and why', async () => {
    expect(leftByUndo({ events: [], changes: 0, whyNot: [] })).toBe(
      'There is no change of yours to undo.',
    );
    expect(leftByUndo({ events: [], changes: 3, whyNot: ['Undo pass 2 first.'] })).toBe(
      '1 of your 3 changes stays. Undo pass 2 first.',
    );
  });
});

/** Random sessions without thinking, which never returns, and without some actions. */
function sessionsWithout(isLeftOut: (action: Action) => boolean) {
  return fc
    .tuple(actions, settingsOf, fc.constantFrom(...POLICY_NAMES))
    .map(([script, settings, policy]) => {
      const acts = script
        .filter(
          (act) => !isLeftOut(act) && !['pin', 'unpin', 'anchor', 'choose'].includes(act.type),
        )
        .map((act): Action => (act.type === 'step' ? { ...act, thinking: false } : act));
      return playSmall(acts, policy, settings).window;
    });
}
