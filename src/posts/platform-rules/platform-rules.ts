/** The rules of each platform. Modules outside this folder import only this file. */

export { checkPlatforms, type Finding } from './check-platforms.ts';
export { renderCounts } from './count-text.ts';
