// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { approval, conversation, step, tool, turn } from './conversations';
import { drawAgent } from './drawAgent';

const EVIL = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
const DANGEROUS = 'script, img, iframe, object, embed, style, link, form, svg [href], [onerror]';

describe('hostile text', () => {
  it('is inert in titles, prompts, labels, arguments, results, outcomes and banners', () => {
    const evilTool = tool('t1', { name: EVIL, label: EVIL, argumentsText: EVIL, state: 'running' });
    const agent = drawAgent(
      conversation({
        title: EVIL,
        model: EVIL,
        turns: [
          turn({
            prompt: EVIL,
            items: [
              step(1, EVIL, [evilTool]),
              {
                type: 'pass',
                number: 1,
                name: 'Pass 1',
                trigger: EVIL,
                beforeTokens: 2,
                afterTokens: 1,
                exact: true,
              },
            ],
            outcome: { type: EVIL, message: EVIL },
            usage: {
              inputTokens: 1,
              cacheReadTokens: 0,
              outputTokens: 1,
              cost: EVIL,
              elapsedMs: 1,
            },
          }),
        ],
        activity: approval('t1', { title: EVIL, subject: EVIL }),
        queued: [{ id: 1, text: EVIL }],
        problem: { message: EVIL, action: { label: EVIL, wish: { type: 'openSettings' } } },
      }),
    );
    agent.say({ type: 'replyStreamed', step: 2, text: EVIL });
    agent.say({ type: 'toolOutputStreamed', toolUseId: 't1', text: EVIL });
    agent.frame();
    agent.click(agent.get('tool-row').querySelector('button')!);
    agent.answer({ type: 'answered', data: EVIL });
    agent.answer({ type: 'refused', message: EVIL });
    expect(document.body.textContent!.split(EVIL).length - 1).toBeGreaterThanOrEqual(14);
    expect(document.querySelectorAll(DANGEROUS)).toHaveLength(0);
    expect((globalThis as Record<string, unknown>)['pwned']).toBeUndefined();
  });

  it('is inert in suggestions', () => {
    const agent = drawAgent(conversation({ suggestions: [EVIL] }));
    expect(agent.text('suggestion')).toBe(EVIL);
    expect(document.querySelectorAll(DANGEROUS)).toHaveLength(0);
  });

  it('links only to the web from a reply', () => {
    const text =
      '[a](javascript:alert(1)) [b](command:x) [c](https://example.com) ![d](https://e.com)';
    drawAgent(conversation({ turns: [turn({ items: [step(1, text)] })] }));
    const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['https://example.com', 'https://e.com']);
    expect(document.querySelectorAll(DANGEROUS)).toHaveLength(0);
  });

  it('does not turn a test id into an element of the view', () => {
    const text = '<button data-testid="approval-allow">Allow</button>';
    const agent = drawAgent(conversation({ turns: [turn({ items: [step(1, text)] })] }));
    expect(agent.all('approval-allow')).toEqual([]);
  });
});
