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

  /** With its details open. */
  const detailed = (changes: Parameters<typeof sampleRecording>[0] = {}) => {
    const panel = recorded(changes);
    panel.click(panel.one('recording-details'));
    return panel;
  };

  it('says in its details what it lacks and how exact it is, with every note', () => {
    const lacks = 'The file holds ≈ 252 of 27,142 tokens.';
    const origin = 'Reconstructed: this file has no tools.';
    const setAside = 'Set aside here: the window the file names.';
    const notes = ['One.', 'Two.', 'Three.'];
    const { one, click, all } = detailed({ origin, lacks, setAside, notes });
    expect(one('recording-origin').textContent).toBe(origin);
    expect(one('recording-lacks').textContent).toBe(lacks);
    expect(one('recording-set-aside').textContent).toBe(setAside);
    const said = [...one('recording-notes').children].map(({ textContent }) => textContent);
    expect(said).toEqual(notes);
    click(one('recording-details'));
    expect(all('recording-facts')).toEqual([]);
    // The page shows an opening in their place while the file is read again.
    const { store, tell } = detailed();
    tell({
      type: 'contextChanged',
      context: sampleContext({ source: sampleRecording({ lacks }) }),
    });
    expect(store.look.value.recordingOpen).toBe(true);
    const bare = detailed({ notes: [] });
    for (const fact of ['lacks', 'origin', 'set-aside', 'policy', 'losses', 'notes']) {
      expect(bare.all(`recording-${fact}`)).toEqual([]);
    }
  });

  it('can be made exact if its agent records its requests on demand, and says since when', () => {
    const off = detailed({ records: { agent: 'claude-code', isOn: false } });
    expect(off.all('requests-recorded')).toEqual([]);
    expect(off.one('record-exactly').textContent).toBe('Record Exactly…');
    off.click(off.one('record-exactly'));
    expect(off.wishes).toEqual([{ type: 'recordExactly', agent: 'claude-code', isOn: true }]);
    const words = 'Recording requests since 1 Sep 2026, 10:00.';
    const on = detailed({ records: { agent: 'codex', isOn: true, words } });
    expect(on.one('requests-recorded').textContent).toBe(words);
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

  it('is named in one line with its format, how exact it is, and the policy it is shown with', () => {
    const { one, all } = recorded({ exactness: 'reconstructed' });
    const line = one('source-bar').querySelector('.message')!.textContent;
    expect(line).toBe('Claude Code recording, reconstructed, read only · as if run with ladder');
    expect(all('compact-now')).toEqual([]);
    const facts = detailed().one('recording-facts').textContent;
    expect(facts).toContain('session.jsonl · window 32,768');
    expect(facts).toContain('3 lines could not be read');
    expect(drawPanel(sampleContext()).all('source-bar')).toEqual([]);
  });

  it("is shown as it was if it is one of Plimsoll's own sessions", () => {
    const source = sampleRecording({ format: 'plimsoll', asItWas: true });
    const past = { at: 12, first: 1, last: 58 } as const;
    const { one } = drawPanel(sampleContext({ source, travel: past }));
    const line = one('source-bar').querySelector('.message')!.textContent;
    expect(line).toBe('A session of Plimsoll, as it was, read only · policy ladder');
    expect(one('past-notice').textContent).toContain('What the model saw then');
  });

  it('says that its policy is unknown if no pass ran', () => {
    const { one } = detailed({ format: 'plimsoll', asItWas: true, policyUnknown: true });
    expect(one('source-bar').querySelector('.message')!.textContent).toMatch(/policy unknown$/);
    expect(one('recording-policy').textContent).toBe(
      'No pass ran, so the file does not say its policy.',
    );
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
