import { buildPng } from '../support/media-files.ts';
import type { Random } from '../support/random.ts';
import { listTokens } from './model/ledger.ts';
import { FIRST_SERIES } from './model/series.ts';
import { getFieldName, readSelected, readTyped, type ViewValues } from './model/written.ts';
import type { Actor, Filling } from './people.ts';
import type { Choice, Json, ListedElement, SlackRequest } from './slack/slack.ts';
import type { World } from './world.ts';

/** The platforms for which people write. */
const PLATFORMS = ['X', 'LINKEDIN', 'THREADS'];

/** A field of a form, with all values of the form. */
interface OpenField {
  viewId: string;
  listed: ListedElement;
  current: Json | undefined;
  values: ViewValues;
}

/** What people write, and what they choose in forms, as somebody does who reads the labels. */
export function createChoices({
  random,
  slack,
  send,
}: {
  random: Random;
  slack(): World['slack'];
  send(request: SlackRequest): Promise<void>;
}) {
  let [lastPost, lastSeries, lastVersion, lastWidth] = [0, FIRST_SERIES, 0, 400];
  const getLetter = ({ workspace }: Actor) => workspace.at(1)?.toLowerCase() ?? '';

  const createText = (actor: Actor) => {
    lastPost += 1;
    return `News §${getLetter(actor)}${lastPost} for you`;
  };
  const createSeriesText = (actor: Actor) => {
    lastSeries += 1;
    return `News §${getLetter(actor)}${lastSeries} for you`;
  };
  const createEdit = (token: string) => {
    lastVersion += 1;
    return `Better news ${token}.${lastVersion} for you`;
  };
  /** The text of a platform is a version of its own. */
  const createOwnText = (token: string, platform: string) => {
    lastVersion += 1;
    return `Short news ${token}.${lastVersion} for ${platform}`;
  };

  /** A text for one platform: that of another platform, an own one, or the one that the field has. */
  function chooseOwnText(platform: string, { current, values }: OpenField): string | undefined {
    const [token] = listTokens(readTyped(values, 'text'));
    if (token === undefined) return undefined;
    const isOfPost = (text: string) => listTokens(text).includes(token);
    if (isOfPost(String(current?.value ?? '')) && random.drawBoolean(0.7)) return undefined;
    const other = PLATFORMS.map((each) => readTyped(values, `own${each}`)).find(isOfPost);
    return other !== undefined && random.drawBoolean(0.5) ? other : createOwnText(token, platform);
  }
  /** Each picture is known by its width. */
  function choosePicture({ workspace }: Actor): string {
    lastWidth += 1;
    const bytes = buildPng({ width: lastWidth, height: 500 });
    return slack().upload(workspace, { name: `picture-${lastWidth}.png`, bytes });
  }
  function choosePlatforms(name: string, { values }: OpenField, options: Filling): string[] | undefined {
    const chosen = readSelected(values, name);
    if (name === 'platforms') {
      if (options.isNew) return [...(options.platforms ?? ['X'])];
      if (chosen.length === 0) return ['X'];
      return random.drawBoolean(0.15)
        ? random.pick([['X'], ['X', 'LINKEDIN'], ['LINKEDIN', 'THREADS']])
        : undefined;
    }
    if (options.isNew && options.differs) return [...options.differs];
    return random.drawBoolean(0.2) ? random.pick([[], ['X'], ['X', 'THREADS']]) : undefined;
  }

  async function choose(actor: Actor, field: OpenField, options: Filling): Promise<Choice | undefined> {
    const { viewId, listed, current } = field;
    const { actionId, blockId, label, isOptional, options: offered } = listed;
    const name = getFieldName(actionId);
    const value = typeof current?.value === 'string' ? current.value : '';
    if (options.review !== undefined) {
      if (name === 'lead') return value === '' ? '45 min' : undefined;
      return name === 'review' ? options.review : undefined;
    }
    if (listed.type === 'plain_text_input') {
      if (name === 'text') {
        const [token] = listTokens(value);
        if (token !== undefined && !options.isNew) return createEdit(token);
        return options.isSeries ? createSeriesText(actor) : createText(actor);
      }
      const [, platform] = /^own([A-Z]+)$/u.exec(name) ?? [];
      if (platform !== undefined) return chooseOwnText(platform, field);
      // [Fill] has opened the form with its slot.
      if (value.startsWith('next slot') && random.drawBoolean(0.5)) return undefined;
      if (/\b(when|time)\b/iu.test(label)) return options.time;
      return isOptional || value !== '' ? undefined : 'because it is better';
    }
    if (name === 'project' && options.project !== undefined) {
      const request = slack().loadOptions(viewId, blockId, actionId, '', 'stale');
      if (request) await send(request);
      const loaded = [...offered, ...slack().listLoadedOptions(viewId, blockId, actionId)];
      return loaded.find(({ label: shown }) => shown === options.project)?.value;
    }
    if (name === 'status') {
      const isDraft = options.isDraft ?? (random.drawBoolean(0.1) ? random.drawBoolean(0.5) : undefined);
      return isDraft === undefined ? undefined : isDraft ? 'DRAFT' : 'SCHEDULED';
    }
    if (name === 'platforms' || name === 'differs') return choosePlatforms(name, field, options);
    if (name === 'file') {
      const isReplaced = !options.isNew && random.drawBoolean(0.2);
      return options.hasPicture || isReplaced ? [choosePicture(actor)] : undefined;
    }
    const isEmpty = current?.selected_option === null || current?.selected_option === undefined;
    if (offered.length === 0 || !(random.drawBoolean(0.25) || (isEmpty && !isOptional))) return undefined;
    const { value: chosen } = random.pick(offered);
    return listed.type.startsWith('multi') || listed.type === 'checkboxes' ? [chosen] : chosen;
  }

  return { createText, createSeriesText, createEdit, choose };
}
