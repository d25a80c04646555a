import { useEffect, useRef, useState } from 'preact/hooks';
import { useControl } from '../block-container.js';
import { formatFileSize } from '../file-size.js';
import { html } from '../html.js';
import { isFileEntry, useUpload } from '../use-upload.js';

/**
 * @import { FileInput as FileInputElement } from '@slack/types'
 * @import { FileEntry } from '../../protocol.ts'
 */

/** Slack's default of `max_files`. */
const MAX_FILES = 10;

/**
 * A field for files from this computer. Each file is uploaded as soon as it is chosen.
 * @param {{ element: FileInputElement, settings: import('../block-container.js').BlockSettings }} props
 */
export function FileInput({ element, settings }) {
  const control = useControl(element, settings);
  const upload = useUpload();
  const [status, setStatus] = useState('');
  const value = control.state?.files;
  /** @type {FileEntry[]} */
  const files = Array.isArray(value) ? value.filter(isFileEntry) : [];
  const maxFiles = element.max_files ?? MAX_FILES;
  /** Includes files that were added while another file was being uploaded. @type {{ current: FileEntry[] }} */
  const latest = useRef(files);
  useEffect(() => {
    latest.current = files;
  });
  /** @param {FileEntry[]} next */
  const changeFiles = (next) => {
    latest.current = next;
    control.change({ type: element.type, files: next });
  };
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const onChange = async ({ currentTarget }) => {
    const chosen = [...(currentTarget.files ?? [])];
    // Otherwise the browser would ignore a removed file that is chosen again.
    currentTarget.value = '';
    const { accepted, error } = acceptFiles(chosen, element.filetypes, maxFiles - files.length);
    for (const file of accepted) {
      setStatus(`Uploading ${file.name}…`);
      const entry = await upload(file);
      if (entry === undefined) return setStatus(`${file.name} couldn’t be uploaded. Please try again.`);
      changeFiles([...latest.current, entry]);
    }
    setStatus(error ?? (accepted.length > 0 ? 'Uploaded.' : ''));
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
    <span class="file-status" role="status">${status}</span>
  </div>`;
}

/** @param {{ file: FileEntry, isInert: boolean, onRemove: () => void }} props */
function ChosenFile({ file, isInert, onRemove }) {
  return html`<p class="file">
    <span class="file-icon" aria-hidden="true"></span>
    <span><span class="file-name">${file.name}</span><span class="file-details">${formatFileSize(file.size)}</span></span>
    <button type="button" class="icon-button" aria-label=${`Remove ${file.name}`} disabled=${isInert} onClick=${onRemove}>
      <span aria-hidden="true">×</span>
    </button>
  </p>`;
}

/**
 * Selects the files that the field accepts.
 * @param {readonly File[]} files
 * @param {readonly string[] | undefined} types file name extensions, without the dot
 * @param {number} maxCount
 * @returns {{ accepted: File[], error: string | undefined }} `error` if a file was refused
 */
function acceptFiles(files, types, maxCount) {
  const matches = files.filter(
    ({ name }) => types === undefined || types.some((type) => name.toLowerCase().endsWith(`.${type}`)),
  );
  const accepted = matches.slice(0, maxCount);
  if (matches.length < files.length) {
    return { accepted, error: `Only these file types are allowed: ${types?.join(', ')}.` };
  }
  return { accepted, error: accepted.length < matches.length ? 'That’s too many files.' : undefined };
}
