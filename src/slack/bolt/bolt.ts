/**
 * Adapters that take requests from Slack to the handlers of the catalogue. Modules outside src/slack import only this
 * file.
 */

export { SIGNATURE_LIFETIME_MS, type StoredArrivals } from './arrivals.ts';
export { AnsweringApp, answerWithoutToken, boltLog, notHandledText } from './bolt-app.ts';
export type { Offers } from './frame.ts';
export { createRouter, createWorkTracker, type WorkTracker } from './router.ts';
export { clientOptionsFor, createTransport } from './transport.ts';
export { createForeignAppFilter } from './unknown-request.ts';
