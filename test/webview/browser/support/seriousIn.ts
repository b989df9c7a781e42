import type { Page } from 'playwright-core';
import { axeSource } from './panelPage';
import { changeTheme, THEMES } from './webviewPage';

export interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly string[];
}

/** The themes in which only the rules about colours run: the elements are those of the dark theme. */
const COLOURS_ONLY = ['vscode-light', 'vscode-high-contrast'];

/** The serious axe-core findings in the page in each theme; those without one are left out. */
export async function seriousInThemes(page: Page): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, readonly Finding[]> = {};
  for (const theme of THEMES) {
    await changeTheme(page, theme);
    const serious = await seriousIn(page);
    if (serious.length > 0) found[theme] = serious;
  }
  return found;
}

/** The serious axe-core findings in the page. */
export async function seriousIn(page: Page): Promise<readonly Finding[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource());
  return page.evaluate(async (coloursOnly) => {
    const isColours = coloursOnly.some((name) => document.body.classList.contains(name));
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({
      // Otherwise it also describes every element without findings.
      resultTypes: ['violations'],
      ...(isColours
        ? { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
        : {}),
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.slice(0, 5).map(({ html }) => html.slice(0, 300)),
      }));
  }, COLOURS_ONLY);
}
