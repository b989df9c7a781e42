import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesNow } from '../../../../src/agent/filesNow';
import { compactNow } from '../../../../src/editor/session/compactNow';
import { excerptsView } from '../../../../src/editor/contextPanel/files/derive';
import { FILES, filesAgent, linesOf, READS, textOf, excerptsOf } from '../../../support/filesAgent';
import { estimate } from '../../../support/player';
import { says } from '../../../support/scriptedAgent';
import { agentSettings, inspecting, lookedAt, SMALL, validWith } from '../support/inspecting';

const VALID = validWith({ ...SMALL, windowTokens: 20_000, summariser: 'off' });
const ROOMY = validWith({ windowTokens: 100_000, prepareWatermark: 0, summariser: 'off' });

/** The panel of a session that read files and needed no pass. */
async function session() {
  let inForce = ROOMY;
  const agent = await filesAgent(FILES, () => [...READS, says('Done.')]);
  Object.assign(agent.deps, { settings: () => agentSettings(inForce) });
  await agent.run('Read them all, and mend a.txt');
  inForce = VALID;
  const { workspace, estimator } = agent.deps;
  const { inspection } = inspecting(
    () => lookedAt(agent.session, VALID),
    estimate,
    (window) => filesNow({ workspace, estimator }, window),
  );
  const room = async () => {
    const passing = compactNow(agent.deps, agent.stop.signal);
    for (let next = await passing.next(); !next.done;) next = await passing.next();
    return agent.session.window.ledger.at(-1)!.pass;
  };
  return { agent, inspection, room };
}

describe('the excerpts of a planned pass', () => {
  it('are those that the pass then shows, of files changed since', async () => {
    const { agent, inspection, room } = await session();
    const now = linesOf('a').with(2, 'changed by something else').toSpliced(20, 0, 'and one more');
    writeFileSync(join(agent.root, 'a.txt'), textOf(now));
    rmSync(join(agent.root, 'b.txt'));
    const preview = (await inspection.preview())!;
    const tried = await inspection.whatIf(inspection.view().settings);
    const { next } = inspection.view();
    const pass = await room();
    const { fileChoices } = agent.session.window;
    expect(preview.shows).toEqual(excerptsView(pass.excerpts!, fileChoices));
    expect(preview.after).toEqual(pass.after);
    expect(preview.filesByLog).toBeUndefined();
    expect(tried.ok && tried.plan.shows).toEqual(preview.shows);
    expect(next).toMatchObject({ afterTokens: pass.after.tokens });
    expect(preview.shows!.hidden).toContainEqual({
      path: 'b.txt',
      what: expect.stringContaining('does not exist any more'),
    });
    const shown = excerptsOf(agent).flatMap((view) => view.shown);
    expect(shown.find(({ path }) => path === 'a.txt')).toMatchObject({ changedOutside: true });
  });

  it('are shown as next once the files were read ahead, without a preview', async () => {
    const { agent, inspection, room } = await session();
    writeFileSync(join(agent.root, 'a.txt'), textOf(linesOf('a').toSpliced(20, 0, 'and one more')));
    rmSync(join(agent.root, 'b.txt'));
    const byLog = inspection.view().next;
    expect(inspection.isByLog).toBe(true);
    expect(await inspection.readAhead()).toBe(true);
    expect([inspection.isByLog, await inspection.readAhead()]).toEqual([false, false]);
    const { next } = inspection.view();
    expect(next).not.toEqual(byLog);
    const pass = await room();
    expect(next).toMatchObject({ afterTokens: pass.after.tokens });
    // The window has changed.
    expect(inspection.isByLog).toBe(true);
    await inspection.travelTo(10);
    expect([inspection.isByLog, await inspection.readAhead()]).toEqual([false, false]);
  });

  it('are not waited for if passes show no excerpts or no folder is open', async () => {
    const { agent } = await session();
    const never = () => Promise.reject(new Error('The files were read.'));
    const without = validWith({ ...SMALL, excerpts: false });
    const { inspection } = inspecting(() => lookedAt(agent.session, without), estimate, never);
    expect([inspection.isByLog, await inspection.readAhead()]).toEqual([false, false]);
    const closed = inspecting(() => lookedAt(agent.session, VALID), estimate).inspection;
    expect([closed.isByLog, await closed.readAhead()]).toEqual([true, false]);
  });

  it('come from the log at a past step and in a recording, which the panel says', async () => {
    const { agent, inspection } = await session();
    const { settings } = inspection.view();
    await inspection.travelTo(10);
    const then = await inspection.whatIf(settings);
    expect(then.ok && then.plan).toMatchObject({ filesByLog: true });
    const recorded = inspecting(
      () => ({
        ...lookedAt(agent.session, VALID),
        source: {
          type: 'recording',
          file: 'a.jsonl',
          format: 'plimsoll',
          following: false,
          notes: [],
        },
      }),
      estimate,
      () => Promise.reject(new Error('The files of a recording were read.')),
    );
    expect(await recorded.inspection.preview()).toMatchObject({ filesByLog: true });
  });
});
