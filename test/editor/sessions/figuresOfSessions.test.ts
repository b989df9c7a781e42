import { appendFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FiguresOfSessions } from '../../../src/editor/sessions/sessionFigures';
import type { ModelAccess } from '../../../src/editor/model/modelAccess';
import type { SessionListing } from '../../../src/sessions/sessionList';
import { HOURS, registryScene } from '../../sessions/support/registryScene';
import { promptEvent } from '../../support/drawing';
import { estimate } from '../../support/player';
import { tempFolder } from '../../tools/support/tempFolder';
import { DEMO, SMALL, validWith } from '../contextPanel/support/inspecting';

it('the figures of a session come from its log, in memory or on disk, while it is unchanged', async () => {
  const { registry, pass, now } = scene();
  const valid = validWith(SMALL);
  let warmed = 0;
  const atWork: { questions: { isWaiting: boolean } }[] = [];
  const access = {
    settings: { valid },
    estimator: { warm: async () => void (warmed += 1), estimate },
  } as unknown as ModelAccess;
  const desk = new FiguresOfSessions(
    { access, demoAuthor: DEMO, now },
    { registry, atWorkOn: () => atWork[0] as never },
  );
  const { session, file } = registry.start(true);
  session.append(promptEvent('Mend the mast.'));
  const listed = async (): Promise<SessionListing> => (await registry.list())[0]!;
  atWork.push({ questions: { isWaiting: true } });
  expect((await desk.of(await listed()))?.state).toBe('waiting');
  atWork[0]!.questions.isWaiting = false;
  expect((await desk.of(await listed()))?.state).toBe('working');
  atWork.pop();
  session.append({ type: 'turnEnded', outcome: { type: 'finished' } } as never);
  const held = await desk.of(await listed());
  expect(held).toMatchObject({ state: 'idle', used: { exact: false } });
  registry.close();
  expect(await desk.of(await listed())).toEqual(held);
  const before = warmed;
  expect(await desk.of(await listed())).toEqual(held);
  expect(warmed).toBe(before);
  pass(HOURS(999));
  const { ttl } = valid.settings.sessions;
  expect((await desk.of(await listed()))?.state).toBe(ttl > 0 ? 'expired' : 'idle');
  appendFileSync(file, '\n');
  expect(statSync(file).size).toBe((await listed()).bytes);
  await desk.of(await listed());
  expect(warmed).toBe(before + 1);
  expect(await desk.of({ ...(await listed()), file: `${file}.gone`, bytes: 1 })).toBeUndefined();
});

function scene() {
  let at = 0;
  const around = registryScene(tempFolder());
  return {
    ...around,
    pass: (ms: number) => void (at += ms),
    now: () => Date.UTC(2026, 10, 21, 12) + at,
  };
}
