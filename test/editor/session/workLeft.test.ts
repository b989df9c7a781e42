import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { expect, it } from 'vitest';
import {
  isLongSessionLeft,
  isWorkLeft,
  sessionsFolder,
} from '../../../src/editor/session/workLeft';
import { registryScene } from '../../sessions/support/registryScene';
import { tempFolder } from '../../tools/support/tempFolder';

function scene() {
  const folder = tempFolder();
  return {
    storageUri: { fsPath: folder },
    globalStorageUri: { fsPath: join(folder, 'global') },
  } as unknown as ExtensionContext;
}

it('finds work left if the registry wrote a log', () => {
  const storage = scene();
  expect(isWorkLeft(storage)).toBe(false);
  const { registry } = registryScene(sessionsFolder(storage));
  registry.start(true);
  registry.close();
  expect(isWorkLeft(storage)).toBe(true);
});

it('finds a long session if one log is large', () => {
  const storage = scene();
  const folder = sessionsFolder(storage);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.jsonl'), 'x'.repeat(4_000_000));
  writeFileSync(join(folder, 'index.json'), 'x'.repeat(5_000_000));
  expect(isLongSessionLeft(storage)).toBe(false);
  writeFileSync(join(folder, 'b.jsonl'), 'x'.repeat(4_000_001));
  expect(isLongSessionLeft(storage)).toBe(true);
});
