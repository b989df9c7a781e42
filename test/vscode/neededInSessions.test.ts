import { dirname } from 'node:path';
import { entered, type NewEvent, type SessionEvent } from '../../src/contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { evicting, promptEvent, reply, stepEvents, usage } from '../support/drawing';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { describeInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { scriptedModel } from './support/scriptedModel';
import { storeSession } from './support/storedSession';
import { until } from './support/until';

const FILE = 'src/tide.ts';

const PROMPT =
  `Read ${FILE} and remember for this project, in one line, what later sessions need of it. ` +
  'Begin the line with the path and end it with "(needed again in 2 sessions)".';

/** A session that read a file again after a pass had removed it. */
function readAgain(): readonly SessionEvent[] {
  const read = (id: string) => stepEvents([{ id: `toolu_${id}`, name: FILE, tokens: 20_000 }]);
  const all: readonly NewEvent[] = [
    { type: 'sessionStarted', version: 3, sessionId: 'drawn', pinTaskAnchor: true },
    promptEvent('Look at the tide.'),
    ...read('first'),
    evicting('step-1'),
    ...read('again'),
    reply('It comes twice a day.', usage(900)),
    { type: 'turnEnded', outcome: { type: 'finished' } },
  ];
  let window = EMPTY_WINDOW;
  return all.map((event, index) => {
    const dated = entered(event, Date.now() - 60_000 + index, window);
    window = applyEvent(window, dated);
    return dated;
  });
}

describeInSoak('a file that two sessions needed again', () => {
  const settings = changedSettings();
  let model: { close(): Promise<void> };
  let agent: AgentPage;
  /** The newest message of each request. */
  const asked: string[] = [];

  before(async () => {
    model = await scriptedModel(settings, ({ messages }) => {
      asked.push(JSON.stringify(messages.at(-1)));
      return { content: [{ type: 'text', text: 'That is all.' }] };
    });
    agent = await AgentPage.onNewSession();
    await agent.submit('Hello.');
    await agent.does('idle');
    const folder = dirname((await PanelPage.ofSession(agent)).logFile);
    for (const title of ['Tide by day', 'Tide by night']) {
      storeSession(folder, title, readAgain());
      await agent.openSession(title);
      await agent.submit('Go on.');
      await agent.does('idle');
    }
  });

  after(() => model.close());

  it('is offered in the panel, and Remember writes the prompt for project memory', async () => {
    const page = await PanelPage.ofSession(agent);
    const finding = page.find('findings').at('[data-kind="neededInSessions"]');
    await finding.shows(/src\/tide\.ts: needed again in 2 sessions/);
    await finding.find('finding-act').click();
    await finding.isGone();
    await agent.again();
    await agent.find('composer').holds(PROMPT);
    await agent.find('composer').press('Enter');
    const sent = JSON.stringify(PROMPT).slice(1, -1);
    await until('the model got the prompt', () => asked.some((text) => text.includes(sent)));
    await agent.does('idle');
  });
});
