import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEditor } from './harness/demo/runOnce.mjs';
import {
  findWebview,
  followWebview,
  openActivity,
  whenWorkbenchReady,
} from './harness/driver/workbenchPage.mjs';
import { installEditorHost } from './harness/editorHost/installEditorHost.mjs';
import { packageExtension } from './harness/package/packageExtension.mjs';

const PATIENCE = { timeout: 120_000 };

it(
  'installs into a bare editor, where one click opens the demo in a window of its own, up to the first answer of its script',
  { timeout: 480_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-installed-'));
    try {
      const vsix = join(folder, 'plimsoll.vsix');
      await packageExtension(vsix);
      const project = join(folder, 'project');
      mkdirSync(project);
      writeFileSync(join(project, 'README.md'), '# A project\n');
      const editor = await openEditor({
        host: await installEditorHost(() => undefined),
        plimsoll: { vsix },
        workspace: project,
        // As for a new user.
        settings: { 'plimsoll.provider': 'anthropic' },
        isWatched: false,
      });
      try {
        const { page } = editor;
        await openActivity(page, 'Plimsoll');
        const agent = await findWebview(page, 'Agent');
        const opened = page.context().waitForEvent('page', PATIENCE);
        await agent.getByTestId('try-demo').click(PATIENCE);
        const demo = await opened;
        await whenWorkbenchReady(demo);
        const inDemo = await followWebview(demo, 'Agent');
        const answer = inDemo().locator('[data-testid="step"] .markdown').first();
        await answer.waitFor(PATIENCE);
        expect((await answer.innerText()).length).toBeGreaterThan(20);
        expect(await inDemo().getByTestId('turn').first().innerText()).toMatch(/^Since release 2/);
        // The own project has no turn of the demo, and keeps its settings.
        expect(await agent.getByTestId('empty').isVisible()).toBe(true);
        expect(existsSync(join(project, '.vscode'))).toBe(false);
      } finally {
        await editor.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
