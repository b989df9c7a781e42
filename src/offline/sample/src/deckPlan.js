import { round3 } from './units.js';

/** Opens an empty deck of a vessel for loading. */
function openDeck(deck) {
  return { ...deck, items: [], usedTonnes: 0, usedMetres: 0 };
}

/** Orders items heaviest first, then longest, then by reference, so that a plan never depends on the booking order. */
function heaviestFirst(items) {
  return [...items].sort(
    (a, b) => b.tonnes - a.tonnes || b.lengthMetres - a.lengthMetres || a.ref.localeCompare(b.ref),
  );
}

/** Tells whether a deck is built for this kind of item. */
function takesKind(deck, item) {
  return deck.takes.includes(item.kind);
}

/** Tells whether a deck has the lane metres and the tonnes left for an item. */
function hasRoom(deck, item) {
  const metres = round3(deck.usedMetres + item.lengthMetres);
  return metres <= deck.laneMetres && deck.usedTonnes <= deck.limitTonnes;
}

/** Gives the deck as it is with the item on it. */
function stow(deck, item) {
  return {
    ...deck,
    items: [...deck.items, item],
    usedTonnes: round3(deck.usedTonnes + item.tonnes),
    usedMetres: round3(deck.usedMetres + item.lengthMetres),
  };
}

/**
 * Stows items on the decks of a vessel, heaviest first, each on the lowest deck that takes it.
 *
 * Returns the loaded decks in the order of the vessel, and the items for which no deck had room.
 */
export function planDecks(vessel, items) {
  let decks = vessel.decks.map(openDeck);
  const leftBehind = [];
  for (const item of heaviestFirst(items)) {
    const index = decks.findIndex((deck) => takesKind(deck, item) && hasRoom(deck, item));
    if (index === -1) {
      leftBehind.push(item);
      continue;
    }
    decks = decks.map((deck, i) => (i === index ? stow(deck, item) : deck));
  }
  return { decks, leftBehind };
}

/** Sums the weight on all decks, in tonnes. */
export function cargoTonnes(decks) {
  return round3(decks.reduce((sum, deck) => sum + deck.usedTonnes, 0));
}

/** Gives the share of a deck's weight limit in use, 0 to 1. */
export function deckLoad(deck) {
  return round3(deck.usedTonnes / deck.limitTonnes);
}
