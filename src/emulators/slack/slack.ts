/** The practice workspace. Everything outside imports this file alone, dynamically but for types. */

export type { ManifestGap } from './coverage/manifest-gaps.ts';
export { type OutsideSwitch, outsideSwitch } from './faults/outside-switch.ts';
export { startWorkspace, type Workspace } from './start-workspace.ts';
export { OPTIONS_STATES, type OptionsState, type WorkspaceOptions } from './workspace-options.ts';

/** What COVERAGE.md says: Markdown. Only those who generate it need the tables behind it. */
export async function coverageText(): Promise<string> {
  const coverage = await import('./coverage/coverage.ts');
  return coverage.coverageText();
}
