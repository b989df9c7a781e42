import assert from 'node:assert/strict';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { requestsSent } from './support/requestsSent';

describe('changing the window in the Context panel', () => {
  let page: PanelPage;

  /** The text of the next request. */
  const nextText = async () => JSON.stringify(await page.nextRequest());

  /** The pass of a change by hand, as the log has it. */
  const passBy = async (act: () => Promise<unknown>) =>
    (await page.logged('passApplied', act)).pass;

  /** Fills in the agent's notes and saves them. */
  async function writeNotes(notes: Readonly<Record<string, string>>) {
    await page.showPart('kept');
    await page.find('notes-edit').click();
    const dialog = page.find('scratchpad-dialog');
    for (const [name, text] of Object.entries(notes))
      await dialog.find(`scratchpad-${name}`).fill(text);
    const updated = await page.logged('scratchpadUpdated', () =>
      dialog.find('scratchpad-save').click(),
    );
    await dialog.isGone();
    await page.find('close-details').click();
    return updated;
  }

  describe('one block at a time', () => {
    before(async () => {
      page = await PanelPage.onFollowUps();
    });

    it('pins and unpins a block, by mouse and by keyboard', async () => {
      const pinned = await page.logged('blockPinned', () => page.act('step-1', 'pin'));
      assert.equal(pinned.blockId, 'step-1');
      await page.row('step-1').find('verb-unpin').appears();
      const unpinned = await page.logged('blockUnpinned', () => page.press('step-1', 'p'));
      assert.equal(unpinned.blockId, 'step-1');
      await page.row('step-1').find('verb-pin').appears();
    });

    it('makes another prompt the task, and the first one again', async () => {
      const [first = '', second = ''] = DEMO_FOLLOW_UPS;
      const anchor = /<task_anchor.*?<\/task_anchor>/;
      const moved = await page.logged('anchorMoved', () => page.act('prompt-2', 'task'));
      assert.equal(moved.blockId, 'prompt-2');
      await page.row('prompt-2').text('Task: ').first.appears();
      assert.ok(anchor.exec(await nextText())?.[0].includes(second));
      await page.logged('anchorMoved', () => page.press('prompt-1', 't'));
      await page.row('prompt-1').text('Task: ').first.appears();
      assert.ok(anchor.exec(await nextText())?.[0].includes(first));
    });

    it('excludes a step with both halves of its tool pairs, and restores it whole', async () => {
      const before = await nextText();
      const ids = [...new Set(before.match(/toolu_\w+/g))].filter(
        (id) => before.split(id).length > 2,
      );
      const { trigger, decisions } = await passBy(() => page.act('step-2', 'exclude'));
      assert.equal(trigger, 'byHand');
      assert.deepEqual(
        decisions.filter(({ action }) => action !== 'keep').map(({ blockId }) => blockId),
        ['step-2'],
      );
      await page.rowIn('step-2', 'excluded');
      const without = await nextText();
      const gone = ids.filter((id) => !without.includes(id));
      assert.equal(gone.length, 3, 'the three calls of the step are gone, and their results');
      await page.row('step-2').find('verb-restore').click();
      await page.rowIn('step-2', 'whole');
      assert.equal(await nextText(), before);
    });

    it('restores an excluded step as a recall at the end', async () => {
      await passBy(() => page.press('step-4', 'x'));
      await page.rowIn('step-4', 'excluded');
      const note = await page.logged('noteAdded', () => page.act('step-4', 'recall'));
      assert.deepEqual(note.source.from === 'recall' && note.source.blockId, 'step-4');
      await page.row(`note-${note.note}`).appears();
      const { messages } = await page.nextRequest();
      assert.match(JSON.stringify(messages.at(-1)), /FLEET/);
    });

    it('clears the results of a step and keeps its calls', async () => {
      const { decisions } = await passBy(() => page.act('step-2', 'clear'));
      assert.equal(decisions.find(({ blockId }) => blockId === 'step-2')?.action, 'clear');
      await page.rowIn('step-2', 'cleared');
      const next = await nextText();
      assert.equal(next.match(/Result cleared to make room/g)?.length, 3);
    });

    it('says why a change is not possible, and changes nothing', async () => {
      const { length } = await page.events();
      await page.refused(/newest prompt/, () => page.press('prompt-2', 'x'));
      assert.equal((await page.events()).length, length);
    });

    itInSoak(
      'keeps a rule of a removed prompt verbatim in the request, until it is struck',
      async () => {
        const rule = 'Never touch the fixtures.';
        await page.ask(`What can you do? ${rule}`);
        await page.ask('What can you do?');
        await page.row('prompt-4').appears();
        await passBy(() => page.act('prompt-3', 'exclude'));
        await page.rowIn('prompt-3', 'excluded');
        assert.match(await nextText(), new RegExp(`<standing_rules [^<]*- ${rule}`));
        await page.find('rules-chip').shows(/1 standing rule/);
        await page.find('rules-chip').click();
        await page.find('rule').shows(/in the rules block/);
        const struck = await page.logged('standingRuleStruck', () =>
          page.find('strike-rule').click(),
        );
        assert.equal(struck.text, rule);
        await page.find('rule').shows(/struck/);
        assert.match(await nextText(), new RegExp(`It no longer applies:.{1,4}${rule}`));
        await page.find('close-details').click();
      },
    );

    it('changes the scratchpad, and the model gets a note', async () => {
      const { scratchpad, byUser } = await writeNotes({
        objective: 'Ask before any edit.',
        keyFacts: 'ports: 12\nships: 3',
      });
      assert.equal(byUser, true);
      assert.deepEqual(scratchpad.keyFacts, ['ports: 12', 'ships: 3']);
      await page.showPart('kept');
      await page.find('note-objective').shows(/Ask before any edit\./);
      await page.find('close-details').click();
      assert.match(await nextText(), /The user changed your scratchpad.*Ask before any edit\./);
    });
  });

  describe('several changes together', () => {
    let earliest: number;

    before(async () => {
      page = await PanelPage.onFollowUps();
      ({ number: earliest } = await passBy(() => page.press('step-4', 'x')));
      await passBy(() => page.act('step-2', 'clear'));
      await writeNotes({ objective: 'Ask before any edit.' });
    });

    it('undoes an earlier pass while later ones stay', async () => {
      await page.show('ledger');
      const undo = page.change(earliest).find('undo-pass');
      const undone = await page.logged('passUndone', () => undo.click());
      assert.equal(undone.number, earliest);
      await page.rowIn('step-4', 'whole');
      await page.rowIn('step-2', 'cleared');
    });

    it('sends exactly what it shows: the next request has every change', async () => {
      await page.ask('What can you do?');
      const sent = JSON.stringify((await requestsSent()).at(-1));
      assert.match(sent, /Result cleared to make room/);
      assert.match(sent, /Ask before any edit\./);
      await page.row('prompt-3').appears();
    });
  });
});
