/** The practice scheduling service. Everything outside imports this file alone, dynamically but for types. */

export type { FaultPlan, FaultRule } from './faults/fault-plan.ts';
export { loadPosts } from './load-posts.ts';
export { migrations } from './migrations.ts';
export { progressBar } from './progress-bar.ts';
export { type PracticeService, startService } from './start-service.ts';
