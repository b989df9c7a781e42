import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PassReview, ProposedPass } from '../../src/agent/agentDeps';
import type { ShownLines } from '../../src/contextWindow/block';
import { FILES, filesAgent, linesOf, READS, textOf, excerptsOf } from '../support/filesAgent';
import { says } from '../support/scriptedAgent';

describe('a waiting pass', () => {
  const now = linesOf('a').with(2, 'changed while the user thought');
  const review =
    (answer: Partial<Exclude<PassReview, { readonly type: 'postpone' }>>, shown: ProposedPass[]) =>
    (root: string) => ({
      reviewPass: async (proposed: ProposedPass): Promise<PassReview> => {
        shown.push(proposed);
        writeFileSync(join(root, 'a.txt'), textOf(now));
        return { type: 'apply', spared: [], summaries: {}, ...answer };
      },
    });

  it('shows the files in their version at the user’s approval, and says so', async () => {
    const proposed: ProposedPass[] = [];
    const agent = await filesAgent(FILES, () => [...READS, says('Done.')], {
      settings: { compaction: 'ask' },
      deps: review({}, proposed),
    });
    await agent.run('Read them all, and mend a.txt');
    const textIn = (shown: readonly ShownLines[]) =>
      shown.filter(({ path }) => path === 'a.txt').map(({ text }) => text);
    expect(textIn(proposed[0]!.plan.excerpts!.shown).join('\n')).toContain('a says 3 of');
    const view = agent.session.window.ledger.at(0)!.pass.excerpts!;
    expect(textIn(view.shown).join('\n')).toContain('changed while the user thought');
    expect(textIn(view.shown).join('\n')).not.toContain('a says 3 of');
    expect(agent.heard).toContainEqual({
      type: 'notice',
      message:
        'Files changed while you decided: the pass was planned again with their current version. Check it, then apply it.',
    });
  });

  it('runs as proposed if nothing that it shows has changed', async () => {
    const proposed: ProposedPass[] = [];
    const agent = await filesAgent(FILES, () => [...READS, says('Done.')], {
      settings: { compaction: 'ask' },
      deps: (root) => {
        writeFileSync(join(root, 'a.txt'), textOf(now));
        return review({}, proposed)(root);
      },
    });
    await agent.run('Read them all, and mend a.txt');
    expect(agent.session.window.ledger.at(0)!.pass.excerpts).toEqual(proposed[0]!.plan.excerpts);
    expect(agent.heard.some(({ type }) => type === 'notice')).toBe(false);
  });

  it('shows the files in their version after a model has rated the blocks', async () => {
    let root = '';
    const agent = await filesAgent(FILES, () => [...READS, says('Done.')], {
      settings: { salience: 'model' },
      rater: (request) => {
        writeFileSync(join(root, 'a.txt'), textOf(now));
        return says('{}')(request);
      },
    });
    root = agent.root;
    await agent.run('Read them all, and mend a.txt');
    const [first] = excerptsOf(agent);
    expect(JSON.stringify(first!.shown)).toContain('changed while the user thought');
  });

  it('shows nothing of a file that the user meanwhile chose never to show', async () => {
    let rated = 0;
    const agent = await filesAgent(FILES, () => [...READS, says('Done.')], {
      settings: { salience: 'model' },
      rater: (request) => {
        rated += 1;
        agent.session.append({ type: 'fileChosen', path: 'a.txt', choice: 'never' });
        return says('{}')(request);
      },
    });
    await agent.run('Read them all, and mend a.txt');
    expect(rated).toBeGreaterThan(0);
    const [first] = excerptsOf(agent);
    expect(first!.shown.length).toBeGreaterThan(0);
    expect(first!.shown.some(({ path }) => path === 'a.txt')).toBe(false);
  });
});
