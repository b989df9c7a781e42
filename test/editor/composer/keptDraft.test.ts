import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptDraft } from '../../../src/editor/composer/keptDraft';
import { promptAttachments } from '../support/mentionSources';
import { tempFolder } from '../../tools/support/tempFolder';

const kept = (folder: string, logged: unknown[] = []) =>
  new KeptDraft(folder, (error) => void logged.push(error));

describe('the prompt being typed', () => {
  it('is kept for the next window with each key, and forgotten once it was sent', async () => {
    const folder = join(tempFolder(), 'draft');
    const draft = kept(folder);
    for (const text of ['While', 'While the agent', 'While the agent works']) {
      draft.keep(text);
      await expect.poll(() => kept(folder).text).toBe(text);
    }
    draft.keep('');
    await draft.stop();
    expect(kept(folder).text).toBe('');
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, 'draft.json')).mode & 0o077).toBe(0);
    }
  });

  it('ends as it was typed last, whatever is still written, and keeps no key waiting', async () => {
    const folder = join(tempFolder(), 'draft');
    const draft = kept(folder);
    const long = 'The mast. '.repeat(500_000);
    for (const text of [long, `${long}.`, 'Mend', 'Mend the mast']) draft.keep(text);
    expect(kept(folder).text).toBe('');
    await draft.stop();
    expect(kept(folder).text).toBe('Mend the mast');
    draft.keep('Mend the mast.');
    await draft.stop();
    expect(kept(folder).text).toBe('Mend the mast.');
    expect(readdirSync(folder)).toEqual(['draft.json']);
  });

  it('keeps its attachments as they were read', async () => {
    const folder = join(tempFolder(), 'draft');
    let draft = kept(folder);
    const inWindow = async () => {
      await draft.stop();
      const own = kept(folder);
      draft = own;
      const attachments = promptAttachments(() => own.keepAttached(attachments.kept));
      attachments.takeBack(own.attached);
      return attachments;
    };
    const before = await inWindow();
    await before.attach({ type: 'file', path: 'src/loadLine.js' });
    const media = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    await before.add({ kind: 'file', name: 'mast.png' }, async () => ({ ok: true, media }), true);
    const after = await inWindow();
    expect(after.items).toEqual(before.items);
    const ids = after.items.map(({ id }) => id);
    expect(after.promptWith('Look', ids)).toEqual(before.promptWith('Look', ids));
    after.send('Look', ids, () => undefined);
    expect((await inWindow()).items).toEqual([]);
  });

  it('is empty if its files are damaged, and logs once that they cannot be written', async () => {
    const folder = tempFolder({ 'draft.json': '"half', 'attached.json': '[{"kind":1}]' });
    expect(kept(folder)).toMatchObject({ text: '', attached: [] });
    const file = join(folder, 'draft.json');
    writeFileSync(file, 'a file and no folder');
    const logged: unknown[] = [];
    const draft = kept(file, logged);
    draft.keep('Half');
    draft.keep('Half of it');
    expect(draft.text).toBe('Half of it');
    await draft.stop();
    expect(logged).toEqual([expect.objectContaining({ code: 'EEXIST' })]);
  });
});
