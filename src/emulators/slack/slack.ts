/** The practice workspace. Everything outside imports this file alone, dynamically but for types. */

export { type ExternalSwitch, externalSwitch } from './faults/external-switch.ts';
export type { SlackFaultPlan } from './faults/slack-fault-plan.ts';
export { startWorkspace } from './start-workspace.ts';
export type { Workspace } from './workspace.ts';
export { OPTIONS_STATES, type OptionsState, type WorkspaceOptions } from './workspace-options.ts';

/** The parts of a command that runs a workspace. Only commands need them, and the parser of YAML that they load. */
export const loadCommand = () => import('./command/command.ts');

/** What COVERAGE.md says: Markdown. Only those who generate it need the tables behind it. */
export async function coverageText(): Promise<string> {
  const coverage = await import('./coverage/coverage.ts');
  return coverage.coverageText();
}
