import type * as Slack from '@slack/types';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FileEntry } from '../../protocol.ts';
import { type ElementProps, useControl } from '../block-container.ts';
import { replaceEmojiCodes } from '../emoji.ts';
import { html } from '../html.ts';
import { Text } from '../mrkdwn.ts';
import { Picture } from '../picture.ts';
import { createRichText, readRichText } from '../rich-text-string.ts';
import { getCity } from '../time.ts';
import { ChosenFile, isFileEntry, MAX_FILES, TOO_MANY_FILES, takeFiles, useUploads } from '../upload.ts';
import { Button, Overflow } from './button.ts';
import { isOption } from './choices.ts';
import { SelectMenu } from './select-menu.ts';

type TypedElement =
  | Slack.PlainTextInput
  | Slack.EmailInput
  | Slack.URLInput
  | Slack.NumberInput
  | Slack.RichTextInput;

/** Pause in typing, ms, after which `on_character_entered` is dispatched. */
const TYPING_PAUSE_MS = 300;

/** Attributes of each type, with which the browser chooses its keyboard and suggestions. */
const BROWSER_TYPES = {
  plain_text_input: { type: 'text' },
  email_text_input: { type: 'email', autocomplete: 'off' },
  url_text_input: { type: 'url' },
  number_input: { type: 'text', inputmode: 'decimal' },
  rich_text_input: {},
};

function TextInput({ element, settings }: ElementProps<TypedElement>) {
  const control = useControl(element, settings);
  const pause: { current: ReturnType<typeof setTimeout> | undefined } = useRef(undefined);
  // The submission contains the typed text. A later action could make the app update the view and remove its errors.
  useLayoutEffect(() => {
    if (control.isInert) clearTimeout(pause.current);
  }, [control.isInert]);
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  // The page has no formatting, so an app gets the text as rich text without formatting.
  const isRich = element.type === 'rich_text_input';
  const value = isRich ? readRichText(control.value) : String(control.value ?? '');
  const createValue = (text: string) => (isRich ? createRichText(text) : text === '' ? null : text);
  const isMultiline = isRich || (element.type === 'plain_text_input' && element.multiline === true);

  const onInput = (event: InputEvent & { currentTarget: HTMLInputElement }) => {
    const typed = createValue(event.currentTarget.value);
    control.change(typed);
    clearTimeout(pause.current);
    if (!settings.dispatches || !triggers.includes('on_character_entered')) return;
    pause.current = setTimeout(() => void control.dispatch(typed), TYPING_PAUSE_MS);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing || (isMultiline && event.shiftKey)) return;
    if (!settings.dispatches || !triggers.includes('on_enter_pressed')) return;
    event.preventDefault();
    clearTimeout(pause.current);
    void control.dispatch(createValue(value));
  };

  const attributes = {
    ...control.ariaAttributes,
    id: control.id,
    value,
    placeholder: replaceEmojiCodes(element.placeholder?.text ?? ''),
    readonly: control.isInert,
    'data-focus-on-load': element.focus_on_load ? 'true' : undefined,
    onInput,
    onKeyDown,
  };
  const max = element.type === 'plain_text_input' ? element.max_length : undefined;
  return html`<div class="text-input">
    ${
      isMultiline
        ? html`<textarea ...${attributes} class="field" rows=${isRich ? (element.min_lines ?? 4) : 4}></textarea>`
        : html`<input ...${attributes} ...${BROWSER_TYPES[element.type]} class="field" />`
    }
    ${max === undefined || (!isMultiline && value.length < max / 2) ? null : html`<${Counter} used=${value.length} max=${max} />`}
  </div>`;
}

/** The number of characters. Screen readers announce it only near the limit. */
function Counter({ used, max }: { used: number; max: number }) {
  const left = max - used;
  const isNear = left <= Math.max(10, max / 10);
  return html`<span class=${`counter quiet ${left < 0 ? 'counter-over' : ''}`} aria-live=${isNear ? 'polite' : 'off'}>
    ${left < 0 ? `${-left} too many` : `${used} / ${max}`}
  </span>`;
}

type DateTimeElement = Slack.Datepicker | Slack.Timepicker | Slack.DateTimepicker;

/** The browser's input type for each element. */
const INPUT_TYPES = { datepicker: 'date', timepicker: 'time', datetimepicker: 'datetime-local' };

/**
 * Picks a date, a time, or both. As in Slack, a datetimepicker uses the computer's zone, not that of the person's
 * profile.
 */
function DateTimeInput({ element, settings }: ElementProps<DateTimeElement>) {
  const control = useControl(element, settings);
  const { value } = control;
  const isDateTime = element.type === 'datetimepicker';
  const onChange = ({ currentTarget: { value: typed } }: { currentTarget: HTMLInputElement }) => {
    const newValue = isDateTime ? Math.floor(new Date(typed).getTime() / 1000) : typed;
    void control.set(typed === '' ? null : newValue);
  };
  const zone = isDateTime
    ? Intl.DateTimeFormat().resolvedOptions().timeZone
    : element.type === 'timepicker'
      ? element.timezone
      : undefined;
  return html`<span class="row">
    <input
      ...${control.ariaAttributes}
      id=${control.id}
      type=${INPUT_TYPES[element.type]}
      class="field field-date-time"
      disabled=${control.isInert}
      data-focus-on-load=${element.focus_on_load ? 'true' : undefined}
      value=${isDateTime ? formatLocal(value) : (value ?? '')}
      onChange=${onChange}
    />
    ${zone === undefined ? null : html`<span class="quiet">${getCity(zone)} time</span>`}
  </span>`;
}

