import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { standingRulesOf } from '../../src/contextWindow/standingRules/standingRules';
import { toRequest } from '../../src/contextWindow/request/request';
import { handoverTitle } from '../../src/sessions/sessionTitle';
import { readSessionLog } from '../../src/sessions/readSessionLog';
import { says, scriptedAgent, steps } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';
import { HOURS, registryScene } from './support/registryScene';
import { callsTools, finished, prompt } from './support/sampleEvents';

const SUMMARY = { text: 'The mast is mended.', writtenBy: { by: 'model', model: 'm' } } as const;
const SCRATCHPAD = {
  objective: 'Mend the mast',
  keyFacts: ['oak'],
  decisions: [],
  currentStep: 'varnish',
  blockers: [],
};

/** A session with a task and two steps that was handed over. */
function handedOver(summary: typeof SUMMARY | undefined = SUMMARY) {
  const scene = registryScene(tempFolder(), { ttlMs: HOURS(24) });
  const { session: old, file } = scene.registry.start(true);
  for (const event of [prompt('Mend the mast.'), callsTools('a'), finished('a')]) old.append(event);
  old.append({ type: 'scratchpadUpdated', scratchpad: SCRATCHPAD });
  const result = scene.registry.handOver(old, summary);
  if (!result.ok) throw new Error(result.message);
  return { ...scene, old, oldFile: file, begun: result.session, begunFile: result.file };
}

function eventsIn(file: string): readonly SessionEvent[] {
  const read = readSessionLog(file);
  if (!read.ok) throw new Error(read.message);
  return read.events;
}

