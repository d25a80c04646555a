import { startWorkspace } from '../start-workspace.ts';
import type { Workspace } from '../workspace.ts';
import type { WorkspaceOptions } from '../workspace-options.ts';
import { CommandProblem } from './command-problem.ts';
import { readManifestFile } from './read-manifest-file.ts';

/** The names of settings in error messages. */
interface SettingNames {
  port: string;
  folder: string;
}

/** Starts a workspace with the manifest at this path. Throws a CommandProblem that says what to change. */
export async function startFromManifest(
  path: string,
  options: Omit<WorkspaceOptions, 'manifest'>,
  names: SettingNames,
): Promise<Workspace> {
  const manifest = readManifestFile(path);
  try {
    return await startWorkspace({ ...options, manifest });
  } catch (error) {
    throw new CommandProblem(explain(error, path, options, names), { cause: error });
  }
}

function explain(
  error: unknown,
  manifest: string,
  { host, port }: Omit<WorkspaceOptions, 'manifest'>,
  names: SettingNames,
): string {
  if (!(error instanceof Error)) return `${names.folder}: ${String(error)}`;
  const code = 'code' in error ? String(error.code) : '';
  if (host !== undefined && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return `--host ${host} is not an address of this machine (${code})`;
  if (code === 'EADDRINUSE')
    return `${names.port} ${port} is in use by another program: stop that program, or choose another port`;
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return `${names.port} ${port} is a privileged port: choose a port from 1024 up`;
  if (error.name === 'InvalidManifestError') return `--manifest ${manifest}: ${error.message}`;
  return `${names.folder}: ${error.message}`;
}
