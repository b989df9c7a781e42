import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoBegan, DemoProject, doesDemoWait, isDemo } from '../../../src/editor/demo/demoProject';

/** An installed extension with a sample project, and its storage. */
function places() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-demo-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sample = join(folder, 'extension', 'dist', 'sample');
  mkdirSync(sample, { recursive: true });
  writeFileSync(join(sample, 'package.json'), '{}');
  const storage = join(folder, 'storage');
  const where = {
    extensionPath: join(folder, 'extension'),
    globalStorageUri: { fsPath: storage },
  } as unknown as ConstructorParameters<typeof DemoProject>[0];
  return { where, demos: join(storage, 'demos') };
}

describe('the demo', () => {
  it('opens a copy of the sample project in a new window, where its task waits until it began', async () => {
    const { where, demos } = places();
    const opened: string[] = [];
    const openWindow = async (folder: string) => opened.push(folder);
    await new DemoProject(where, () => 'one', openWindow).open();
    const root = join(demos, 'one', 'plimsoll-demo');
    expect(opened).toEqual([root]);
    expect(existsSync(join(root, 'package.json'))).toBe(true);
    expect([isDemo(root, where), doesDemoWait(root, where)]).toEqual([true, true]);
    await demoBegan(root);
    expect([isDemo(root, where), doesDemoWait(root, where)]).toEqual([true, false]);
  });

  it('is never the project of the user, wherever that is', () => {
    const { where, demos } = places();
    const others = [
      undefined,
      '/home/me/plimsoll-demo',
      demos,
      join(demos, 'plimsoll-demo'),
      join(demos, 'one', 'other'),
      join(demos, 'one', 'plimsoll-demo', 'src'),
      join(demos, '..', 'plimsoll-demo'),
    ];
    for (const root of others) expect(isDemo(root, where), root).toBe(false);
  });

  it('deletes copies that were not used for a week', async () => {
    const { where, demos } = places();
    await new DemoProject(
      where,
      () => 'old',
      async () => {},
    ).open();
    const old = (Date.now() - 8 * 24 * 60 * 60 * 1000) / 1000;
    utimesSync(join(demos, 'old'), old, old);
    await new DemoProject(
      where,
      () => 'new',
      async () => {},
    ).open();
    expect(readdirSync(demos)).toEqual(['new']);
  });
});
