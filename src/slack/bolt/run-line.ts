import type { Call } from '../../app/call.ts';
import type { CommandDescription } from '../catalogue.ts';
import { readLine } from '../read-command.ts';
import type { RouterOptions } from './frame.ts';

/** Does what a line says, as if it had been typed where the call comes from. */
export async function runLine(options: RouterOptions, call: Call, line: string): Promise<void> {
  const read = readLine(line, options.catalogue);
  if (read.kind === 'unknown') return unknown(options, call, line);
  const name = read.kind === 'none' ? options.first : read.feature;
  const words = read.kind === 'none' ? '' : read.words;
  const feature = options.features.find((one) => one.name === name);
  const command = feature?.commands.find((one) => read.kind === 'none' || one.name === read.command.name);
  if (!command) throw new Error(`the catalogue lists a command of "${name}" that nothing answers`);
  const allowed = await options.permit(call, name, { surface: 'command', command: command.name, words });
  if (call.trigger === undefined && opensForm(command, words)) {
    return options.offers.press(allowed, line, command);
  }
  await command.run({ ...allowed, words });
}

/** Only what the person may do is suggested. */
async function unknown(options: RouterOptions, call: Call, line: string): Promise<void> {
  const { feature, command } = options.forAll;
  const allowed = await options.permit(call, feature, { surface: 'command', command, words: '' });
  const read = readLine(line, allowed.catalogue);
  if (read.kind === 'unknown') await options.offers.unknown(allowed, read);
}

function opensForm({ opensForm: opens = false }: CommandDescription, words: string): boolean {
  return typeof opens === 'boolean' ? opens : opens(words);
}
