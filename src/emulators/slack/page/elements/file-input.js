import { useEffect, useRef, useState } from 'preact/hooks';
import { useControl } from '../block-container.js';
import { formatFileSize } from '../file-size.js';
import { html } from '../html.js';
import { isFileEntry, useUpload } from '../use-upload.js';

/**
 * @import { FileInput as FileInputElement } from '@slack/types'
 * @import { FileEntry } from '../../protocol.ts'
 */

/** Slack's default. */
const MAX_FILES = 10;

/**
 * Files from this computer; each is uploaded as soon as it is chosen.
 * @param {{ element: FileInputElement, place: import('../block-container.js').BlockSettings }} props
 */
export function FileInput({ element, place }) {
  const control = useControl(element, place);
  const upload = useUpload();
  const [status, setStatus] = useState('');
  const held = control.state?.files;
  /** @type {FileEntry[]} */
  const files = Array.isArray(held) ? held.filter(isFileEntry) : [];
  const most = element.max_files ?? MAX_FILES;
  /** What is held when an upload ends may be more than when it began. @type {{ current: FileEntry[] }} */
  const latest = useRef(files);
  useEffect(() => {
    latest.current = files;
  });
  /** @param {FileEntry[]} next */
  const keep = (next) => {
    latest.current = next;
    control.type({ type: element.type, files: next });
  };
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const chosen = async ({ currentTarget }) => {
    const all = [...(currentTarget.files ?? [])];
    // The same file can be chosen again after it was removed.
    currentTarget.value = '';
    const { taken, refused } = acceptFiles(all, element.filetypes, most - files.length);
    for (const file of taken) {
      setStatus(`Uploading ${file.name}…`);
      const entry = await upload(file);
      if (entry === undefined) return setStatus(`${file.name} could not be uploaded. Please try again.`);
      keep([...latest.current, entry]);
    }
    setStatus(refused ?? (taken.length > 0 ? 'Uploaded.' : ''));
  };
  return html`<div class="file-input">
    ${files.map((file) => html`<${ChosenFile} key=${file.id} file=${file} inert=${control.inert} onRemove=${() => keep(files.filter((one) => one !== file))} />`)}
    <input
      ...${control.described}
      id=${control.id}
      class="sr-only"
      type="file"
      multiple=${most > 1}
      accept=${element.filetypes?.map((type) => `.${type}`).join(',')}
      disabled=${control.inert || files.length >= most}
      onChange=${chosen}
    />
    <label for=${control.id} class="button file-choose" aria-hidden="true">${most > 1 ? 'Choose files' : 'Choose a file'}</label>
    <span class="file-status" role="status">${status}</span>
  </div>`;
}

/** @param {{ file: FileEntry, inert: boolean, onRemove: () => void }} props */
function ChosenFile({ file, inert, onRemove }) {
  return html`<p class="file">
    <span class="file-sign" aria-hidden="true"></span>
    <span><span class="file-name">${file.name}</span><span class="file-about">${formatFileSize(file.size)}</span></span>
    <button type="button" class="icon-button" aria-label=${`Remove ${file.name}`} disabled=${inert} onClick=${onRemove}>
      <span aria-hidden="true">×</span>
    </button>
  </p>`;
}

/**
 * The files that are accepted, and the reasons for the others.
 * @param {readonly File[]} files
 * @param {readonly string[] | undefined} types endings without the dot
 * @param {number} room how many more fit
 * @returns {{ taken: File[], refused: string | undefined }}
 */
function acceptFiles(files, types, room) {
  const right = files.filter(
    ({ name }) => types === undefined || types.some((type) => name.toLowerCase().endsWith(`.${type}`)),
  );
  const taken = right.slice(0, room);
  if (right.length < files.length)
    return { taken, refused: `Only these can be chosen: ${types?.join(', ')}.` };
  return { taken, refused: taken.length < right.length ? 'That is more than fit here.' : undefined };
}
