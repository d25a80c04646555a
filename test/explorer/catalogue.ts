import { features } from '../../src/app/features.ts';

/** A place where a person can make a request. */
export interface Surface {
  feature: string;
  /** The type of the surface: 'command', 'own command', 'mention', 'direct message', 'open', 'view', 'action' … */
  surface: string;
  /** The command, the feature that is opened, or the id in Slack's payload. */
  id: string;
  /** The handler that runs: 'command posts', 'open', 'action sources.edit'. */
  key: string;
}

/** Events that a person causes. Other events need no permission. */
const EVENTS_CAUSED_BY_PEOPLE = ['app_home_opened'];

/** All surfaces of all features. */
export const surfaces: readonly Surface[] = features.flatMap((feature) => {
  const { name, commands, actions = {}, views = {}, options = {}, shortcuts = {}, events = {} } = feature;
  const listSurfaces = (surface: string, ids: readonly string[], kind = surface): Surface[] =>
    ids.map((id) => ({ feature: name, surface, id, key: `${kind} ${id}` }));
  return [
    ...commands.flatMap(({ name: command, slashCommand }) => {
      const key = `command ${command}`;
      const textSurfaces = ['command', 'mention', 'direct message'].map((surface) => ({
        surface,
        id: command,
      }));
      const ownSlashCommand =
        slashCommand === undefined ? [] : [{ surface: 'own command', id: slashCommand }];
      return [...textSurfaces, ...ownSlashCommand].map((textSurface) => ({
        feature: name,
        ...textSurface,
        key,
      }));
    }),
    ...(feature.open ? [{ feature: name, surface: 'open', id: name, key: 'open' }] : []),
    ...listSurfaces('view', Object.keys(views)),
    ...listSurfaces('shortcut', Object.keys(shortcuts)),
    ...listSurfaces('message shortcut', Object.keys(shortcuts), 'shortcut'),
    ...listSurfaces('action', Object.keys(actions)),
    ...listSurfaces('options', Object.keys(options)),
    ...listSurfaces(
      'event',
      Object.keys(events).filter((id) => EVENTS_CAUSED_BY_PEOPLE.includes(id)),
    ),
  ];
});

/** Whether a command is typed in another way than after `/upnext`. All ways lead to the same handler. */
export const isTypedElsewhere = ({ surface }: Pick<Surface, 'surface'>) =>
  ['own command', 'mention', 'direct message'].includes(surface);

/** All surfaces, with only one of the buttons or fields whose ids differ only by a number. */
export const distinctSurfaces = surfaces.filter(({ id }) => !/[.-][1-9]\d*$|text\d+$/.test(id));
