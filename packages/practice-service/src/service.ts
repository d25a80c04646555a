/** The emulator of the scheduling service. Other modules import only this file, dynamically except for types. */

export type { FaultPlan, FaultRule } from './faults/fault-plan.ts';
export type { FaultCounts } from './faults/service-faults.ts';
export { createProgressBar, loadPosts } from './load-posts.ts';
export { migrations } from './migrations.ts';
export type { ServiceSchema } from './schema.ts';
export { type PracticeService, startService } from './start-service.ts';
