import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepSecret } from '../../src/agent/secrets';
import {
  promptParts,
  promptWithAttached,
  type AttachedText,
} from '../../src/contextWindow/attached';
import type { PromptContent } from '../../src/contextWindow/event';
import { LONGEST_ATTACHED, type AttachedDesk } from '../../src/host/attachedDesk';
import { fit, pathChoices } from '../../src/host/mentionChoices';
import { attach, restorePrompt, sendWithAttached } from '../../src/host/mentionWishes';
import { Mentions, type MentionPlace } from '../../src/host/mentions';
import type { Mention } from '../../src/protocol/mentions';
import { attachedView } from '../../src/views/attachedView';
import { attachedDesk, FILES, mentionPlace } from './support/mentionPlace';

/** The texts that go with a prompt beside which one thing stands. */
function sentWith(desk: AttachedDesk, id: number): readonly AttachedText[] {
  const made = desk.promptWith('', [id]);
  return made.ok ? promptParts(made.prompt.text).attached : [];
}

const LINES = { path: 'src/loadLine.js', first: 3, last: 9, text: 'some lines' };

/** What a mention gives: the chip's name, and the text or why there is none. */
async function given(mention: Mention, parts: Partial<MentionPlace> = {}) {
  const mentions = new Mentions(mentionPlace(parts));
  const read = await mentions.read(mention);
  return [
    mentions.head(mention).name,
    read.ok && 'text' in read ? read.text : `refused: ${read.ok ? '' : read.message}`,
  ];
}

describe('what a mention gives', () => {
  it('of a file is its text, of a folder the list of its files', async () => {
    expect(await given({ type: 'file', path: 'src/loadLine.js' })).toEqual([
      'src/loadLine.js',
      'const load = 1;',
    ]);
    expect(await given({ type: 'folder', path: 'src' })).toEqual([
      'src',
      'src/loadLine.js\nsrc/ship/hull.js',
    ]);
    const missing = await given({ type: 'file', path: '../secret' });
    expect(missing[1]).toBe('refused: ../secret does not exist.');
    const noFolder = { workspace: async () => undefined };
    expect((await given({ type: 'file', path: 'a' }, noFolder))[1]).toBe(
      'refused: No folder is open.',
    );
  });

  it('of a selection is its lines, named with their place', async () => {
    expect(await given({ type: 'selection' }, { selection: () => LINES })).toEqual([
      'src/loadLine.js:3-9',
      'some lines',
    ]);
    expect((await given({ type: 'selection' }))[1]).toBe(
      'refused: Nothing is selected in the editor.',
    );
  });

  it('of problems is a line for each, or that there are none', async () => {
    const problems = () => [
      { path: 'a.ts', line: 2, severity: 'error', message: 'No name.', source: 'ts 2304' } as const,
      { path: 'b.ts', line: 7, severity: 'warning', message: 'Unused.' } as const,
    ];
    expect(await given({ type: 'problems' }, { problems })).toEqual([
      'problems',
      'a.ts:2: error: No name. (ts 2304)\nb.ts:7: warning: Unused.',
    ]);
    expect((await given({ type: 'problems' }))[1]).toBe('There are no errors or warnings.');
  });

  it('of git, a terminal, a symbol or a page is its text, or why there is none', async () => {
    const there: Partial<MentionPlace> = {
      changes: async () => '+ a line',
      terminal: async () => ({ ok: true, text: 'npm test' }),
      symbolText: async () => LINES,
    };
    const symbol = { type: 'symbol', name: 'load', path: 'src/loadLine.js', line: 3 } as const;
    const page = { type: 'page', url: 'https://example.com/' } as const;
    for (const [mention, name, text, none] of [
      [{ type: 'changes' }, 'changes', '+ a line', 'There is no git repository here.'],
      [{ type: 'terminal' }, 'terminal', 'npm test', 'There is no terminal.'],
      [symbol, 'load (src/loadLine.js:3)', 'some lines', 'load was not found in src/loadLine.js.'],
    ] as const) {
      expect(await given(mention, there)).toEqual([name, text]);
      expect(await given(mention)).toEqual([name, `refused: ${none}`]);
    }
    expect(await given(page)).toEqual([page.url, `the page at ${page.url}`]);
    expect((await given({ type: 'changes' }, { changes: async () => '' }))[1]).toBe(
      'Nothing is changed.',
    );
  });
});

