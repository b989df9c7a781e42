import { rungGains } from '../../src/contextWindow/passes/rungGains';
import { describe, expect, it } from 'vitest';
import { isInWindow } from '../../src/contextWindow/block';
import { fold } from '../../src/contextWindow/log/fold';
import { timelineOf } from '../../src/contextWindow/log/timeline';
import { reportOf } from '../../src/replay/report';
import type { ReplayPolicy } from '../../src/replay/replaySettings';
import { jsonl, transcriptOf } from '../sessions/importers/support/drawnTranscript';
import { filler } from './support/recording';
import { replayedTranscript, settingsOf, type Played } from './support/replayed';

let clock = 0;

/** One line of a Claude Code session; each a second after the one before. */
function line(type: 'user' | 'assistant', content: unknown, more: object = {}): object {
  clock += 1;
  const timestamp = new Date(clock * 1_000).toISOString();
  const { message, ...rest } = more as { readonly message?: object };
  return { type, timestamp, message: { role: type, content, ...message }, ...rest };
}

const asked = (text: string) => line('user', text);
const said = (text: string, id: string) =>
  line('assistant', [{ type: 'text', text }], { message: { id, model: 'claude-opus-4-5' } });
const read = (id: string, result = 'text') => [
  line('assistant', [{ type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } }], {
    message: {
      id: `m-${id}`,
      model: 'claude-opus-4-5',
      usage: { input_tokens: 100, output_tokens: 5 },
    },
  }),
  line('user', [{ type: 'tool_result', tool_use_id: id, content: result }]),
];
const summed = (text: string) => [
  { type: 'system', subtype: 'compact_boundary' },
  line('user', text, { isCompactSummary: true }),
];
const bare = { type: 'system', subtype: 'compact_boundary' };
const cleared = (...ids: string[]) => ({
  type: 'system',
  subtype: 'microcompact_boundary',
  microcompactMetadata: { compactedToolIds: ids },
});

function played(lines: readonly unknown[], policy: ReplayPolicy = 'recorded', inputBudget = 9_000) {
  const transcript = transcriptOf(jsonl(...lines.flat()), 'claude-code');
  return replayedTranscript(transcript, settingsOf(policy, inputBudget));
}

const inWindow = ({ window }: Played) => window.blocks.filter(isInWindow).map(({ id }) => id);

/** The last request, one message a line: who, and the first words of each part. */
function lastRequest({ requests }: Played): readonly string[] {
  return requests.at(-1)!.messages.map(({ role, content }) => {
    const words = content.map((part) => {
      if (part.type === 'text') return part.text.split('\n').at(-1);
      if (part.type === 'tool_use') return part.id;
      return part.type === 'tool_result' ? `=${String(part.content).slice(0, 16)}` : part.type;
    });
    return `${role} ${words.join(' | ')}`;
  });
}

