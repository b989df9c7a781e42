import '../support/page';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import type { AgentFact } from '../../../src/editor/conversation/state';
import { dispatch } from '../../../webview/kit/hostLink';
import { AgentViewStore } from '../../../webview/conversation/agentViewStore';
import { AgentView } from '../../../webview/conversation/agentView';
import { measure } from '../support/costs';
import { HostedSession } from '../support/hostedSession';
import { longLog } from '../support/longLog';

// The work of the Agent view's page, from the message to the changed document.

const { events, log } = longLog();
const hosted = new HostedSession('agent', events);
const root = document.body.appendChild(document.createElement('div'));
const store = new AgentViewStore({
  post: () => undefined,
  beforeFrame: (task) => task(),
  unsentPrompt: '',
  firstNumber: 1,
});
void act(() => render(<AgentView store={store} />, root));

function draw(facts: readonly string[]): void {
  for (const fact of facts) {
    void act(() => void dispatch(store.handlers, JSON.parse(fact) as AgentFact));
  }
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
});

// The page's timers would keep the process alive.
process.exit();
