import { describe, expect, it } from 'vitest';
import { rungGains } from '../../src/contextWindow/passes/rungGains';
import { isInWindow } from '../../src/contextWindow/block';
import { reportOf } from '../../src/replay/replayReport';
import { reasonText } from '../../src/contextWindow/reasons';
import { jsonl, transcriptOf } from '../recordings/support/drawnTranscript';
import { filler } from './support/recording';
import { replayedTranscript, settingsOf, type Played } from './support/replayed';
import { played, asked, read, said, summed, bare, line, cleared } from './support/recordedLines';

const inWindow = ({ window }: Played) => window.blocks.filter(isInWindow).map(({ id }) => id);

/** The last request, one message a line: the role, and the first words of each part. */
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
  it('replaces everything before a compaction by the summary of the recorded agent', async () => {
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
    expect(reasonText(done.passes[0]!.decisions[0]!)).toBe(
      'The recorded agent replaced it by a summary written by claude-opus-4-5',
    );
    expect(done.totals).toMatchObject({ invalid: 0, anchorMissing: 0 });
  });

  it('keeps the content that the model must answer, since every request needs it', async () => {
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
      reason: { rule: 'keep:recorded' },
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

  it('keeps what the recorded agent kept next to its summary', async () => {
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
      reason: { rule: 'keep:recorded' },
    });
    expect(done.marks).toEqual([{ step: 4, summary: 'We began.', kept: 2 }]);
    expect(done.totals.invalid).toBe(0);
  });

  it.each(['a further prompt', 'a reply'])(
    'puts a summary that comes after %s at the point of the compaction',
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

  it('evicts if the recording has no summary', async () => {
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

  it('summarises again what an earlier summary replaced', async () => {
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

  it('truncates nothing, runs no pass of its own, and reports what does not fit', async () => {
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

  it('says so if the recording shows no compaction of its agent', async () => {
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
