import { describe, expect, it } from 'vitest';
import { drawn, transcriptOf } from './support/drawnTranscript';

const call = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'read', input });
const asks = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: ids.map((id) => call(id)),
});
const answers = (...pairs: readonly (readonly [string, string])[]) => ({
  role: 'user',
  content: pairs.map(([id, content]) => ({ type: 'tool_result', tool_use_id: id, content })),
});
const typed = (text: string) => ({ role: 'user', content: text });

describe('the pairing of calls and results', () => {
  it('gives a call without a result one that says it was interrupted', () => {
    const recording = [typed('Go'), asks('t1', 't2'), answers(['t2', 'two'])];
    expect(drawn(recording)).toEqual(['prompt Go', 'reply read(t1)? read(t2)=two']);
    const { entries, notes } = transcriptOf(recording);
    expect(entries[1]).toMatchObject({
      results: [
        {
          toolUseId: 't1',
          text: 'The recording holds no result for this call: it was interrupted.',
          isError: true,
          origin: 'interrupted',
        },
        { toolUseId: 't2' },
      ],
    });
    expect(notes).toEqual(['1 unanswered call marked interrupted.']);
  });

  it('omits results without a call, and second results', () => {
    const recording = [
      typed('Go'),
      answers(['t0', 'zero']),
      asks('t1'),
      answers(['t1', 'one'], ['t1', 'again'], ['t9', 'nine']),
    ];
    expect(drawn(recording)).toEqual(['prompt Go', 'reply read(t1)=one']);
    expect(transcriptOf(recording).notes).toEqual([
      '2 tool results without a call skipped.',
      '1 duplicate result skipped.',
    ]);
  });

  it('puts results in the order of their calls, wherever they were recorded', () => {
    const recording = [
      typed('Go'),
      asks('t1', 't2'),
      answers(['t2', 'two']),
      typed('Wait'),
      answers(['t1', 'one']),
    ];
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply read(t1)=one read(t2)=two',
      'prompt Wait',
    ]);
  });

  it('renames ids that the API does not accept, and repeated ids', () => {
    const recording = [
      typed('Go'),
      asks('call.1|x', '', 'a'),
      answers(['call.1|x', 'one'], ['', 'none'], ['a', 'first']),
      asks('a', 'call_1_x'),
      answers(['a', 'second'], ['call_1_x', 'other']),
    ];
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply read(call_1_x)=one read(call)=none read(a)=first',
      'reply read(a-2)=second read(call_1_x-2)=other',
    ]);
    expect(transcriptOf(recording).notes).toEqual([
      '4 call ids replaced: the API would refuse the original.',
    ]);
  });

  it('gives a result to the newest reply with its id, and there to the first open call', () => {
    const recording = [typed('Go'), asks('a'), asks('a', 'a'), answers(['a', 'one'], ['a', 'two'])];
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply read(a)?',
      'reply read(a-2)=one read(a-3)=two',
    ]);
  });

  it('begins with the first prompt', () => {
    const recording = [
      { role: 'assistant', content: 'Hello' },
      asks('t1'),
      answers(['t1', 'lost']),
      typed('Go'),
      { role: 'assistant', content: 'Gone.' },
    ];
    expect(drawn(recording)).toEqual(['prompt Go', 'reply Gone.']);
    expect(transcriptOf(recording).notes).toEqual(['2 replies before the first prompt skipped.']);
  });

  it('uses a summary at the start of the recording as the first prompt', () => {
    const recording = [
      { role: 'assistant', content: [{ type: 'compaction', content: 'So far' }] },
      { role: 'assistant', content: 'On.' },
    ];
    expect(drawn(recording)).toEqual(['prompt So far', 'reply On.']);
    expect(transcriptOf(recording).notes).toContain(
      'It begins with a summary, which is used as the first prompt.',
    );
  });
});
