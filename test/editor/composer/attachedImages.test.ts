import { describe, expect, it } from 'vitest';
import type { PromptContent } from '../../../src/contextWindow/event';
import { Mentions } from '../../../src/editor/composer/mentions';
import { promptAttachments, mentionSources } from '../support/mentionSources';

describe('an attached image', () => {
  const media = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;

  it('has its tokens, is sent unchanged with the prompt, and is restored with it', async () => {
    const scene = promptAttachments();
    await scene.add({ kind: 'file', name: 'mast.png' }, async () => ({ ok: true, media }));
    expect(scene.items).toEqual([{ id: 1, kind: 'image', name: 'mast.png', tokens: 1_000 }]);
    const sent: PromptContent[] = [];
    expect(scene.send('Look', [1], (prompt) => void sent.push(prompt))).toBeUndefined();
    const attachments = [{ ...media, tokens: 1_000 }];
    expect(sent).toEqual([{ text: 'Look', attachments }]);
    expect(scene.items).toEqual([]);
    expect(await scene.restore(sent[0]!)).toBe('Look');
    const back = scene.promptWith('Look', [2]);
    expect(back).toEqual({ ok: true, prompt: sent[0] });
  });

  it('replaces no other image, although all images from the clipboard have the same name', async () => {
    const scene = promptAttachments();
    for (const data of ['AAAA', 'BBBB', 'CCCC']) {
      const read = async () => ({ ok: true, media: { ...media, data } }) as const;
      await scene.add({ kind: 'file', name: 'image.png' }, read, true);
    }
    const names = ['image.png', 'image.png (2)', 'image.png (3)'];
    expect(scene.items.map(({ name }) => name)).toEqual(names);
    const attachments = [{ ...media, tokens: 1_000 }];
    await scene.restore({ text: 'Look', attachments });
    await scene.restore({ text: 'Look again', attachments });
    expect(scene.items.map(({ name }) => name)).toEqual([
      ...names,
      'image 1 of that prompt',
      'image 1 of that prompt (2)',
    ]);
  });

  it('is not sent with more images than a request can hold', async () => {
    const scene = promptAttachments();
    const read = async () =>
      ({ ok: true, media: { ...media, data: 'A'.repeat(5_000_000) } }) as const;
    for (let count = 0; count < 5; count++) {
      await scene.add({ kind: 'file', name: 'image.png' }, read, true);
    }
    const ids = scene.items.map(({ id }) => id);
    expect(scene.promptWith('Look', ids)).toEqual({
      ok: false,
      message: 'The images and PDFs of this prompt have 18.8 MB; the limit is 15.0 MB. Remove one.',
    });
    expect(scene.promptWith('Look', ids.slice(1))).toMatchObject({ ok: true });
  });

  it('is what a mention of an image file attaches', async () => {
    const mentions = new Mentions(
      mentionSources({
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
