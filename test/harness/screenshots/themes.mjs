import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWebview, runCommandViaPalette } from '../driver/workbenchPage.mjs';
import { inRepository } from '../paths.mjs';

/** The themes in pictures and tests: the name in files, VS Code's label, and its class. */
export const THEMES = [
  { name: 'dark', label: 'Dark Modern', className: 'vscode-dark' },
  { name: 'light', label: 'Light Modern', className: 'vscode-light' },
  { name: 'highContrast', label: 'Dark High Contrast', className: 'vscode-high-contrast' },
];

/** Chooses a theme as a user does; returns once the view with this title has it. */
export async function chooseTheme(page, { label, className }, title = 'Context') {
  await runCommandViaPalette(page, 'Preferences: Color Theme');
  const picker = page.locator('.quick-input-widget');
  await picker.locator('input[type="text"]').fill(label);
  await picker.locator('.monaco-list-row').filter({ hasText: label }).first().waitFor();
  await page.keyboard.press('Enter');
  await picker.waitFor({ state: 'hidden' });
  const view = await findWebview(page, title);
  await view.locator(`body.${className}`).waitFor({ timeout: 20_000 });
}

/** Reads the theme variables that VS Code gives the panel and that our styles and scripts use. */
export async function readTheme(page) {
  const panel = await findWebview(page, 'Context');
  const { className, all } = await panel.locator('body').evaluate((body) => {
    const { style } = document.documentElement;
    return {
      className: body.className,
      all: [...style].map((name) => [name, style.getPropertyValue(name).trim()]),
    };
  });
  const used = usedVariables();
  const variables = all.filter(([name]) => used.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { className, variables: Object.fromEntries(variables) };
}

/** Saves these values for the tests that draw the panel without VS Code. */
export function keepThemes(themes) {
  const file = inRepository('test', 'webview', 'browser', 'support', 'themes.json');
  writeFileSync(file, `${JSON.stringify(themes, undefined, 2)}\n`);
}

function usedVariables() {
  const folder = inRepository('dist', 'webview');
  const texts = readdirSync(folder)
    .filter((name) => /\.(css|js)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/--vscode-[\w-]+/g) ?? []));
}
