import { describe, expect, it } from 'vitest';
import { promptParts } from '../../../src/contextWindow/attached';
import { FILES } from '../support/mentionSources';
import { finishes, gate, settled } from '../support/controllerScene';
import { DONE, refused, view } from '../support/agentViewScene';

const NO_KEY = { message: 'There is no key.' };

describe('the attachments of a prompt', () => {
  const FILE = { type: 'file', path: 'src/loadLine.js' } as const;

  it('are found, added, sent with the prompt, and then removed', async () => {
    const { wish, seen, attachments } = view();
    expect(await wish({ type: 'findMentions', query: 'hull' })).toMatchObject({
      type: 'answered',
      data: [{ mention: { type: 'file', path: 'src/ship/hull.js' } }],
    });
    expect(await wish({ type: 'attach', mention: FILE })).toEqual(DONE);
    expect(await wish({ type: 'submitPrompt', text: 'Look', attached: [1] })).toEqual(DONE);
    await settled();
    expect(promptParts(seen.prompts[0]!)).toEqual({
      typed: 'Look',
      attached: [{ kind: 'file', name: FILE.path, text: FILES[FILE.path] }],
    });
    expect(attachments.items).toEqual([]);
  });

  it('include the custom command that a prompt calls, which follows the text of a queued prompt', async () => {
    const hold = gate();
    const command = (typed: string) =>
      ({ kind: 'command', name: 'do.md', text: `Do ${typed}` }) as const;
    const called = async (typed: string) =>
      typed === '/no'
        ? ({ ok: false, message: 'Not sent.' } as const)
        : ({ ok: true, attached: [command(typed)] } as const);
    const customCommands = { choices: async () => [], mayCall: () => true, called };
    const { wish, seen, current, attachments } = view(hold.runTurn, { customCommands });
    expect(await wish({ type: 'submitPrompt', text: '/no' })).toEqual(refused('Not sent.'));
    expect(await wish({ type: 'submitPrompt', text: '/do 1' })).toEqual(DONE);
    await wish({ type: 'submitPrompt', text: '/do 2' });
    await wish({ type: 'editQueued', id: 1, text: '/do 3' });
    expect(promptParts(current.run.queued.at(-1)!.text)).toEqual({
      typed: '/do 3',
      attached: [command('/do 3')],
    });
    expect(await attachments.restore({ text: seen.prompts[0]! })).toBe('/do 1');
    expect(attachments.items).toEqual([]);
  });

  it('stay if the prompt is refused, and are removed by a wish', async () => {
    const { wish, seen, attachments } = view(finishes, {}, NO_KEY);
    await wish({ type: 'attach', mention: FILE });
    await wish({ type: 'submitPrompt', text: 'Look', attached: [1] });
    expect([attachments.items.length, seen.prompts]).toEqual([1, []]);
    expect(await wish({ type: 'detach', id: 1 })).toEqual(DONE);
    expect(await wish({ type: 'detach', id: 1 })).toEqual(
      refused('This attachment has already been removed.'),
    );
    expect(await wish({ type: 'attach', mention: { type: 'file', path: 'no' } })).toEqual(
      refused('no does not exist.'),
    );
  });

  it('stay with a queued prompt whose text is edited', async () => {
    const hold = gate();
    const { wish, current, attachments } = view(hold.runTurn);
    await wish({ type: 'submitPrompt', text: 'First' });
    await wish({ type: 'attach', mention: FILE });
    await wish({ type: 'submitPrompt', text: 'Second', attached: [1] });
    expect(await wish({ type: 'editQueued', id: 1, text: 'Third' })).toEqual(DONE);
    const { typed, attached } = promptParts(current.run.queued.at(-1)!.text);
    expect([typed, attached.length, attachments.items.length]).toEqual(['Third', 1, 0]);
  });

  it('include pasted and dropped files; the user is told which could not be added', async () => {
    const { wish, done, attachments } = view();
    expect(await wish({ type: 'attachText', name: 'a.txt', text: 'Moor.' })).toEqual(DONE);
    const made = attachments.promptWith('', [1]);
    expect(made.ok && promptParts(made.prompt.text).attached).toEqual([
      { kind: 'file', name: 'a.txt', text: 'Moor.' },
    ]);
    const data = Buffer.from('%PDF-1.7').toString('base64');
    expect(await wish({ type: 'attachMedia', name: 'a.pdf', data })).toEqual(DONE);
    expect(attachments.items.at(-1)).toEqual({
      id: 2,
      kind: 'document',
      name: 'a.pdf',
      tokens: 1_000,
    });
    expect(await wish({ type: 'attachMedia', name: 'a.png', data: 'AAAA' })).toEqual(
      refused('a.png is not an image or PDF that the model accepts: PNG, JPEG, GIF, WebP, PDF.'),
    );
    const uris = ['file:///no', 'file:///yes', 'file:///also/no'];
    expect(await wish({ type: 'attachDropped', uris })).toEqual(
      refused('Not file:///no. Not file:///also/no.'),
    );
    expect(done).toEqual(['file:///yes']);
  });

  it('the composer runs a command of the palette', async () => {
    const { wish, done } = view();
    expect(await wish({ type: 'runCommand', command: 'compactNow' })).toEqual(DONE);
    expect(done).toEqual(['plimsoll.compactNow']);
  });
});
