import { passViews, requestsOfPasses } from '../../../src/editor/contextPanel/ledger/derive';
import { contextPatch, timelinePatch } from '../../../src/editor/contextPanel/statePatch';
import { DEMO } from '../../editor/contextPanel/support/inspecting';
import { measure } from '../support/costs';
import { COURSE } from '../support/course';
import { bytesOf, HostedSession } from '../support/hostedSession';
import { longLog } from '../support/longLog';

// What the host computes for the Context panel and posts to it.

const { events, log } = longLog();
const hosted = new HostedSession('context', events);
const { session, inspection } = hosted;
const publish = (): number => bytesOf(hosted.publish());
const drawn = () => ({ context: inspection.view(), timeline: inspection.timeline() });
let former = drawn();

hosted.hydrate();
measure((time) => {
  hosted.append(log.reply());
  time('tell it of one more reply', publish);
  hosted.append(log.result());
  time('tell it of one more result', publish);
  if (COURSE.passEvery !== undefined) {
    hosted.append(log.pass());
    time('tell it of one more pass', publish);
  }

  hosted.append(log.reply(), log.result());
  time('  of this, view()', () => void inspection.view());
  time('  of this, timeline()', () => void inspection.timeline());
  time(
    '  of this, passViews()',
    () =>
      void passViews(session.window, requestsOfPasses(inspection.inspected, DEMO), () => undefined),
  );
  const now = drawn();
  time('  of this, the patches', () => {
    const context = contextPatch(former.context, now.context);
    return JSON.stringify([context, timelinePatch(former.timeline, now.timeline)]).length;
  });
  former = now;
});

// Measured in separate rounds: freshly written megabytes would slow down later measurements.
measure((time) => time('tell it everything', () => bytesOf(hosted.hydrate())));
