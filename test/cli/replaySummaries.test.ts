import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startStrictServer } from '../../src/offline/strictServer';
import { replayScene, SMALL } from './support/replayScene';

const COMPACT = [...SMALL, '--policy', 'summarise'];

let scene: ReturnType<typeof replayScene>;

beforeEach(() => {
  scene = replayScene();
});

describe('plimsoll replay --summariser URL', () => {
  async function server() {
    const strict = await startStrictServer({
      respond: () => ({ content: [{ type: 'text', text: 'All files were read.' }] }),
    });
    onTestFinished(() => strict.close());
    return strict;
  }

  it('gets the summaries from the named server', async () => {
    const { url, requests: asked } = await server();
    const requests = join(scene.folder, 'requests.jsonl');
    const [report] = await scene.reportsOf(
      scene.recording(),
      ...COMPACT,
      '--summariser',
      url,
      '--requests',
      requests,
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ path }) => path === '/v1/messages')).toBe(true);
    expect(readFileSync(requests, 'utf8')).toContain('All files were read.');
    expect(report).toMatchObject({ notes: [], invalid: 0, overBudget: 0 });
  });

  it('continues with work notes after a failure, and says how often and why', async () => {
    const strict = await server();
    for (let fault = 0; fault < 50; fault += 1) {
      strict.addFault({
        path: '/v1/messages',
        effect: { kind: 'status', status: 401, message: 'invalid x-api-key' },
      });
    }
    const ledger = join(scene.folder, 'ledger.jsonl');
    const [report] = await scene.reportsOf(
      scene.recording(),
      ...COMPACT,
      '--summariser',
      strict.url,
      '--ledger',
      ledger,
    );
    expect(report!.notes).toHaveLength(1);
    expect(report!.notes[0]).toMatch(
      /^summarise: (\d+) of \1 summaries are work notes; the first: /,
    );
    expect(report!.notes[0]).toContain('the model call failed');
    expect(readFileSync(ledger, 'utf8')).toContain('a work note (the model call failed');
    expect(readFileSync(ledger, 'utf8')).not.toContain('test-key');
  });
});
