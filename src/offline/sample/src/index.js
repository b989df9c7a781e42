export { planDecks, cargoTonnes, deckLoad } from './deckPlan.js';
export { markFor, maxDraughtMm, SEA_WATER, FRESH_WATER } from './loadLine.js';
export { readBooking, readManifest } from './manifest.js';
export { loadingSheet } from './report.js';
export { stabilityOf } from './stability.js';
export { freightCents, voyageCents, formatCents } from './tariff.js';
export { vesselNamed, fleetNames, decksTaking } from './vessel.js';
export { planVoyage } from './voyage.js';
