import { describe, expect, it } from 'vitest';
import { sampleContext, sampleRecording, SAMPLE_SETTINGS } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

describe('a recording', () => {
  const recorded = (changes: Parameters<typeof sampleRecording>[0] = {}) =>
    drawPanel(
      sampleContext({
        source: sampleRecording(changes),
        whyReadOnly: 'A recording cannot be changed.',
        busy: false,
      }),
    );

  it('says what it lacks, whatever other notices there are', () => {
    const lacks = 'The file holds ≈ 252 of 27,142 tokens.';
    const origin = 'Reconstructed: this file has no tools.';
    const { one } = recorded({ origin, lacks, notes: ['One.', 'Two.', 'Three.'] });
    expect(one('recording-origin').textContent.trim()).toBe(origin);
    expect(one('recording-lacks').textContent.trim()).toBe(lacks);
    expect(one('recording-lacks').closest('details')).toBeNull();
    expect(recorded().all('recording-lacks')).toEqual([]);
    expect(recorded().all('recording-origin')).toEqual([]);
    const setAside = 'Set aside here: the window the file names.';
    expect(recorded({ setAside }).one('recording-set-aside').textContent.trim()).toBe(setAside);
    expect(recorded().all('recording-set-aside')).toEqual([]);
  });

  it('can be made exact if its agent records its requests on demand, and says since when', () => {
    const off = recorded({ records: { agent: 'claude-code', isOn: false } });
    expect(off.all('requests-recorded')).toEqual([]);
    expect(off.one('record-exactly').textContent).toBe('Record Exactly…');
    off.click(off.one('record-exactly'));
    expect(off.wishes).toEqual([{ type: 'recordExactly', agent: 'claude-code', isOn: true }]);
    const words = 'Recording requests since 1 Sep 2026, 10:00.';
    const on = recorded({ records: { agent: 'codex', isOn: true, words } });
    expect(on.one('requests-recorded').textContent.trim()).toBe(words);
    expect(on.one('record-exactly').textContent).toBe('Stop Recording');
    on.click(on.one('record-exactly'));
    expect(on.wishes).toEqual([{ type: 'recordExactly', agent: 'codex', isOn: false }]);
    expect(recorded().all('record-exactly')).toEqual([]);
  });

  it.each([
    [true, ['Stop Following']],
    [false, []],
  ])('offers a way out if its file cannot be read, followed: %s', (following, labels) => {
    const source = sampleRecording({ following });
    const { one, click, wishes } = drawPanel(sampleContext({ source, problem: 'It is gone.' }));
    const buttons = [...one('problem').querySelectorAll('button')];
    expect(buttons.map((button) => button.textContent)).toEqual(labels);
    for (const button of buttons) click(button);
    const wished = following ? [{ type: 'followRecording', following: false }] : [];
    expect(wishes).toEqual(wished);
  });

  it('is named with its format, its notes and the policy it is shown with', () => {
    const { one } = recorded();
    const words = one('source-bar').textContent;
    expect(words).toContain('session.jsonl · Claude Code');
    expect(words).toContain('Shown as if run with ladder · window 32,768');
    expect(one('recording-notes').textContent).toContain('3 lines could not be read');
    expect(drawPanel(sampleContext()).all('source-bar')).toEqual([]);
  });

  it("is shown as it was if it is one of Plimsoll's own sessions", () => {
    const source = sampleRecording({ format: 'plimsoll', asItWas: true });
    const past = { at: 12, first: 1, last: 58 } as const;
    const { one } = drawPanel(sampleContext({ source, travel: past }));
    const words = one('source-bar').textContent;
    expect(words).toContain('session.jsonl · a session of Plimsoll, as it was, read only');
    expect(words).toContain('Policy ladder · window 32,768');
    expect(one('past-notice').textContent).toContain('What the model saw then');
  });

  it('can be tried with another window, followed and closed', () => {
    const { one, click, wishes } = recorded();
    click(one('choose-policy'));
    click(one('follow-recording'));
    click(one('close-recording'));
    expect(wishes).toEqual([
      { type: 'whatIf', settings: SAMPLE_SETTINGS },
      { type: 'followRecording', following: true },
      { type: 'closeRecording' },
    ]);
  });

  it('leads from a past step to its end, or to now if it is followed', () => {
    const back = (following: boolean) => {
      const travel = { at: 12, first: 1, last: 58 } as const;
      const context = sampleContext({ source: sampleRecording({ following }), travel });
      return drawPanel(context).one('back-to-now').textContent;
    };
    expect([back(false), back(true)]).toEqual(['To the end', 'Back to now']);
  });

  it('folds its notes away', () => {
    const summary = (notes: readonly string[]) =>
      recorded({ notes }).root.querySelector('.recording summary')?.textContent;
    expect(summary(['One.', 'Two.', 'Three.'])).toBe('3 notes from reading the file');
    expect(summary(['One.'])).toBe('1 note from reading the file');
    expect(summary([])).toBeUndefined();
  });

  it('of a sub-agent names it, and leads back to the session', () => {
    const source = sampleRecording({ format: 'subAgent', file: 'Find it', asItWas: true });
    const windows = [
      { isShown: false },
      { toolUseId: 't1', name: 'Find it', tokens: 12_480, isAtWork: true, isShown: true },
    ];
    const { one, all, click, wishes } = drawPanel(sampleContext({ source, windows }));
    expect(one('source-bar').textContent).toContain('Find it · a sub-agent of this session');
    const picker = one('window-picker') as HTMLSelectElement;
    expect([...picker.options].map(({ text }) => text)).toEqual([
      'The session',
      'Find it: 12,480 tokens, at work',
    ]);
    expect(picker.value).toBe('t1');
    expect(all('close-recording')).toEqual([]);
    click(one('back-to-session'));
    expect(wishes).toEqual([{ type: 'showWindow' }]);
    expect(drawPanel(sampleContext({})).all('window-picker')).toEqual([]);
  });
});
