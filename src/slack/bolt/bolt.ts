/**
 * Adapters that take requests from Slack to the handlers of the catalogue. Modules outside src/slack import only this
 * file.
 */

export { type KeptArrivals, REMEMBERED_MS } from './arrivals.ts';
export { AnsweringApp, answerWithoutToken, boltLog, nothingDone } from './bolt-app.ts';
export type { Offers } from './frame.ts';
export { createRouter } from './router.ts';
export { clientOptionsFor, transport } from './transport.ts';
export { type UnderWay, underWay } from './under-way.ts';
export { foreignApps } from './unknown-request.ts';