describe('what @ offers', () => {
  const labels = async (query: string, parts: Partial<MentionPlace> = {}) =>
    (await new Mentions(mentionPlace(parts)).choices(query)).map(({ label }) => label);

  it('is first what is at hand, then files and folders', async () => {
    const parts = { selection: () => LINES, hasTerminal: () => true };
    expect((await labels('', parts)).slice(0, 3)).toEqual(['selection', 'changes', 'terminal']);
    expect(await labels('')).toEqual(
      expect.arrayContaining(['README.md', 'loadLine.js', 'src/', 'ship/']),
    );
  });

  it('is found by name before path, and by scattered letters', async () => {
    expect(await labels('load')).toEqual(['loadLine.js', 'loadLine.test.js']);
    expect(await labels('hull')).toEqual(['hull.js']);
    expect(await labels('src/')).toEqual(['src/', 'ship/', 'loadLine.js', 'hull.js']);
    expect(await labels('lnjs')).toEqual(['loadLine.js', 'loadLine.test.js']);
    expect(await labels('zzz')).toEqual([]);
  });

  it('has names of language servers from two letters on, and an address typed in full', async () => {
    const symbols = async (query: string) => [{ name: `${query}Line`, path: 'a.js', line: 1 }];
    expect(await labels('l', { symbols })).not.toContain('lLine');
    expect(await labels('load', { symbols })).toContain('loadLine');
    const url = 'https://example.com/a?b';
    expect(await new Mentions(mentionPlace()).choices(url)).toEqual([
      { mention: { type: 'page', url }, label: url, detail: 'Fetch this page' },
    ]);
  });

  it('offers only what fits, and what fits a name exactly first', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), fc.string(), (paths, query) => {
        const clean = paths.filter((path) => !path.endsWith('/'));
        for (const { mention } of pathChoices(clean, query)) {
          const path = 'path' in mention ? mention.path : '';
          expect(fit(path, query)).toBeDefined();
        }
      }),
    );
  });
});

describe('the desk', () => {
  const FILE = { type: 'file', path: 'src/loadLine.js' } as const;
  const place = () => ({ desk: attachedDesk(), mentions: new Mentions(mentionPlace()) });

  it('counts each text as the block it is sent as', async () => {
    const { desk, mentions } = place();
    expect(await attach({ desk, mentions }, FILE)).toBeUndefined();
    const attached = [{ kind: 'file', name: FILE.path, text: FILES[FILE.path]! }] as const;
    const tokens = promptWithAttached({ typed: '', attached }).length;
    expect(desk.items).toEqual([{ id: 1, kind: 'file', name: FILE.path, tokens }]);
  });

  it('shows what is being read, refuses to send it, and forgets what cannot be read', async () => {
    const desk = attachedDesk();
    let finish = (): void => undefined;
    const reading = desk.add(
      { kind: 'page', name: 'p' },
      () => new Promise((done) => (finish = () => done({ ok: false, message: 'Not found.' }))),
    );
    expect(desk.items).toEqual([{ id: 1, kind: 'page', name: 'p' }]);
    expect(sendWithAttached(desk, 'Go', [1], () => undefined)).toBe(
      'p is still being read. Send again in a moment.',
    );
    finish();
    expect(await reading).toBe('Not found.');
    expect(desk.items).toEqual([]);
    const broken = desk.add({ kind: 'page', name: 'p' }, () => Promise.reject(new Error('bug')));
    await expect(broken).rejects.toThrow('bug');
    expect(desk.items).toEqual([]);
  });

  it('leaves out what was removed while it was read', async () => {
    const desk = attachedDesk();
    let finish = (): void => undefined;
    const reading = desk.add(
      { kind: 'page', name: 'p' },
      () => new Promise((done) => (finish = () => done({ ok: true, text: 'late' }))),
    );
    desk.remove(1);
    finish();
    await reading;
    expect(desk.items).toEqual([]);
  });

  it('has each thing once, the newest reading of it', async () => {
    const desk = attachedDesk();
    for (const text of ['old', 'new']) {
      await desk.add({ kind: 'file', name: 'a' }, async () => ({ ok: true, text }));
    }
    expect(sentWith(desk, 2)).toEqual([{ kind: 'file', name: 'a', text: 'new' }]);
    expect(desk.items.length).toBe(1);
  });

  it('takes at most 20 things, and cuts a long text visibly', async () => {
    const desk = attachedDesk();
    const text = 'x'.repeat(LONGEST_ATTACHED + 7);
    for (let at = 0; at < 20; at += 1) {
      await desk.add({ kind: 'file', name: String(at) }, async () => ({ ok: true, text }));
    }
    expect(sentWith(desk, 1)[0]!.text).toMatch(
      /x\n\[Plimsoll left out the last 7 of 200007 characters\.\]$/,
    );
    expect(await desk.add({ kind: 'file', name: 'more' }, async () => ({ ok: true, text }))).toBe(
      'At most 20 things stand beside one prompt. Remove one first.',
    );
  });

  it('keeps secrets out of names and texts', async () => {
    keepSecret('sk-ant-beside-the-prompt');
    const desk = attachedDesk();
    await desk.add({ kind: 'page', name: 'https://a/sk-ant-beside-the-prompt' }, async () => ({
      ok: true,
      text: 'key=sk-ant-beside-the-prompt',
    }));
    const read = sentWith(desk, 1);
    expect(JSON.stringify([desk.items, read])).not.toContain('sk-ant-beside');
    expect(read[0]!.text).toBe('key=[API key]');
  });

  it('sends what the user saw, once, and keeps it where the prompt is refused', async () => {
    const { desk, mentions } = place();
    await attach({ desk, mentions }, FILE);
    const sent: PromptContent[] = [];
    expect(sendWithAttached(desk, 'Look', [1], () => 'No.')).toBe('No.');
    expect(desk.items.length).toBe(1);
    const send = (prompt: PromptContent) => void sent.push(prompt);
    expect(sendWithAttached(desk, 'Look', [1], send)).toBeUndefined();
    expect(sent[0]!.text).toMatch(/^Look\n\n<attached kind="file" name="src\/loadLine\.js"/);
    expect(desk.items).toEqual([]);
    expect(sendWithAttached(desk, 'Look', [1], send)).toBe(
      'Something beside the prompt is gone. Look at it, and send it again.',
    );
    expect(await restorePrompt(desk, sent[0]!)).toBe('Look');
    expect(desk.items.map(({ name }) => name)).toEqual([FILE.path]);
  });
});

