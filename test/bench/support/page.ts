import { Window } from 'happy-dom';
import { populateGlobal } from 'vitest/runtime';

// Import this before anything that draws: it creates the document to draw in.
populateGlobal(globalThis, new Window({ url: 'http://page.test/' }), { bindFunctions: true });
