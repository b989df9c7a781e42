import assert from 'node:assert/strict';
import { COMPATIBLE, type CompatibleDouble, startCompatible } from '../support/compatibleServers';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';

/** Kinds of servers with the double of each, and what is said about it after a request. */
const KINDS = [
  ['LiteLLM', COMPATIBLE.liteLlm, /counts agree/],
  ['vLLM', COMPATIBLE.vllm, /no prompt cache marks/],
  ['llama.cpp', COMPATIBLE.llamaCpp, /no prompt cache marks/],
  ['OpenRouter', COMPATIBLE.openRouter, /no token counts, so numbers are estimates/],
  ['LM Studio', COMPATIBLE.lmStudio, /no token counts, so numbers are estimates/],
  ['Another server', COMPATIBLE.liteLlm, /127\.0\.0\.1.*counts agree/s],
] as const;

describe('a compatible server', () => {
  const settings = changedSettings();
  let server: CompatibleDouble;
  let agent: AgentPage;

  before(async () => {
    server = await startCompatible(COMPATIBLE.ollama, 'It is built from src.');
    agent = await AgentPage.onNewSession();
    await settings.set('context.windowTokens', undefined);
    await settings.set('context.maxReplyTokens', undefined);
    // The steps below change both; the end of the group restores them.
    await settings.set('model', 'claude-sonnet-5-5', 'user');
    await settings.set('baseUrl', '', 'user');
    await settings.set('provider', 'anthropic', 'user');
  });

  after(() => server.close());

  it('is chosen in the field for the key, answers without a key, and gives only estimates', async () => {
    await agent.find('use-key').click();
    const { quickInput } = agent.editor;
    await quickInput.secret.appears();
    await agent.editor.at('.quick-input-widget [aria-label="Use a Compatible Server"]').click();
    await quickInput.title.shows('Choose the Server');
    await quickInput.row('Ollama').shows(/http:\/\/localhost:11434.*no token counts/s);
    await quickInput.choose('Ollama');
    await quickInput.title.shows('Address of Ollama');
    await quickInput.field.holds('http://localhost:11434');
    await quickInput.answer('Address of Ollama', server.url);
    // It does not have the current model, so its own are offered.
    await quickInput.title.shows('Choose the Model');
    await quickInput.choose('qwen3-coder');
    await agent.find('use-key').isGone();
    await agent.submit('How is it built?');
    await agent.turn('How is it built?').shows('It is built from src.');
    await agent.does('idle');
    assert.ok(server.asked.length > 0);
    assert.ok(!JSON.stringify(server.asked).includes('cache_control'));
    assert.equal(server.counted(), 0);
    await agent.find('gauge').has('data-exact', 'false');
    await agent.find('choose-model').click();
    await quickInput
      .row('Server: Ollama')
      .shows(
        /qwen3-coder: no token counts, so numbers are estimates \(≈\) · no prompt cache marks/,
      );
    await quickInput.leave();
  });
  for (const [name, behaviour, said] of KINDS) {
    itInSoak(`of the kind ${name} is chosen, answers, and what it cannot do is shown`, async () => {
      const other = await startCompatible(behaviour, `${name} answers.`);
      try {
        const { quickInput } = agent.editor;
        await agent.startSession();
        await agent.find('choose-model').click();
        await quickInput.choose('Server: ');
        await quickInput.title.shows('Choose the Server');
        await quickInput.choose(name);
        await quickInput.answer(`Address of ${name}`, other.url);
        await agent.enterKey('a-key-of-this-test');
        await agent.submit('Who answers?');
        await agent.turn('Who answers?').shows(`${name} answers.`);
        await agent.does('idle');
        await agent.find('choose-model').click();
        await quickInput.row('Server: ').shows(said);
        await quickInput.leave();
      } finally {
        await other.close();
      }
    });
  }
});
