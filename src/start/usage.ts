import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Reads the arguments of a script. `--help` prints the usage and ends the process with status 0. Arguments that `config`
 * doesn't allow end it as {@link failWithUsage} does. Call it before anything that reads settings, data or ports.
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (config.args?.includes('--help') ?? process.argv.includes('--help', 2)) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // Later sentences explain how to pass a positional argument that begins with a dash.
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    return failWithUsage(usage, line);
  }
}

/** Prints what is wrong with an argument, in one line, and the usage. Ends the process with status 2. */
export function failWithUsage(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}
