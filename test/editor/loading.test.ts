import { expect, it } from 'vitest';
import { loadPart } from '../../src/editor/loading';

it('returns a module that was loaded, and names the one that failed in one sentence', async () => {
  expect(await loadPart('The demo', Promise.resolve({ start: 1 }))).toEqual({ start: 1 });
  const gone = Promise.reject(new Error("Cannot find module './demo.js'\nRequire stack:\n- a.js"));
  await expect(loadPart('The demo', gone)).rejects.toThrow(
    /^The demo could not be loaded\. Reload the window; if that does not help, install Plimsoll again\. \(Cannot find module '\.\/demo\.js'\)$/,
  );
});
