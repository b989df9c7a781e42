import { describe, expect, it } from 'vitest';
import { keepSecret } from '../../../src/agent/secrets/knownSecrets';
import {
  promptParts,
  promptWithAttached,
  type AttachedText,
} from '../../../src/contextWindow/attached';
import type { PromptContent } from '../../../src/contextWindow/event';
import {
  LONGEST_ATTACHED,
  type PromptAttachments,
} from '../../../src/editor/composer/promptAttachments';
import { FILES, promptAttachments } from '../support/mentionSources';

/** The texts sent with a prompt that has one attachment. */
function sentWith(scene: PromptAttachments, id: number): readonly AttachedText[] {
  const made = scene.promptWith('', [id]);
  return made.ok ? promptParts(made.prompt.text).attached : [];
}

describe('the attachments of a prompt', () => {
  const FILE = { type: 'file', path: 'src/loadLine.js' } as const;

  it('count each text as the block it is sent as', async () => {
    const scene = promptAttachments();
    expect(await scene.attach(FILE)).toBeUndefined();
    const attached = [{ kind: 'file', name: FILE.path, text: FILES[FILE.path]! }] as const;
    const tokens = promptWithAttached({ typed: '', attached }).length;
    expect(scene.items).toEqual([{ id: 1, kind: 'file', name: FILE.path, tokens }]);
  });

  it('show files while they are read, block sending, and drop unreadable ones', async () => {
    const scene = promptAttachments();
    let finish = (): void => undefined;
    const reading = scene.add(
      { kind: 'page', name: 'p' },
      () => new Promise((done) => (finish = () => done({ ok: false, message: 'Not found.' }))),
    );
    expect(scene.items).toEqual([{ id: 1, kind: 'page', name: 'p' }]);
    expect(scene.send('Go', [1], () => undefined)).toBe(
      'p is still being read. Send again in a moment.',
    );
    finish();
    expect(await reading).toBe('Not found.');
    expect(scene.items).toEqual([]);
    const broken = scene.add({ kind: 'page', name: 'p' }, () => Promise.reject(new Error('bug')));
    await expect(broken).rejects.toThrow('bug');
    expect(scene.items).toEqual([]);
  });

  it('leave out files removed while they were read', async () => {
    const scene = promptAttachments();
    let finish = (): void => undefined;
    const reading = scene.add(
      { kind: 'page', name: 'p' },
      () => new Promise((done) => (finish = () => done({ ok: true, text: 'late' }))),
    );
    scene.remove(1);
    finish();
    await reading;
    expect(scene.items).toEqual([]);
  });

  it('contain each item once, in its newest version', async () => {
    const scene = promptAttachments();
    for (const text of ['old', 'new']) {
      await scene.add({ kind: 'file', name: 'a' }, async () => ({ ok: true, text }));
    }
    expect(sentWith(scene, 2)).toEqual([{ kind: 'file', name: 'a', text: 'new' }]);
    expect(scene.items.length).toBe(1);
  });

  it('are at most 20, and a long text is visibly cut', async () => {
    const scene = promptAttachments();
    const text = 'x'.repeat(LONGEST_ATTACHED + 7);
    for (let at = 0; at < 20; at += 1) {
      await scene.add({ kind: 'file', name: String(at) }, async () => ({ ok: true, text }));
    }
    expect(sentWith(scene, 1)[0]!.text).toMatch(
      /x\n\[Plimsoll left out the last 7 of 200007 characters\.\]$/,
    );
    expect(await scene.add({ kind: 'file', name: 'more' }, async () => ({ ok: true, text }))).toBe(
      'A prompt can have at most 20 attachments. Remove one first.',
    );
  });

  it('contain no secrets in names and texts', async () => {
    keepSecret('sk-ant-beside-the-prompt');
    const scene = promptAttachments();
    await scene.add({ kind: 'page', name: 'https://a/sk-ant-beside-the-prompt' }, async () => ({
      ok: true,
      text: 'key=sk-ant-beside-the-prompt',
    }));
    const read = sentWith(scene, 1);
    expect(JSON.stringify([scene.items, read])).not.toContain('sk-ant-beside');
    expect(read[0]!.text).toBe('key=[API key]');
  });

  it('are sent once as the user saw them, and stay if the prompt is refused', async () => {
    const scene = promptAttachments();
    await scene.attach(FILE);
    const sent: PromptContent[] = [];
    expect(scene.send('Look', [1], () => 'No.')).toBe('No.');
    expect(scene.items.length).toBe(1);
    const send = (prompt: PromptContent) => void sent.push(prompt);
    expect(scene.send('Look', [1], send)).toBeUndefined();
    expect(sent[0]!.text).toMatch(/^Look\n\n<attached kind="file" name="src\/loadLine\.js"/);
    expect(scene.items).toEqual([]);
    expect(scene.send('Look', [1], send)).toBe(
      'An attachment is missing. Check the attachments and send again.',
    );
    expect(await scene.restore(sent[0]!)).toBe('Look');
    expect(scene.items.map(({ name }) => name)).toEqual([FILE.path]);
  });
});
