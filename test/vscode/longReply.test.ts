import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { describeInSoak } from './support/inSoak';
import { scriptedModel } from './support/scriptedModel';

const ROWS = Array.from({ length: 110 }, (_, at) => `| file${at}.ts | **${at}** lines |\n`);
const REPLY = `All of it:\n\n| file | what |\n|---|---|\n${ROWS.join('')}\nThat is all.`;

describeInSoak('a reply with a long table', () => {
  const settings = changedSettings();
  let model: { close(): Promise<void> };
  let agent: AgentPage;

  before(async () => {
    model = await scriptedModel(settings, () => ({ content: [{ type: 'text', text: REPLY }] }));
    agent = await AgentPage.onNewSession();
  });

  after(() => model.close());

  it('shows its first rows, and more on demand', async () => {
    await agent.submit('List it.');
    await agent.does('idle');
    const step = agent.find('step').last;
    await step.shows(/That is all\.$/);
    await step.at('tbody tr').counts(50);
    await step.find('markdown-more').shows('Show more (60 rows)');
    await step.find('markdown-more').click();
    await step.at('tbody tr').counts(110);
    await step.find('markdown-more').isGone();
  });
});