describe('a session that is handed over', () => {
  it('names its successor in its log, and is named by it', () => {
    const { oldFile, begunFile, begun, old } = handedOver();
    expect(eventsIn(begunFile)[0]).toMatchObject({
      type: 'sessionStarted',
      sessionId: 'id-2',
      handedOverFrom: { sessionId: 'id-1', title: 'Mend the mast.' },
    });
    expect(eventsIn(oldFile).at(-1)).toMatchObject({
      type: 'handedOver',
      to: { sessionId: 'id-2', title: 'Mend the mast. (continued)' },
    });
    expect(begun.window.handedOverFrom?.sessionId).toBe('id-1');
    expect(old.window.handedOverTo?.map(({ sessionId }) => sessionId)).toEqual(['id-2']);
    expect(fold(eventsIn(begunFile))).toEqual(begun.window);
  });

  it('gives its successor the task, the summary and the notes, in this order', () => {
    const { begun } = handedOver();
    const { messages } = toRequest(begun.window);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(JSON.stringify(messages[0])).toMatch(/<task_anchor .*Mend the mast\./);
    const own = messages[1]!.content.map((part) => (part.type === 'text' ? part.text : ''));
    expect(own).toEqual([
      '[Summary of the session "Mend the mast.", which this session continues]\nThe mast is mended.',
      '[Scratchpad at the end of that session]\nObjective: Mend the mast\nKey facts:\n- oak\nCurrent step: varnish',
    ]);
    expect(begun.window.scratchpad).toEqual(SCRATCHPAD);
    // The user did not change the scratchpad, so there is nothing to undo.
    expect(begun.window.scratchpadChange).toBeUndefined();
  });

  it('gives its successor the standing rules of its other prompts, and strikes those of the task again', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(24) });
    const { session: old } = scene.registry.start(true, true);
    old.append(prompt('Mend the mast. Never use nails. Always use oak.'));
    old.append(prompt('And the boom. Never paint it.'));
    old.append({ type: 'standingRuleStruck', text: 'Always use oak.' });
    const result = scene.registry.handOver(old, SUMMARY);
    if (!result.ok) throw new Error(result.message);
    const rules = standingRulesOf(result.session.window);
    expect(rules.map(({ text, place }) => [text, place])).toEqual([
      ['Never use nails.', 'prompt'],
      ['Always use oak.', 'struck'],
      ['Never paint it.', 'block'],
    ]);
    expect(JSON.stringify(toRequest(result.session.window))).toContain('- Never paint it.');
  });

  it('keeps a truncated task truncated, and an unpinned one unpinned', () => {
    const scene = registryScene(tempFolder());
    const { session: old } = scene.registry.start(true);
    const admission = {
      form: 'truncated',
      headChars: 3,
      tailChars: 2,
      tokensBefore: 90,
      tokensAfter: 9,
      capTokens: 10,
    } as const;
    old.append({ type: 'promptSubmitted', text: 'A very long task', admission });
    old.append({ type: 'blockUnpinned', blockId: old.window.blocks.at(0)!.id });
    const result = scene.registry.handOver(old, undefined);
    expect(result.ok && result.session.window.blocks.toArray()).toMatchObject([
      { kind: 'anchor', text: 'A very long task', admission, state: 'truncated', pinned: false },
    ]);
  });

  it('is accepted by the API with its first prompt, which is the last instruction', async () => {
    const { begun } = handedOver();
    const agent = scriptedAgent({ script: [says('On it.')], events: begun.events });
    expect(await agent.run('Go on.')).toEqual({ type: 'finished' });
    const { messages } = agent.requests[0]!;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const [last] = messages.at(-1)!.content;
    expect(last).toMatchObject({ type: 'text', text: 'Go on.' });
    expect(agent.session.window.turn).toBe(2);
  });

  it('continues like any other: passes run, task and summary stay, and the notes are shown once', async () => {
    const { begun } = handedOver();
    const agent = scriptedAgent({
      script: steps(90, 900),
      events: begun.events,
    });
    expect(await agent.run('Go on.')).toEqual({ type: 'finished' });
    const { window } = agent.session;
    expect(window.ledger.length).toBeGreaterThan(1);
    for (const { messages } of agent.requests) {
      expect(JSON.stringify(messages[0])).toContain('Mend the mast.');
    }
    // The pass shows the scratchpad itself.
    expect(window.shownScratchpad).toContain('Mend the mast');
    const note = window.blocks.find((block) => block.id === 'note-2');
    expect(note).toMatchObject({ kind: 'note', source: { from: 'scratchpad' } });
    expect(note?.state).toBe('evicted');
    // A short one frees nothing: it stays.
    expect(JSON.stringify(agent.requests.at(-1)!.messages).includes(SUMMARY.text)).toBe(true);
  });

  it('can be handed over again, and so can its successor', () => {
    const { old, begun, registry } = handedOver();
    registry.handOver(old, SUMMARY);
    const next = registry.handOver(begun, undefined);
    expect(old.window.handedOverTo).toHaveLength(2);
    expect(next.ok && next.session.window.handedOverFrom?.title).toBe('Mend the mast. (continued)');
    const begunWith = next.ok ? next.session.window.state['title'] : '';
    expect(begunWith).toBe('Mend the mast. (continued 2)');
  });

  it('is refused without a task', () => {
    const scene = registryScene(tempFolder());
    const { session } = scene.registry.start(true);
    expect(scene.registry.handOver(session, undefined)).toMatchObject({
      ok: false,
      message: 'The session has no task to hand over yet.',
    });
  });

  it('is listed with its link, also from the index, and the link does not count as use', async () => {
    const scene = handedOver();
    const { registry, old } = scene;
    const usedAt = (await registry.list()).find(({ sessionId }) => sessionId === 'id-1')!.usedAt;
    scene.pass(1);
    old.append({ type: 'sessionSummarised', ...SUMMARY });
    for (let again = 0; again < 2; again++) {
      const list = await registry.list();
      expect(list.find(({ sessionId }) => sessionId === 'id-1')).toMatchObject({
        handedOverTo: { sessionId: 'id-2', title: 'Mend the mast. (continued)' },
        usedAt,
      });
      expect(list.find(({ sessionId }) => sessionId === 'id-2')).toMatchObject({
        handedOverFrom: { sessionId: 'id-1', title: 'Mend the mast.' },
      });
    }
  });

  it('is found by its id until it is deleted', () => {
    const { registry, oldFile } = handedOver();
    expect(registry.fileOf('id-1')).toBe(oldFile);
    registry.delete(oldFile);
    expect(registry.fileOf('id-1')).toBeUndefined();
    expect(registry.fileOf('')).toBeUndefined();
  });
});

describe('the title of a session that continues another', () => {
  it.each([
    ['Mend', 'Mend (continued)'],
    ['Mend (continued)', 'Mend (continued 2)'],
    ['Mend (continued 9)', 'Mend (continued 10)'],
    ['x'.repeat(60), `${'x'.repeat(47)}… (continued)`],
  ])('of %s is %s', (title, continued) => {
    expect(handoverTitle(title)).toBe(continued);
  });
});

it('a session that continues no other has no handover in its log or window', () => {
  const scene = registryScene(tempFolder());
  const { session, file } = scene.registry.start(true);
  session.append(prompt('task'));
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('handedOver');
  expect(session.window.handedOverFrom).toBeUndefined();
});