/** The wall time on this computer, as the browser's input needs it: `2026-12-01T09:00`. */
function formatLocal(seconds: unknown) {
  if (typeof seconds !== 'number') return '';
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Checkboxes or radio buttons. */
function CheckboxesOrRadioButtons({
  element,
  settings,
}: ElementProps<Slack.Checkboxes | Slack.RadioButtons>) {
  const control = useControl(element, settings);
  const isMultiple = element.type === 'checkboxes';
  const chosen: Slack.Option[] = [control.value ?? []].flat().filter(isOption);
  const isChosen = (option: Slack.Option) => chosen.some((other) => other.value === option.value);
  const toggle = (option: Slack.Option) =>
    control.set(
      isMultiple
        ? element.options.filter((other) => isChosen(other) !== (other.value === option.value))
        : option,
    );
  return html`<div id=${control.id} class="choose-all" role=${isMultiple ? 'group' : 'radiogroup'} ...${control.ariaAttributes}>
    ${element.options.map(
      (option, index) => html`<label key=${index} class="choose-one">
        <input
          type=${isMultiple ? 'checkbox' : 'radio'}
          name=${control.id}
          disabled=${control.isInert}
          data-focus-on-load=${element.focus_on_load && index === 0 ? 'true' : undefined}
          checked=${isChosen(option)}
          onChange=${() => void toggle(option)}
        />
        <span>
          <${Text} of=${option.text} />
          ${option.description ? html`<span class="description quiet"><${Text} of=${option.description} /></span>` : null}
        </span>
      </label>`,
    )}
  </div>`;
}

/** The component of each element type, without `multi_`. For unknown types, the page shows the type's name. */
const COMPONENTS = {
  button: Button,
  workflow_button: Button,
  plain_text_input: TextInput,
  email_text_input: TextInput,
  url_text_input: TextInput,
  number_input: TextInput,
  rich_text_input: TextInput,
  static_select: SelectMenu,
  external_select: SelectMenu,
  users_select: SelectMenu,
  conversations_select: SelectMenu,
  channels_select: SelectMenu,
  checkboxes: CheckboxesOrRadioButtons,
  radio_buttons: CheckboxesOrRadioButtons,
  datepicker: DateTimeInput,
  timepicker: DateTimeInput,
  datetimepicker: DateTimeInput,
  overflow: Overflow,
  file_input: FileInput,
};

const byType: ReadonlyMap<string, unknown> = new Map(Object.entries(COMPONENTS));

type FormElement =
  | Slack.ActionsBlockElement
  | Slack.ContextActionsBlockElement
  | Slack.InputBlockElement
  | Slack.SectionBlockAccessory;

export function Element({ element, settings }: ElementProps<FormElement>) {
  if (element.type === 'image') return html`<${Picture} image=${element} class="image-accessory" />`;
  const component = byType.get(element.type.replace(/^multi_/, ''));
  if (component === undefined)
    return html`<span class="not-rendered quiet">Unknown element: ${element.type}</span>`;
  return html`<${component} element=${element} settings=${settings} />`;
}

/** A field for files from this computer. Each file is uploaded as soon as it is chosen. */
function FileInput({ element, settings }: ElementProps<Slack.FileInput>) {
  const control = useControl(element, settings);
  const { status, upload } = useUploads();
  const files: FileEntry[] = [control.value ?? []].flat().filter(isFileEntry);
  const maxFiles = element.max_files ?? MAX_FILES;
  /** Includes files that were added while another file was being uploaded. */
  const latest: { current: FileEntry[] } = useRef(files);
  useEffect(() => {
    latest.current = files;
  });
  const changeFiles = (next: FileEntry[]) => {
    latest.current = next;
    control.change(next);
  };
  const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const { accepted, error } = acceptFiles(
      takeFiles(currentTarget),
      element.filetypes,
      maxFiles - files.length,
    );
    const onUploaded = (entry: FileEntry) => {
      changeFiles([...latest.current, entry]);
      return true;
    };
    void upload(accepted, { error, onUploaded });
  };
  return html`<div class="file-input">
    ${files.map((file) => html`<${ChosenFile} key=${file.id} file=${file} isInert=${control.isInert} onRemove=${() => changeFiles(files.filter((other) => other !== file))} />`)}
    <input
      ...${control.ariaAttributes}
      id=${control.id}
      class="sr-only"
      type="file"
      multiple=${maxFiles > 1}
      accept=${element.filetypes?.map((type) => `.${type}`).join(',')}
      disabled=${control.isInert || files.length >= maxFiles}
      onChange=${onChange}
    />
    <label for=${control.id} class="button file-choose" aria-hidden="true">${maxFiles > 1 ? 'Choose files' : 'Choose a file'}</label>
    <span class="quiet" role="status">${status}</span>
  </div>`;
}

/**
 * Selects the files that the field accepts. `types`: file name extensions, without the dot. Returns `error` if a file
 * was refused.
 */
function acceptFiles(
  files: readonly File[],
  types: readonly string[] | undefined,
  maxCount: number,
): { accepted: File[]; error: string | undefined } {
  const matches = files.filter(
    ({ name }) => types === undefined || types.some((type) => name.toLowerCase().endsWith(`.${type}`)),
  );
  const accepted = matches.slice(0, maxCount);
  if (matches.length < files.length) {
    return { accepted, error: `Only these file types are allowed: ${types?.join(', ')}.` };
  }
  return { accepted, error: accepted.length < matches.length ? TOO_MANY_FILES : undefined };
}
