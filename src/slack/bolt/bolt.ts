/**
 * Adapters between Bolt and the handlers of the features. Modules outside src/slack import only
 * this file.
 */

export {
  buildNotHandledMessage,
  createBoltLogger,
  RespondingApp,
  respondWithoutToken,
} from './bolt-app.ts';
export { createForeignAppFilter, logUnknownRequest } from './interactions.ts';
export { parseRequest } from './payloads.ts';
export { createRouter, createWorkTracker, type WorkTracker } from './router.ts';
export type { FallbackReplies } from './routing.ts';
export { createClientOptions, createTransport } from './transport.ts';
