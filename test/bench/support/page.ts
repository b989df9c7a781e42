import { Window } from 'happy-dom';
import { populateGlobal } from 'vitest/runtime';

// Import this before anything that draws: it makes the page that is drawn in.
populateGlobal(globalThis, new Window({ url: 'http://page.test/' }), { bindFunctions: true });