describe('the recorded policy', () => {
  it('puts the summary of the recorded agent in the place of everything before it', async () => {
    const done = await played([
      asked('Go'),
      ...read('t1'),
      said('Done.', 'm2'),
      ...summed('We read t1.'),
      asked('And now?'),
      said('Nothing.', 'm3'),
    ]);
    expect(lastRequest(done)).toEqual([
      'user [The earlier part of this session has left the context window.]',
      'assistant We read t1.',
      'user And now?',
    ]);
    expect(done.passes).toMatchObject([{ trigger: 'recorded', policy: 'recorded', beforeStep: 3 }]);
    expect(done.passes[0]?.summaries[0]?.writtenBy).toEqual({
      by: 'model',
      model: 'claude-opus-4-5',
    });
    expect(done.passes[0]?.decisions[0]?.reason).toBe(
      'The recorded agent replaced it by a summary written by claude-opus-4-5',
    );
    expect(done.totals).toMatchObject({ invalid: 0, anchorMissing: 0 });
  });

  it('leaves what the model is to answer, which no request can do without', async () => {
    const done = await played([
      asked('Go'),
      ...read('t1'),
      ...read('t2'),
      ...summed('We read t1.'),
      said('Done.', 'm3'),
    ]);
    expect(lastRequest(done)).toEqual([
      'user [The earlier part of this session has left the context window.]',
      'assistant We read t1. | t2',
      'user =text',
    ]);
    expect(done.passes[0]?.decisions.at(-1)).toMatchObject({
      action: 'keep',
      rule: 'keep:recorded',
    });
    expect(done.totals.invalid).toBe(0);
    const unread = await played([
      asked('Go'),
      said('What?', 'm1'),
      asked('That'),
      ...summed('Hm.'),
    ]);
    expect(inWindow(unread)).toEqual(['summary-1', 'prompt-2']);
  });

  it('leaves what the recorded agent kept beside its summary', async () => {
    const message = (fields: object, id: string) => ({ type: 'message', id, message: fields });
    const call = { type: 'toolCall', id: 't2', name: 'read', arguments: { path: 'b.ts' } };
    const answer = (content: readonly object[]) => ({ role: 'assistant', model: 'm', content });
    const text = (words: string) => [{ type: 'text', text: words }];
    const transcript = transcriptOf(
      jsonl(
        { type: 'session', id: 's' },
        message({ role: 'user', content: 'Go' }, '1'),
        message(answer(text('One.')), '2'),
        message({ role: 'user', content: 'More' }, '3'),
        message(answer([call]), '4'),
        message({ role: 'toolResult', toolCallId: 't2', content: text('B') }, '5'),
        message(answer(text('Done.')), '6'),
        { type: 'compaction', id: '7', summary: 'We began.', firstKeptEntryId: '4' },
        message({ role: 'user', content: 'And now?' }, '8'),
        message(answer(text('Nothing.')), '9'),
      ),
      'pi',
    );
    const done = await replayedTranscript(transcript, settingsOf('recorded', 9_000));
    expect(lastRequest(done)).toEqual([
      'user [The earlier part of this session has left the context window.]',
      'assistant We began. | t2',
      'user =B',
      'assistant Done.',
      'user And now?',
    ]);
    expect(done.passes[0]?.summaries[0]?.covers).toEqual(['prompt-1', 'step-1', 'prompt-2']);
    expect(done.passes[0]?.decisions.at(-1)).toMatchObject({
      blockId: 'step-3',
      action: 'keep',
      rule: 'keep:recorded',
    });
    expect(done.marks).toEqual([{ step: 4, summary: 'We began.', kept: 2 }]);
    expect(done.totals.invalid).toBe(0);
  });

  it.each(['a further prompt', 'a reply'])(
    'puts a summary that comes after %s where room was made',
    async (what) => {
      const boundary = { ...bare, uuid: 'b1' };
      const summary = line('user', 'We read t1.', { isCompactSummary: true, parentUuid: 'b1' });
      const [use, result] = read('t2');
      const done = await played([
        asked('Go'),
        ...read('t1'),
        said('Done.', 'm2'),
        boundary,
        asked('And now?'),
        ...(what === 'a further prompt' ? [summary, use, result] : [use, summary, result]),
        said('Nothing.', 'm3'),
      ]);
      expect(inWindow(done)).toEqual(['summary-1', 'prompt-2', 'step-3', 'step-4']);
      expect(done.passes).toMatchObject([
        {
          beforeStep: 3,
          summaries: [{ text: 'We read t1.', covers: ['prompt-1', 'step-1', 'step-2'] }],
        },
      ]);
      expect(done.marks).toEqual([{ step: 3, summary: 'We read t1.' }]);
      expect(done.totals.invalid).toBe(0);
    },
  );

  it('evicts where the recording holds no summary', async () => {
    const done = await played([
      asked('Go'),
      ...read('t1'),
      said('Done.', 'm2'),
      bare,
      asked('And now?'),
      said('Nothing.', 'm3'),
    ]);
    expect(inWindow(done)).toEqual(['prompt-2', 'step-3']);
    expect(rungGains(done.passes[0]!)).toMatchObject([{ rung: 'evict', blocks: 3 }]);
    expect(done.totals.invalid).toBe(0);
  });

  it('clears the results the recorded agent cleared, and nothing else', async () => {
    const done = await played([
      asked('Go'),
      ...read('t1', filler('one', 300)),
      ...read('t2', filler('two', 300)),
      cleared('t1', 'unknown'),
      said('Done.', 'm3'),
    ]);
    const texts = lastRequest(done);
    expect(texts).toEqual([
      'user Go',
      'assistant t1',
      'user =[Result cleared ',
      'assistant t2',
      'user =two lorem ipsum ',
    ]);
    expect(done.passes[0]?.after.tokens).toBeLessThan(done.passes[0]?.before.tokens ?? 0);
  });

  it('summarises what an earlier summary stands for again', async () => {
    const done = await played([
      asked('Go'),
      ...read('t1'),
      ...summed('First.'),
      ...read('t2'),
      ...read('t3'),
      ...summed('Second.'),
      asked('More'),
      said('Done.', 'm5'),
    ]);
    expect(inWindow(done)).toEqual(['summary-2', 'prompt-2', 'step-4']);
    expect(done.totals.invalid).toBe(0);
  });

  it('cuts nothing, makes no room of its own, and says what does not fit', async () => {
    const done = await played(
      [asked(filler('Task', 800)), ...read('t1', filler('big', 1_500)), said('Done.', 'm2')],
      'recorded',
      1_000,
    );
    expect(done.passes).toEqual([]);
    expect(done.window.blocks.map(({ state }) => state)).toEqual(['whole', 'whole', 'whole']);
    expect(done.totals.overBudget).toBe(1);
    expect(done.totals.firstOverBudget).toMatchObject({ step: 2 });
    expect(done.totals.firstOverBudget?.why).toContain('The recorded agent had let no more go');
  });

  it('says so when the recording shows no place where its agent made room', async () => {
    const lines = [asked('Go'), said('Done.', 'm1')];
    const replayed = await played(lines);
    const transcript = transcriptOf(jsonl(...lines), 'claude-code');
    const { notes } = reportOf({
      file: 'x',
      transcript,
      policy: 'recorded',
      inputBudget: 9_000,
      fileOnly: true,
      replayed,
      baseline: replayed,
    });
    expect(notes).toEqual([
      'recorded: it does not show that its agent ever made room, so nothing left.',
    ]);
  });
});

