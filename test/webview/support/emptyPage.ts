import { beforeAll } from 'vitest';

/** The files of a worker share one page: each begins with what an empty one holds. */
beforeAll(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
});
