import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptDraft } from '../../../src/editor/composer/keptDraft';
import { promptAttachments } from '../support/mentionSources';
import { tempFolder } from '../../tools/support/tempFolder';

const kept = (folder: string, logged: unknown[] = []) =>
  new KeptDraft(folder, (error) => void logged.push(error));

describe('the prompt being typed', () => {
  it('is kept for the next window with each key, and forgotten once it was sent', () => {
    const folder = join(tempFolder(), 'draft');
    const draft = kept(folder);
    for (const text of ['While', 'While the agent', 'While the agent works']) {
      draft.keep(text);
      expect(kept(folder).text).toBe(text);
    }
    draft.keep('');
    expect(kept(folder).text).toBe('');
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, 'draft.json')).mode & 0o077).toBe(0);
    }
  });

  it('keeps its attachments as they were read', async () => {
    const folder = join(tempFolder(), 'draft');
    const inWindow = () => {
      const draft = kept(folder);
      const attachments = promptAttachments(() => draft.keepAttached(attachments.kept));
      attachments.takeBack(draft.attached);
      return attachments;
    };
    const before = inWindow();
    await before.attach({ type: 'file', path: 'src/loadLine.js' });
    const media = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    await before.add({ kind: 'file', name: 'mast.png' }, async () => ({ ok: true, media }), true);
    const after = inWindow();
    expect(after.items).toEqual(before.items);
    const ids = after.items.map(({ id }) => id);
    expect(after.promptWith('Look', ids)).toEqual(before.promptWith('Look', ids));
    after.send('Look', ids, () => undefined);
    expect(inWindow().items).toEqual([]);
  });

  it('is empty if its files are damaged, and logs once that they cannot be written', () => {
    const folder = tempFolder({ 'draft.json': '"half', 'attached.json': '[{"kind":1}]' });
    expect(kept(folder)).toMatchObject({ text: '', attached: [] });
    const file = join(folder, 'draft.json');
    writeFileSync(file, 'a file and no folder');
    const logged: unknown[] = [];
    const draft = kept(file, logged);
    draft.keep('Half');
    draft.keep('Half of it');
    expect(draft.text).toBe('Half of it');
    expect(logged).toEqual([expect.objectContaining({ code: 'EEXIST' })]);
  });
});
