/** What each platform takes. Everything outside imports this file alone. */

export { checkPlatforms, type Finding } from './check-platforms.ts';
export { sayCounts } from './count-text.ts';