describe('an image beside a prompt', () => {
  const media = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;

  it('has its tokens, goes with the prompt as it is, and comes back with it', async () => {
    const desk = attachedDesk();
    await desk.add({ kind: 'file', name: 'mast.png' }, async () => ({ ok: true, media }));
    expect(desk.items).toEqual([{ id: 1, kind: 'image', name: 'mast.png', tokens: 1_000 }]);
    const sent: PromptContent[] = [];
    expect(sendWithAttached(desk, 'Look', [1], (prompt) => void sent.push(prompt))).toBeUndefined();
    const attachments = [{ ...media, tokens: 1_000 }];
    expect(sent).toEqual([{ text: 'Look', attachments }]);
    expect(desk.items).toEqual([]);
    expect(await restorePrompt(desk, sent[0]!)).toBe('Look');
    const back = desk.promptWith('Look', [2]);
    expect(back).toEqual({ ok: true, prompt: sent[0] });
  });

  it('takes the place of no other, though all from the clipboard have one name', async () => {
    const desk = attachedDesk();
    for (const data of ['AAAA', 'BBBB', 'CCCC']) {
      const read = async () => ({ ok: true, media: { ...media, data } }) as const;
      await desk.add({ kind: 'file', name: 'image.png' }, read, true);
    }
    const names = ['image.png', 'image.png (2)', 'image.png (3)'];
    expect(desk.items.map(({ name }) => name)).toEqual(names);
    const attachments = [{ ...media, tokens: 1_000 }];
    await restorePrompt(desk, { text: 'Look', attachments });
    await restorePrompt(desk, { text: 'Look again', attachments });
    expect(desk.items.map(({ name }) => name)).toEqual([
      ...names,
      'image 1 of that prompt',
      'image 1 of that prompt (2)',
    ]);
  });

  it('is not sent with so many others that no request would hold them', async () => {
    const desk = attachedDesk();
    const read = async () =>
      ({ ok: true, media: { ...media, data: 'A'.repeat(5_000_000) } }) as const;
    for (let count = 0; count < 5; count++) {
      await desk.add({ kind: 'file', name: 'image.png' }, read, true);
    }
    const ids = desk.items.map(({ id }) => id);
    expect(desk.promptWith('Look', ids)).toEqual({
      ok: false,
      message:
        'The images and PDFs beside this prompt have 18.8 MB together, and one prompt may have 15.0 MB. Remove one.',
    });
    expect(desk.promptWith('Look', ids.slice(1))).toMatchObject({ ok: true });
  });

  it('is what a mention of a file gives that is one', async () => {
    const mentions = new Mentions(
      mentionPlace({
        media: async (path) => (path === 'mast.png' ? { ok: true, media } : undefined),
      }),
    );
    expect(await mentions.read({ type: 'file', path: 'mast.png' })).toEqual({ ok: true, media });
    expect(await mentions.read({ type: 'file', path: 'README.md' })).toEqual({
      ok: true,
      text: '# Loads',
    });
  });
});

describe('the warning', () => {
  it('comes where the window with all of it is above the mark', () => {
    const items = [
      { id: 1, kind: 'file', name: 'a', tokens: 60 },
      { id: 2, kind: 'file', name: 'b', tokens: 40 },
      { id: 3, kind: 'page', name: 'c' },
    ] as const;
    expect(attachedView([], 500, 100)).toBeUndefined();
    expect(attachedView(items, 700, 800)).toEqual({ items });
    expect(attachedView(items, 701, 800)).toEqual({ items, crosses: true });
  });
});