describe('the events of a replay', () => {
  const lines = () => {
    clock = 0;
    return [
      asked('Go'),
      ...read('t1', filler('one', 900)),
      ...read('t2', filler('two', 900)),
      cleared('t1'),
      ...read('t3', filler('three', 900)),
      ...summed('So far.'),
      asked('And now?'),
      said('Nothing.', 'm9'),
    ];
  };

  it.each(['recorded', 'ladder', 'none'] as const)('give the window under %s', async (policy) => {
    const { events, window } = await played(lines(), policy, 2_000);
    expect(fold(events)).toEqual(window);
  });

  it('carry the times of the recording and the tiers of each request', async () => {
    const { events, window } = await played(lines());
    const { points } = timelineOf(events, window);
    expect(points.map(({ at }) => at)).toEqual([2_000, 4_000, 6_000, 10_000]);
    for (const { tiers, input } of points) {
      expect(tiers?.exact).toBe(false);
      expect(input?.tokens).toBe(tiers!.system + tiers!.working + tiers!.archive);
    }
    expect(points.map(({ passes }) => passes.length)).toEqual([0, 0, 1, 1]);
  });

  it('take no usage of other requests, which is told beside them', async () => {
    const { events, recordedUsage, window } = await played(lines());
    const used = events.flatMap((event) => (event.type === 'replyReceived' ? [event.usage] : []));
    expect(new Set(used.flatMap((usage) => Object.values(usage)))).toEqual(new Set([0]));
    expect([...recordedUsage.keys()]).toEqual([1, 2, 3]);
    expect(recordedUsage.get(1)).toMatchObject({ inputTokens: 100, outputTokens: 5 });
    expect(window.baseline).toBeUndefined();
  });

  it.each(['recorded', 'ladder'] as const)(
    'come with the marks of what the other agent did, under %s',
    async (policy) => {
      const { marks } = await played(lines(), policy);
      expect(marks).toEqual([
        { step: 3, cleared: 1 },
        { step: 4, summary: 'So far.' },
      ]);
    },
  );
});
