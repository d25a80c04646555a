/** How what Slack sends reaches the catalogue's handlers. Everything outside src/slack imports this file alone. */

export { type KeptArrivals, REMEMBERED_MS } from './arrivals.ts';
export { AnsweringApp, answerWithoutToken, boltLog, nothingDone } from './bolt-app.ts';
export type { Offers } from './frame.ts';
export { createRouter } from './router.ts';
export { clientOptionsFor, transport } from './transport.ts';
export { type UnderWay, underWay } from './under-way.ts';
export { foreignApps } from './unknown-request.ts';
