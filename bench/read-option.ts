/** Returns the word after the option `name`. Undefined if the option isn't given. */
export function readOption(args: readonly string[], name: string): string | undefined {
  const index = args.indexOf(name);
  return index < 0 ? undefined : args[index + 1];
}
