import { describe, expect, it } from 'vitest';
import { EMPTY_SCRATCHPAD } from '../../src/contextWindow/scratchpad';
import { webviewHtml, WebviewLink } from '../../src/editor/page';
import { AgentViewProvider } from '../../src/editor/conversation/panel';
import { parseAgentPost } from '../../src/editor/conversation/wishes';
import { parseContextPost } from '../../src/editor/contextPanel/wishes';

describe('the page of a webview', () => {
  const html = webviewHtml({
    title: 'Agent',
    scriptUri: 'https://files/agent.js?a=1&b="2"',
    styleUri: 'https://files/agent.css',
    cspSource: 'https://files',
    nonce: 'n0nce',
  });

  it('may load one script by its nonce, the styles of the extension, and nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    expect(policy?.split('; ')).toEqual([
      `default-src 'none'`,
      `script-src 'nonce-n0nce'`,
      `style-src https://files 'nonce-n0nce'`,
      `font-src https://files`,
      `base-uri 'none'`,
      `form-action 'none'`,
    ]);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain('<script nonce="n0nce" src=');
    expect(html).not.toMatch(/<style|style=|unsafe/);
  });

  it('has a root element and escapes addresses in their attributes', () => {
    expect(html).toContain('<div id="root"></div>');
    expect(html).toContain('src="https://files/agent.js?a=1&amp;b=&quot;2&quot;"');
  });
});

describe('the link to a page', () => {
  it('posts once the page has announced itself, and only while it is visible', () => {
    const posted: string[] = [];
    const view = {
      visible: true,
      webview: { postMessage: (fact: unknown) => posted.push(String(fact)) },
    };
    const link = new WebviewLink<string>(view);
    link.post('too early');
    link.ready();
    link.post('seen');
    view.visible = false;
    link.visibilityChanged();
    link.post('hidden');
    view.visible = true;
    link.visibilityChanged();
    link.post('not drawn again yet');
    link.ready();
    link.post('seen again');
    expect(posted).toEqual(['seen', 'seen again']);
  });
});

const agentWish = (wish: unknown) => {
  const received = parseAgentPost({ number: 1, wish });
  return received.type === 'post' ? received.post.wish : undefined;
};

const contextPost = (message: unknown) => {
  const received = parseContextPost(message);
  return received.type === 'post' ? received.post : undefined;
};

describe('wishes', () => {
  it('are accepted as the protocol defines them', () => {
    const wishes = [
      { type: 'announceReady' },
      { type: 'submitPrompt', text: 'Fix it' },
      { type: 'answerApproval', toolUseId: 'toolu_1', approved: false, feedback: 'no' },
      { type: 'answerApproval', toolUseId: 'toolu_1', approved: true },
      { type: 'openFolder' },
      { type: 'sendQueued' },
    ];
    expect(wishes.map(agentWish)).toEqual(wishes);
    const ofContext = [
      { type: 'pinBlock', blockId: 'step-1' },
      { type: 'moveAnchor', blockId: 'prompt-2' },
      { type: 'fetchScratchpad' },
      { type: 'updateScratchpad', scratchpad: EMPTY_SCRATCHPAD, base: EMPTY_SCRATCHPAD },
      { type: 'compactNow', instructions: 'keep the paths' },
      { type: 'travelTo', at: 3 },
      { type: 'travelTo', at: 'now' },
      { type: 'fetchRequest', step: 'next' },
      { type: 'diffRequests', from: 2, to: 3, form: 'raw' },
      { type: 'exportView', form: 'html' },
      { type: 'exportView', form: 'html', shown: { ids: ['step-1'], words: 'pinned' } },
      { type: 'undoPass', number: 1 },
      {
        type: 'applyPass',
        proposedPassId: 1,
        spared: ['step-1'],
        summaries: { 'summary-1': 'Mine.' },
      },
      { type: 'postponePass', proposedPassId: 1 },
    ];
    const posts = ofContext.map((wish) => ({ session: 'one', number: 1, wish }));
    expect(posts.map(contextPost)).toEqual(posts);
    expect(contextPost({ session: 'one', wish: ofContext[0] })).toBeUndefined();
    expect(contextPost({ session: 'one', number: '1', wish: ofContext[0] })).toBeUndefined();
  });

  it.each([
    null,
    'stopTurn',
    { type: 'deleteEverything' },
    { type: 'submitPrompt' },
    { type: 'submitPrompt', text: 7 },
    { type: 'submitPrompt', text: 'x', extra: true },
    { type: 'undoPass', number: 0 },
    { type: 'applyPass', proposedPassId: 1, spared: 'step-1', summaries: {} },
    { type: 'applyPass', proposedPassId: 1, spared: [], summaries: { 'summary-1': 7 } },
    { type: 'updateScratchpad', scratchpad: { objective: 'x' } },
    { type: 'answerApproval', toolUseId: '', approved: true },
    { type: 'answerApproval', toolUseId: 'toolu_1', approved: 'yes' },
  ])('are not accepted if they are %j', (message) => {
    expect(agentWish(message)).toBeUndefined();
    expect(contextPost(message)).toBeUndefined();
    expect(contextPost({ session: 'one', number: 1, wish: message })).toBeUndefined();
  });
});

describe('a prompt offered to the Agent view', () => {
  it('waits until the page listens, and comes once', () => {
    const posted: unknown[] = [];
    const view = {
      visible: true,
      webview: { postMessage: (fact: unknown) => posted.push(fact) },
      onDidChangeVisibility: () => undefined,
      onDidDispose: () => undefined,
    };
    const agent = new AgentViewProvider();
    agent.offer('Fix this.');
    agent.adopt(view as never, { listen: () => undefined } as never);
    expect(posted).toEqual([]);
    agent.ready();
    agent.ready();
    agent.offer('Explain this.');
    expect(posted).toEqual([
      { type: 'promptOffered', text: 'Fix this.' },
      { type: 'promptOffered', text: 'Explain this.' },
    ]);
  });
});
