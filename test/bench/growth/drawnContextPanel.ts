import '../support/page';
import type { ContextFact } from '../../../src/editor/contextPanel/state';
import { drawPanel } from '../../webview/contextPanel/drawnPanel';
import { measure } from '../support/costs';
import { COURSE } from '../support/course';
import { HostedSession } from '../support/hostedSession';
import { longLog } from '../support/longLog';

// The work of the Context panel's page, from the message to the changed document.

const { events, log } = longLog();
const hosted = new HostedSession('context', events);
const panel = drawPanel();

function draw(facts: readonly string[]): void {
  for (const fact of facts) panel.tell(JSON.parse(fact) as ContextFact);
}

const whole = hosted.hydrate();
let isDrawn = false;
measure((time) => {
  if (!isDrawn) time('draw everything', () => draw(whole));
  isDrawn = true;
  hosted.append(log.reply());
  const reply = hosted.publish();
  time('draw one more reply', () => draw(reply));
  hosted.append(log.result());
  const result = hosted.publish();
  time('draw one more result', () => draw(result));
  if (COURSE.passEvery === undefined) return;
  hosted.append(log.pass());
  const pass = hosted.publish();
  time('draw one more pass', () => draw(pass));
});

// The page's timers would keep the process alive.
process.exit();
