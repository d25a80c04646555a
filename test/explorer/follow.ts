import { features } from '../../src/app/features.ts';
import { buildView, fillForm, listInputs } from './filled-form.ts';
import { iterateObjects } from './iterate-objects.ts';
import { buildRequest, type RequestSource, type SurfaceRequest } from './surface-request.ts';
import type { Result } from './world.ts';

/** Values of fields that accept only certain texts, by label. */
const FIELD_VALUES: Readonly<Record<string, string>> = {
  When: 'tomorrow 9am and Sunday 9am',
  Email: 'zoe@elsewhere.test',
  'Phone number': '+351 555 0100',
};

type Fields = Readonly<Record<string, unknown>>;

/** Lines besides the examples of commands: typing errors and questions. */
const UNUSUAL_LINES = [
  ...['help nothing like it', 'help schedule', 'schedle', 'use x', 'zone here Nowhereland', 'digest at 9'],
  ...['posts at the weekend', 'posts nothing like it'],
];

const commands = features.flatMap((feature) => feature.commands);

/** The examples of commands, as they are typed after `/upnext` or after their own slash command. */
const EXAMPLES = commands.flatMap(({ examples }) => Object.keys(examples));

/** All command lines: the unusual lines, and each command with its examples and by mention. */
export const EVERY_LINE: readonly SurfaceRequest[] = [
  ...UNUSUAL_LINES.map((id) => ({ surface: 'command', id })),
  ...commands.flatMap(({ name, slashCommand }) => [
    ...['command', 'mention', 'direct message'].map((surface) => ({ surface, id: name })),
    ...(slashCommand === undefined ? [] : [{ surface: 'own command', id: slashCommand }]),
  ]),
  ...[...new Set(EXAMPLES)].map((line) => {
    const [slashCommand = '', ...words] = line.split(' ');
    return slashCommand === '/upnext'
      ? { surface: 'command', id: words.join(' ') }
      : { surface: 'own command', id: slashCommand, text: words.join(' ') };
  }),
  { surface: 'event', id: 'app_home_opened' },
];

/** The same without mentions and direct messages. */
export const EVERY_COMMAND = EVERY_LINE.filter(
  ({ surface }) => surface !== 'mention' && surface !== 'direct message',
);

interface FollowOptions {
  source: RequestSource;
  /** Number of times that the same button is pressed and the same form is filled in. */
  maxRepeats: number;
  /** Returns what is typed into a field without a rule of its own. */
  type(): string;
  deliver(body: object): Promise<Result>;
}

/**
 * Makes these requests, presses every button in the answers, fills in every form, and follows what these show.
 */
export async function followAll(requests: readonly SurfaceRequest[], options: FollowOptions): Promise<void> {
  const { source, deliver, maxRepeats } = options;
  const counts = new Map<string, number>();
  const isAllowed = (key: string) => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count < maxRepeats;
  };
  const pending = requests.map((request) => async () => deliver(buildRequest(source, request)));
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { sent } = await next();
    pending.unshift(
      ...listSteps(
        sent.map(({ payload }) => payload),
        options,
        isAllowed,
      ),
    );
  }
}

/** Lists what a person can do with what they were shown: fill in the form on top, and press every button. */
function listSteps(
  sent: readonly Fields[],
  options: FollowOptions,
  isAllowed: (key: string) => boolean,
): (() => Promise<Result>)[] {
  const { source, deliver } = options;
  const views = [...iterateObjects(sent)].filter(({ type }) => type === 'modal' || type === 'home');
  const form = views.findLast(({ type }) => type === 'modal');
  const name = String(form?.callback_id ?? '');
  const formSteps =
    form?.submit !== undefined && isAllowed(`form ${name}`)
      ? [
          async () =>
            deliver(buildRequest(source, { surface: 'view', id: name, view: await fillIn(form, options) })),
        ]
      : [];
  const buttonSteps = sent.flatMap((payload) => {
    const view = views.findLast((candidate) => [...iterateObjects(payload)].includes(candidate));
    return listPresses(payload)
      .filter(({ id, value }) => isAllowed(`press ${id} ${getMenuItem(value)}`))
      .map(({ id, value }) => async () => {
        const pressed = view && { view: { ...buildView(view, {}), type: view.type } };
        return deliver(buildRequest(source, { surface: 'action', id, value, ...pressed }));
      });
  });
  return [...formSteps, ...buttonSteps];
}

/** The value of an item of a menu begins with the item's name, or with the id of a button: "pause 4711", "held-posts.edit 4711". */
const getMenuItem = (value: string) => /^[a-z.-]+ /.exec(value)?.[0] ?? '';

/** Lists the buttons and the items of menus outside of forms' fields. */
function listPresses(payload: Fields): { id: string; value: string }[] {
  const blocks = [...iterateObjects(payload)].filter(({ type }) => type === 'actions' || type === 'section');
  return [...iterateObjects(blocks.map(({ elements, accessory }) => ({ elements, accessory })))].flatMap(
    ({ type, action_id: id, value, options }) => {
      if (typeof id !== 'string') return [];
      if (type === 'button') return [{ id, value: String(value ?? '') }];
      return Array.isArray(options) ? options.map((option) => ({ id, value: String(option.value) })) : [];
    },
  );
}

/** Fills in a form's fields: menus with their first option, texts with the typed text. */
async function fillIn(form: Fields, { source, deliver, type: write }: FollowOptions): Promise<object> {
  const filling: Record<string, string | readonly string[]> = {};
  for (const { field, label, element } of listInputs(form)) {
    const type = String(element.type);
    if (type === 'plain_text_input') filling[field] = FIELD_VALUES[label] ?? write();
    else if (type.includes('users')) filling[field] = [source.user];
    else if (type.includes('conversations')) filling[field] = source.channel;
    else {
      const options = type.includes('external')
        ? await searchOptions(String(element.action_id), form)
        : element.options;
      const [first] = [...iterateObjects(options)].flatMap(({ value }) =>
        typeof value === 'string' ? value : [],
      );
      if (first !== undefined)
        filling[field] = type.startsWith('multi') || type === 'checkboxes' ? [first] : first;
    }
  }
  const deliverAndRead = async (body: object) => (await deliver(body)).sent;
  return fillForm(deliverAndRead, source, {
    ...{ name: String(form.callback_id), openingAnswers: [form], filling, isSubmitted: false },
  });

  async function searchOptions(id: string, view: Fields): Promise<unknown> {
    const request = { surface: 'options', id, view: buildView(view, {}) };
    const { sent } = await deliver(buildRequest(source, request));
    return sent.map(({ payload }) => payload);
  }
}
