/** What each platform takes. Everything outside imports this file alone. */

export { checkPlatforms } from './check-platforms.ts';
export { sayCounts } from './count-text.ts';
export type { Finding } from './finding.ts';
