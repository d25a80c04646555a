import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CommandProblem } from './command-problem.ts';

/** Common names of manifests: JSON in the Slack CLI and Slack's samples, and YAML in many apps. */
const DEFAULT_FILES = ['manifest.yml', 'manifest.yaml', 'manifest.json'];

/** Finds a manifest with a common name in the current folder. */
export function findManifest(): string {
  const found = DEFAULT_FILES.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new CommandProblem(`There is no ${DEFAULT_FILES.join(', ')} here: name your app's with --manifest`);
}

/** `option` is the command line option with the path, for error messages. */
export function readManifestFile(path: string, option = '--manifest'): object {
  const manifest = parseFile(path, option);
  if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest)) return manifest;
  throw new CommandProblem(
    `${option} ${path} is not an app manifest, which has display_information, features and so on`,
  );
}

function parseFile(path: string, option: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(/:?\n/);
    throw new CommandProblem(`${option} ${path} cannot be read: ${reason}`, { cause: error });
  }
}
