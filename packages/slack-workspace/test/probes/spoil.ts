import type { Args, World } from './world.ts';

/** Changes valid arguments so that the method refuses them. */
export type Spoil = (args: Args, world: World, method: string) => Args | Promise<Args>;

export const set =
  (changes: Args): Spoil =>
  (args) => ({ ...args, ...changes });

/** The same call was made before. */
export const twice: Spoil = async (args, world, method) => {
  await world.call(method, args);
  return args;
};
