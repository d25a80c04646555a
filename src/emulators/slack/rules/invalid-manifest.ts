import { problemsOfManifest } from './manifest-rules.ts';
import type { Problem } from './problem.ts';

/** The app cannot be made from this manifest; the message names each problem. */
export class InvalidManifest extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const list = problems.map(({ says, pointer }) => `${says} at ${pointer}`);
    super(`Slack would not take this manifest (invalid_manifest): ${list.join('; ')}`);
    this.name = 'InvalidManifest';
    this.problems = problems;
  }
}

/** Throws {@link InvalidManifest} where Slack would not take it. */
export function demandManifest(manifest: unknown): void {
  const problems = problemsOfManifest(manifest);
  if (problems.length > 0) throw new InvalidManifest(problems);
}
