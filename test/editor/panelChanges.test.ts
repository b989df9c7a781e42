import assert from 'node:assert/strict';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';

describe('changing the window in the Context panel', function () {
  this.timeout(60_000);
  let page: PanelPage;

  /** The text of what would be sent next. */
  const nextText = async () => JSON.stringify(await page.nextRequest());

  /** The pass of a change by hand, as it stands in the log. */
  const passBy = async (action: () => Promise<unknown>) =>
    (await page.logged('passApplied', action)).pass;

  const press = async (blockId: string, key: string) => {
    await page.row(blockId).focus();
    await page.editor.page.keyboard.press(key);
  };

  before(async () => {
    page = await PanelPage.onSession(DEMO_FOLLOW_UPS);
  });

  it('pins and unpins a block, by mouse and by keyboard', async () => {
    const pinned = await page.logged('blockPinned', () => page.act('step-1', 'pin'));
    assert.equal(pinned.blockId, 'step-1');
    await page.row('step-1').locator('.p-pinned').waitFor();
    const unpinned = await page.logged('blockUnpinned', () => press('step-1', 'p'));
    assert.equal(unpinned.blockId, 'step-1');
    await page.row('step-1').locator('.p-pinned').waitFor({ state: 'detached' });
  });

  it('makes another prompt the task, and the first one again', async () => {
    const [first = '', second = ''] = DEMO_FOLLOW_UPS;
    const anchor = /<task_anchor.*?<\/task_anchor>/;
    const moved = await page.logged('anchorMoved', () => page.act('prompt-2', 'task'));
    assert.equal(moved.blockId, 'prompt-2');
    await page.row('prompt-2').getByText('Task: ', { exact: false }).first().waitFor();
    assert.ok(anchor.exec(await nextText())?.[0].includes(second));
    await page.logged('anchorMoved', () => press('prompt-1', 't'));
    await page.row('prompt-1').getByText('Task: ', { exact: false }).first().waitFor();
    assert.ok(anchor.exec(await nextText())?.[0].includes(first));
  });

  it('excludes a step with every half of its pairs, and restores it whole', async () => {
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
    await page.row('step-2').getByTestId('restore').click();
    await page.rowIn('step-2', 'whole');
    assert.equal(await nextText(), before);
  });

  it('brings an excluded step back as a recall at the end', async () => {
    await passBy(() => press('step-4', 'x'));
    await page.rowIn('step-4', 'excluded');
    const note = await page.logged('noteAdded', () => page.act('step-4', 'recall'));
    assert.deepEqual(note.source.from === 'recall' && note.source.blockId, 'step-4');
    const row = page.row(`note-${note.note}`);
    await row.waitFor();
    const { messages } = await page.nextRequest();
    assert.match(JSON.stringify(messages.at(-1)), /FLEET/);
  });

  it('clears the results of a step, its calls stay', async () => {
    const { decisions } = await passBy(() => page.act('step-2', 'clear'));
    assert.equal(decisions.find(({ blockId }) => blockId === 'step-2')?.action, 'clear');
    await page.rowIn('step-2', 'cleared');
    const next = await nextText();
    assert.equal(next.match(/Result cleared to make room/g)?.length, 3);
  });

  it('says why a change cannot be, and changes nothing', async () => {
    const { length } = await page.events();
    await press('prompt-2', 'x');
    const refusal = page.find('refusal');
    await refusal.waitFor();
    assert.match(await refusal.innerText(), /newest prompt/);
    assert.equal((await page.events()).length, length);
    await refusal.getByRole('button', { name: 'Dismiss' }).click();
    await refusal.waitFor({ state: 'detached' });
  });

  it('changes the scratchpad, and the model is told', async () => {
    await page.find('edit-scratchpad').click();
    const dialog = page.find('scratchpad-dialog');
    await dialog.getByTestId('scratchpad-objective').fill('Ask before any edit.');
    await dialog.getByTestId('scratchpad-keyFacts').fill('ports: 12\nships: 3');
    const { scratchpad, byUser } = await page.logged('scratchpadUpdated', () =>
      dialog.getByTestId('scratchpad-save').click(),
    );
    assert.equal(byUser, true);
    assert.deepEqual(scratchpad.keyFacts, ['ports: 12', 'ships: 3']);
    await dialog.waitFor({ state: 'detached' });
    await page.show('scratchpad');
    assert.match(await page.find('note-objective').innerText(), /Ask before any edit\./);
    assert.match(await nextText(), /The user changed your scratchpad.*Ask before any edit\./);
  });

  it('undoes an earlier pass while later ones hold', async () => {
    await page.show('ledger');
    const passes = page.find('hand-pass');
    const earliest = passes.filter({ hasText: 'excluded' }).first();
    const number = Number(await earliest.getAttribute('data-pass'));
    const undone = await page.logged('passUndone', () => earliest.getByTestId('undo-pass').click());
    assert.equal(undone.number, number);
    await page.rowIn('step-4', 'whole');
    await page.rowIn('step-2', 'cleared');
  });

  it('sends what it shows: the next request has every change', async () => {
    await page.ask('What can you do?');
    const sent = JSON.stringify((await requestsSent()).at(-1));
    assert.match(sent, /Result cleared to make room/);
    assert.match(sent, /Ask before any edit\./);
    await page.row('prompt-3').waitFor();
  });
});
